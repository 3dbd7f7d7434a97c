#include "data/load/read_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "core/mapped_files.hpp"
#include "core/parallel.hpp"
#include "data/csv/csv.hpp"
#include "data/format/data_frame.hpp"
#include "data/format/fly.hpp"
#include "data/format/libsvm.hpp"
#include "data/format/parquet.hpp"
#include "data/input/byte_share.hpp"
#include "data/input/content.hpp"
#include "data/input/input_files.hpp"
#include "data/load/arrays.hpp"
#include "data/load/checksum.hpp"
#include "data/load/file_stamps.hpp"
#include "flymc/detail/core/bytes.hpp"

namespace flymc {
namespace {

// The files of one table, all of one format; those that this rank reads are open.
struct Input {
  InputFiles files;
  std::vector<std::optional<Content>> contents{};  // as files.paths
  std::vector<ByteRange> shares{};                 // of their bytes
  InputKind kind{};
};

[[noreturn]] void fail_packed(const std::string& path) {
  throw Error(ErrorKind::kUsage,
              escaped(path) +
                  " is compressed: several ranks cannot share one such file; unpack "
                  "it, or make a .fly with flymc convert.");
}

// What this rank reads of the file with this number. One that is compressed is read whole, by the
// rank that has its first byte.
ByteRange share_of(const ByteShare& share, const InputFiles& files, std::size_t i) {
  const ByteRange range = share.of(i);
  if (range.empty() || packing_of(FileMap(files.paths[i]).bytes()) == Packing::kNone) {
    return range;
  }
  if (!files.parts) {
    fail_packed(files.paths[i]);
  }
  return range.first == 0 ? ByteRange{} : ByteRange{0, 0};
}

Input open(const LoadSpec& spec, std::string_view taken) {
  Input input{input_files(spec.path)};
  const std::vector<std::string>& paths = input.files.paths;
  input.contents.resize(paths.size());
  input.shares.resize(paths.size());
  if (spec.ranks->size() > 1) {
    const ByteShare share(*spec.ranks, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      input.shares[i] = share_of(share, input.files, i);
    }
  }
  parallel_for(paths.size(), spec.threads, [&](std::size_t i) {
    if (!input.shares[i].empty() || !input.files.parts) {
      input.contents[i].emplace(paths[i], taken);
    }
  });
  return input;
}

InputKind kind_of(const LoadSpec& spec, const Input& input) {
  const Content& first = *input.contents[0];
  const Format format = decide_format(spec, input.files.paths[0], first.bytes());
  return {format, is_separated_text(format) ? separator_of(format, first.bytes()) : ',',
          first.packing(), input.files.parts ? input.files.paths.size() : 0};
}

// What the first rank found.
void tell_kind(Ranks& ranks, InputKind& kind) {
  ByteWriter out;
  out.put(static_cast<int>(kind.format));
  out.put(kind.separator);
  out.put(static_cast<int>(kind.packing));
  out.put(kind.parts);
  const std::string bytes = ranks.gather(out.bytes()).front();
  ByteReader in(bytes);
  kind.format = static_cast<Format>(in.get<int>());
  kind.separator = in.get<char>();
  kind.packing = static_cast<Packing>(in.get<int>());
  kind.parts = in.get<std::size_t>();
}

void require_shareable(const LoadSpec& spec, Format format) {
  if (!is_separated_text(format) && format != Format::kNpy && format != Format::kFly) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} is {}; several ranks share csv, tsv, npy and .fly: make a "
                            ".fly with flymc convert.",
                            escaped(spec.path), name_of(format)));
  }
}

void require_one_format(const LoadSpec& spec, const Input& input) {
  const std::vector<std::string>& paths = input.files.paths;
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (input.contents[i]) {
      require_same_format({paths[0], input.kind.format},
                          {paths[i], decide_format(spec, paths[i], input.contents[i]->bytes())});
    }
  }
}

std::vector<TextPart> texts_of(const Input& input) {
  std::vector<TextPart> parts;
  for (std::size_t i = 0; i < input.contents.size(); ++i) {
    if (input.contents[i]) {
      parts.push_back({.path = input.files.paths[i],
                       .text = input.contents[i]->bytes(),
                       .file = i,
                       .share = input.shares[i]});
    }
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
                    escaped(input.files.paths[0]), name_of(input.kind.format)));
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

TableRead read(const LoadSpec& spec, const Input& input, std::vector<FileChecksum>& checksums) {
  switch (input.kind.format) {
    case Format::kNpy:
      return read_npy(spec, only_file(input), checksums);
    case Format::kFly:
      return read_mapped(spec, only_file(input));
    case Format::kNpz:
      return read_npz(spec, only_file(input).bytes());
    case Format::kLibsvm:
      return read_libsvm(spec, texts_of(input));
    case Format::kParquet:
      return read_parquet(spec, input.files.paths);
    default:
      return read_csv(spec, texts_of(input), input.kind.separator);
  }
}

// Of the bytes as they were opened, but where several ranks have opened a share each.
std::string checksum_of(const LoadSpec& spec, const Input& input) {
  if (spec.ranks->size() > 1) {
    return fingerprint_of_file(spec.path, *spec.ranks);
  }
  std::vector<std::string_view> parts;
  for (const auto& content : input.contents) {
    parts.push_back(content->stored());
  }
  return fingerprint_of(parts, spec.threads);
}

// Reads, and what was read is what the checksums are of: of a file that is written in place
// meanwhile, or read more than once (by DuckDB, by ranks), the mapped bytes alone cannot tell.
TableRead read_with_checksums(const LoadSpec& spec, const Input& input,
                              std::vector<FileChecksum>& checksums) {
  checksums.push_back({spec.path, ""});
  TableRead table = read(spec, input, checksums);
  checksums[0].checksum = checksum_of(spec, input);
  return table;
}

// The formula of a LIBSVM file may say y for the response, which has no other name.
LoadSpec resolve(const LoadSpec& spec, const Formula& formula, Format format) {
  if (spec.formula.empty() && spec.formulas.empty()) {
    return spec;
  }
  LoadSpec resolved = resolve_formula(spec, formula);
  if (!spec.formula.empty() && format == Format::kLibsvm && resolved.response == "y") {
    resolved.response.clear();
  }
  return resolved;
}

}  // namespace

ReadTable read_table(const LoadSpec& spec, const Formula& formula, std::string_view taken) {
  Ranks& ranks = *spec.ranks;
  if (spec.frame != nullptr) {
    return {read_frame(resolve(spec, formula, Format::kFrame), *spec.frame),
            {.format = Format::kFrame}};
  }
  if (ranks.size() > 1 && spec.path == kStandardInput) {
    throw Error(ErrorKind::kUsage,
                "-: several ranks cannot share standard input; save the data first.");
  }
  Input input;
  std::optional<FileStamps> stamps;
  fail_together(ranks, [&] {
    if (spec.checksums) {
      stamps.emplace(spec);
    }
    input = open(spec, taken);
    if (ranks.rank() == 0) {
      input.kind = kind_of(spec, input);
    }
  });
  require_same_files(ranks, input.files.paths, spec.path);
  tell_kind(ranks, input.kind);
  if (ranks.size() > 1) {
    require_shareable(spec, input.kind.format);
  }
  fail_together(ranks, [&] { require_one_format(spec, input); });
  const LoadSpec resolved = resolve(spec, formula, input.kind.format);
  ReadTable table{{}, input.kind};
  table.read = spec.checksums ? read_with_checksums(resolved, input, table.checksums)
                              : read(resolved, input, table.checksums);
  fail_together(ranks, [&] {
    require_unchanged_files();  // the bytes that were read
    if (stamps) {
      stamps->require_unchanged();  // the files of these names
    }
  });
  return table;
}

}  // namespace flymc
