#include "flymc/data/load.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/arrays.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/csv.hpp"
#include "flymc/data/fly.hpp"
#include "flymc/data/fly_format.hpp"
#include "flymc/data/libsvm.hpp"
#include "flymc/data/npy.hpp"
#include "flymc/data/zip.hpp"

namespace flymc {
namespace {

Format by_name(std::string_view path) noexcept {
  if (path.ends_with(".gz")) {
    path.remove_suffix(3);
  }
  constexpr std::pair<std::string_view, Format> kExtensions[] = {
      {".csv", Format::kCsv},         {".tsv", Format::kTsv},    {".tab", Format::kTsv},
      {".npy", Format::kNpy},         {".npz", Format::kNpz},    {".libsvm", Format::kLibsvm},
      {".svmlight", Format::kLibsvm}, {".svm", Format::kLibsvm}, {".fly", Format::kFly}};
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
  if (is_libsvm(bytes)) {
    return Format::kLibsvm;
  }
  const std::string_view first_line = bytes.substr(0, bytes.find('\n'));
  const bool tabs_only = first_line.find('\t') != std::string_view::npos &&
                         first_line.find(',') == std::string_view::npos;
  return tabs_only ? Format::kTsv : Format::kCsv;
}

Format decide(const LoadSpec& spec, std::string_view bytes) {
  const Format named = named_format(spec);
  return named != Format::kAuto ? named : by_content(bytes);
}

TableRead read_mapped(const LoadSpec& spec, const Content& content) {
  if (content.was_gzip()) {
    throw Error(ErrorKind::kData, escaped(spec.path) +
                                      ": a .fly is used where it lies and cannot be compressed; "
                                      "unpack it with gunzip first.");
  }
  return read_fly(spec, content.file());
}

TableRead read(const LoadSpec& spec, Format format, const Content& content) {
  const std::string_view bytes = content.bytes();
  switch (format) {
    case Format::kFly:
      return read_mapped(spec, content);
    case Format::kTsv:
      return read_csv(spec, bytes, '\t');
    case Format::kNpy:
      return read_npy(spec, content);
    case Format::kNpz:
      return read_npz(spec, bytes);
    case Format::kLibsvm:
      return read_libsvm(spec, bytes);
    default:
      return read_csv(spec, bytes, ',');
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

Loaded load_unguarded(const LoadSpec& spec) {
  const Content content(spec.path);
  const Format format = decide(spec, content.bytes());
  TableRead result = read(spec, format, content);
  result.table.left_out = result.counts.rows - result.table.rows;
  std::string note = fmt::format("read {}: {}{}{}, {} x {}{}{}", escaped(spec.path),
                                 name_of(format), content.was_gzip() ? " (gzip)" : "",
                                 result.details, counted(result.table.rows, "row"),
                                 counted(result.table.columns.size(), "feature"),
                                 response_note(result.table.response), dropped_note(result.counts));
  return {std::move(result.table), format, std::move(result.counts), std::move(note),
          std::move(result.warnings)};
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
    return Error(ErrorKind::kMemory, escaped(spec.path) + ": the table does not fit in memory.");
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
