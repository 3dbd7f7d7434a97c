#include "flymc/data/read_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "flymc/core/parallel.hpp"
#include "flymc/data/arrays.hpp"
#include "flymc/data/checksum.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/csv.hpp"
#include "flymc/data/fly.hpp"
#include "flymc/data/input_files.hpp"
#include "flymc/data/libsvm.hpp"
#include "flymc/data/parquet.hpp"

namespace flymc {
namespace {

// The files of one table, all of one format.
struct Input {
  InputFiles files;
  std::vector<std::optional<Content>> contents;  // as files.paths
  Format format = Format::kAuto;
};

Input open(const LoadSpec& spec, std::string_view taken) {
  Input input{input_files(spec.path), {}};
  const std::vector<std::string>& paths = input.files.paths;
  input.contents.resize(paths.size());
  parallel_for(paths.size(), spec.threads,
               [&](std::size_t i) { input.contents[i].emplace(paths[i], taken); });
  input.format = decide_format(spec, paths[0], input.contents[0]->bytes());
  for (std::size_t i = 1; i < paths.size(); ++i) {
    require_same_format({paths[0], input.format},
                        {paths[i], decide_format(spec, paths[i], input.contents[i]->bytes())});
  }
  return input;
}

std::vector<TextPart> texts_of(const Input& input) {
  std::vector<TextPart> parts;
  for (std::size_t i = 0; i < input.contents.size(); ++i) {
    parts.push_back({input.files.paths[i], input.contents[i]->bytes()});
  }
  return parts;
}

// The only file.
const Content& only_file(const Input& input) {
  if (input.files.parts) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} is {}: such files are not read in parts; name one file, or join them "
                    "first.",
                    escaped(input.files.paths[0]), name_of(input.format)));
  }
  return *input.contents[0];
}

TableRead read_mapped(const LoadSpec& spec, const Content& content) {
  if (content.packing() != Packing::kNone || !content.file()) {
    throw Error(ErrorKind::kData, escaped(spec.path) +
                                      ": a .fly is used where it lies and cannot be compressed "
                                      "or piped; unpack or save it first.");
  }
  return read_fly(spec, content.file());
}

InputKind kind_of(const Input& input) {
  const Content& first = *input.contents[0];
  return {input.format,
          is_separated_text(input.format) ? separator_of(input.format, first.bytes()) : ',',
          first.packing(), input.files.parts ? input.files.paths.size() : 0};
}

TableRead read(const LoadSpec& spec, const Input& input) {
  switch (input.format) {
    case Format::kNpy:
      return read_npy(spec, only_file(input));
    case Format::kFly:
      return read_mapped(spec, only_file(input));
    case Format::kNpz:
      return read_npz(spec, only_file(input).bytes());
    case Format::kLibsvm:
      return read_libsvm(spec, texts_of(input));
    case Format::kParquet:
      return read_parquet(spec, input.files.paths);
    default:
      return read_csv(spec, texts_of(input),
                      separator_of(input.format, input.contents[0]->bytes()));
  }
}

std::optional<std::uint32_t> piped_crc32(const LoadSpec& spec, const Input& input) {
  return spec.path == kStandardInput ? std::optional(crc32_of(input.contents[0]->stored()))
                                     : std::nullopt;
}

// The formula of a LIBSVM file may say y for the response, which has no other name.
LoadSpec resolve(const LoadSpec& spec, const Formula& formula, Format format) {
  if (spec.formula.empty()) {
    return spec;
  }
  LoadSpec resolved = resolve_formula(spec, formula);
  if (format == Format::kLibsvm && resolved.response == "y") {
    resolved.response.clear();
  }
  return resolved;
}

}  // namespace

ReadTable read_table(const LoadSpec& spec, const Formula& formula, std::string_view taken) {
  Input input;
  together(*spec.ranks, [&] { input = open(spec, taken); });
  if (spec.ranks->size() > 1 && input.format != Format::kFly) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} is {}; several ranks share the rows of a .fly: make one with flymc "
                            "convert.",
                            escaped(spec.path), name_of(input.format)));
  }
  return {read(resolve(spec, formula, input.format), input), kind_of(input),
          piped_crc32(spec, input)};
}

}  // namespace flymc
