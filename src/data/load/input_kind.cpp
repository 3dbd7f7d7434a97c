#include "data/load/input_kind.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_sniff.hpp"
#include "data/format/fly_format.hpp"
#include "data/format/libsvm.hpp"
#include "data/format/npy.hpp"
#include "data/format/zip.hpp"
#include "data/table/conversions.hpp"
#include "flymc/error.hpp"

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

std::string response_note(const Response& response) {
  if (response.name.empty()) {
    return {};
  }
  const std::string labels =
      response.labels.empty() ? "" : fmt::format(" ({})", counted(response.labels.size(), "label"));
  return fmt::format(", response {}{}", in_quotes(response.name), labels);
}

// "csv (semicolon, gzip), 3 files"
std::string input_note(const InputKind& kind) {
  std::vector<std::string_view> details;
  if (kind.format == Format::kCsv && kind.separator != ',') {
    details.push_back(csv::separator_name(kind.separator));
  }
  if (kind.packing != Packing::kNone) {
    details.push_back(name_of(kind.packing));
  }
  return fmt::format("{}{}{}", name_of(kind.format),
                     details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", ")),
                     kind.parts > 0 ? ", " + counted(kind.parts, "file") : "");
}

// "; 'when' in days since 2024-01-31", or nothing.
std::string conversions_note(const Constants& constants) {
  std::string note;
  for (const std::string& phrase : conversions(constants)) {
    note += "; " + phrase;
  }
  return note;
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
    case Format::kFrame:
      return "frame";
    default:
      return "auto";
  }
}

Format named_format(const LoadSpec& spec) noexcept {
  return spec.format != Format::kAuto ? spec.format : by_name(spec.path);
}

Format decide_format(const LoadSpec& spec, const std::string& path, std::string_view head) {
  const Format named = spec.format != Format::kAuto ? spec.format : by_name(path);
  return named != Format::kAuto ? named : by_content(head);
}

char separator_of(Format format, std::string_view head) {
  return format == Format::kTsv ? '\t' : csv::sniff_separator(head);
}

void require_same_format(const NamedFormat& first, const NamedFormat& other) {
  if (other.format != first.format) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is {}, but {} is {}", escaped(first.path), name_of(first.format),
                            escaped(other.path), name_of(other.format)),
                message("parts must have one format: name them with a pattern, or give {}.",
                        Setting{"format"}));
  }
}

std::string read_note(const LoadSpec& spec, const InputKind& kind, const TableRead& read) {
  return fmt::format("read {}: {}{}, {} x {}{}{}{}", escaped(spec.path), input_note(kind),
                     read.details, counted(read.table.sharding().rows(), "row"),
                     counted(read.table.columns.size(), "feature"),
                     response_note(read.table.response), dropped_note(read.counts),
                     conversions_note(read.table.constants));
}

}  // namespace flymc
