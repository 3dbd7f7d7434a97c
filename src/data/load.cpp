#include "flymc/data/load.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/arrays.hpp"
#include "flymc/data/checksum.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/csv.hpp"
#include "flymc/data/csv_sniff.hpp"
#include "flymc/data/fly.hpp"
#include "flymc/data/fly_format.hpp"
#include "flymc/data/formula.hpp"
#include "flymc/data/input_files.hpp"
#include "flymc/data/libsvm.hpp"
#include "flymc/data/npy.hpp"
#include "flymc/data/parquet.hpp"
#include "flymc/data/zip.hpp"

namespace flymc {
namespace {

Format by_name(std::string_view path) noexcept {
  for (const std::string_view packing : {".gz", ".zst"}) {
    if (path.ends_with(packing)) {
      path.remove_suffix(packing.size());
      break;
    }
  }
  constexpr std::pair<std::string_view, Format> kExtensions[] = {
      {".csv", Format::kCsv},         {".tsv", Format::kTsv},    {".tab", Format::kTsv},
      {".npy", Format::kNpy},         {".npz", Format::kNpz},    {".libsvm", Format::kLibsvm},
      {".svmlight", Format::kLibsvm}, {".svm", Format::kLibsvm}, {".fly", Format::kFly},
      {".parquet", Format::kParquet}};
  for (const auto& [extension, format] : kExtensions) {
    if (path.ends_with(extension)) {
      return format;
    }
  }
  return Format::kAuto;
}

Format by_content(std::string_view bytes) {
  if (is_fly(bytes)) {
    return Format::kFly;
  }
  if (is_npy(bytes)) {
    return Format::kNpy;
  }
  if (is_zip(bytes)) {
    return Format::kNpz;
  }
  if (bytes.starts_with("PAR1")) {
    return Format::kParquet;
  }
  if (is_libsvm(bytes)) {
    return Format::kLibsvm;
  }
  return csv::sniff_separator(bytes) == '\t' ? Format::kTsv : Format::kCsv;
}

// The files of one table, all of one format.
struct Input {
  InputFiles files;
  std::vector<std::optional<Content>> contents;  // as files.paths
  Format format = Format::kAuto;
};

Format decide(const LoadSpec& spec, const std::string& path, std::string_view bytes) {
  const Format named = spec.format != Format::kAuto ? spec.format : by_name(path);
  return named != Format::kAuto ? named : by_content(bytes);
}

Input open(const LoadSpec& spec) {
  Input input{input_files(spec.path), {}};
  const std::vector<std::string>& paths = input.files.paths;
  input.contents.resize(paths.size());
  parallel_for(paths.size(), spec.threads,
               [&](std::size_t i) { input.contents[i].emplace(paths[i]); });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Format format = decide(spec, paths[i], input.contents[i]->bytes());
    if (i > 0 && format != input.format) {
      throw Error(ErrorKind::kData,
                  fmt::format("{} is {}, but {} is {}; parts must have one format: name them with "
                              "a pattern, or give --format.",
                              escaped(paths[0]), name_of(input.format), escaped(paths[i]),
                              name_of(format)));
    }
    input.format = format;
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

char separator_of(const Input& input) {
  return input.format == Format::kTsv ? '\t' : csv::sniff_separator(input.contents[0]->bytes());
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
      return read_csv(spec, texts_of(input), separator_of(input));
  }
}

std::string response_note(const Response& response) {
  if (response.name.empty()) {
    return {};
  }
  const std::string labels =
      response.labels.empty() ? "" : fmt::format(" ({})", counted(response.labels.size(), "label"));
  return fmt::format(", response {}{}", in_quotes(response.name), labels);
}

// "csv (semicolon, gzip), 3 files"
std::string input_note(const Input& input) {
  std::vector<std::string_view> details;
  if (input.format == Format::kCsv && separator_of(input) != ',') {
    details.push_back(csv::separator_name(separator_of(input)));
  }
  if (input.contents[0]->packing() != Packing::kNone) {
    details.push_back(name_of(input.contents[0]->packing()));
  }
  return fmt::format("{}{}{}", name_of(input.format),
                     details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", ")),
                     input.files.parts ? ", " + counted(input.files.paths.size(), "file") : "");
}

std::optional<std::uint32_t> piped_crc32(const LoadSpec& spec, const Input& input) {
  return spec.path == kStandardInput ? std::optional(crc32_of(input.contents[0]->stored()))
                                     : std::nullopt;
}

// The formula of a LIBSVM file may say y for the response, which has no other name.
TableRead read_formula(const LoadSpec& spec, const Formula& formula, const Input& input) {
  LoadSpec resolved = resolve_formula(spec, formula);
  if (input.format == Format::kLibsvm && resolved.response == "y") {
    resolved.response.clear();
  }
  TableRead result = read(resolved, input);
  apply_formula(formula, result, spec.threads);
  return result;
}

Loaded load_unguarded(const LoadSpec& spec) {
  const Formula formula = spec.formula.empty() ? Formula{} : parse_formula(spec.formula);
  Input input;
  together(*spec.ranks, [&] { input = open(spec); });
  if (spec.ranks->size() > 1 && input.format != Format::kFly) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} is {}: ranks share a .fly; convert it first, once: flymc convert",
                            escaped(spec.path), name_of(input.format)));
  }
  TableRead result = spec.formula.empty() ? read(spec, input) : read_formula(spec, formula, input);
  const std::size_t rows = result.table.sharding().rows();
  result.table.left_out = result.counts.rows - rows;
  std::string note = fmt::format("read {}: {}{}, {} x {}{}{}", escaped(spec.path),
                                 input_note(input), result.details, counted(rows, "row"),
                                 counted(result.table.columns.size(), "feature"),
                                 response_note(result.table.response), dropped_note(result.counts));
  return {std::move(result.table),    input.format,
          std::move(result.counts),   std::move(note),
          std::move(result.warnings), piped_crc32(spec, input)};
}

}  // namespace

std::string_view name_of(Format format) noexcept {
  switch (format) {
    case Format::kCsv:
      return "csv";
    case Format::kTsv:
      return "tsv";
    case Format::kNpy:
      return "npy";
    case Format::kNpz:
      return "npz";
    case Format::kLibsvm:
      return "libsvm";
    case Format::kParquet:
      return "parquet";
    case Format::kFly:
      return "fly";
    default:
      return "auto";
  }
}

Format named_format(const LoadSpec& spec) noexcept {
  return spec.format != Format::kAuto ? spec.format : by_name(spec.path);
}

Loaded load(const LoadSpec& spec) {
  const auto fail_memory = [&] {
    return Error(ErrorKind::kMemory,
                 escaped(spec.path) +
                     ": the table does not fit in memory; read fewer columns "
                     "(--features, --drop), or a .fly file (flymc convert), which "
                     "stays on the disk.");
  };
  try {
    return load_unguarded(spec);
  } catch (const std::bad_alloc&) {
    throw fail_memory();
  } catch (const std::length_error&) {
    throw fail_memory();
  }
}

}  // namespace flymc
