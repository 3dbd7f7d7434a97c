#include "data/format/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/machine_memory.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/csv_table.hpp"
#include "data/format/libsvm_rows.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using namespace csv;
using libsvm::Extent;

constexpr const char* kResponseName = "y";

// Adds the lines of the text in pieces of about `chunk_bytes`; their rows are not counted yet.
void split_lines(std::string_view text, std::size_t chunk_bytes, std::vector<Chunk>& chunks) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n', std::min(chunk_bytes, text.size()));
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    chunks.push_back({.bytes = text.substr(0, size)});
    text.remove_prefix(size);
  }
}

// Counts the rows of the chunks and gives each its place.
Extent measure(std::vector<Chunk>& chunks, unsigned threads) {
  std::vector<Extent> extents(chunks.size());
  parallel_for(chunks.size(), threads,
               [&](std::size_t i) { extents[i] = libsvm::extent_of(chunks[i].bytes); });
  Extent all;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].first_row = all.rows;
    chunks[i].max_rows = extents[i].rows;
    all.include(extents[i]);
  }
  return all;
}

// Columns that an earlier table had exist here too, if only as zeros.
void include_features(const LoadSpec& spec, const char* at, Extent& extent) {
  for (const std::string& name : spec.features) {
    const std::string pair_text = name.substr(0, 1) == "x" ? name.substr(1) + ":0" : "";
    libsvm::Pair pair;
    if (libsvm::read_pair(pair_text, pair)) {
      extent.include(pair.index, at);
    }
  }
}

// A name and its place in a hash table.
constexpr double kHeaderBytes = 128.0;

// Before anything of that size is made.
void require_memory(const LoadSpec& spec, const Extent& extent, std::span<const TextPart> parts) {
  const auto columns = static_cast<double>(extent.columns());
  const double width = spec.features.empty() ? columns : static_cast<double>(spec.features.size());
  const double bytes = static_cast<double>(extent.rows) * width * sizeof(double);
  if (bytes + columns * kHeaderBytes < machine_memory_bytes()) {
    return;
  }
  throw Error(ErrorKind::kMemory,
              fmt::format("{}: index {} makes a dense table of {} x {}, {:.3g} GB, more than "
                          "this machine holds",
                          place_in(parts, extent.most_at), extent.most, counted(extent.rows, "row"),
                          counted(extent.columns(), "column"),
                          static_cast<double>(extent.rows) * columns * 8e-9),
              message("check the index, or name the columns to use ({}).", Setting{"features"}));
}

void require_few_columns(const Extent& extent, std::span<const TextPart> parts) {
  if (extent.columns() > kMostLibsvmColumns) {
    throw Error(
        ErrorKind::kData,
        fmt::format("{}: index {} makes more than {} columns; check the index, or number "
                    "the columns that occur anew.",
                    place_in(parts, extent.most_at), extent.most, with_commas(kMostLibsvmColumns)));
  }
}

Layout lay_out(const LoadSpec& spec, const Extent& extent) {
  std::vector<std::string> names;
  for (std::uint64_t j = 0; j < extent.columns(); ++j) {
    names.push_back(fmt::format("x{}", extent.base() + j));
  }
  names.emplace_back(kResponseName);
  Header header(std::move(names), escaped(spec.path));
  LoadSpec with_response = spec;
  with_response.response = kResponseName;
  Columns columns = choose_columns(header, with_response);
  return {std::move(header), std::move(columns)};
}

std::vector<std::string> warnings_of(const Extent& extent, const std::string& path) {
  std::vector<std::string> warnings;
  if (extent.queries) {
    warnings.push_back(escaped(path) + ": qid is ignored; rows are taken as independent.");
  }
  if (extent.least == 0) {
    warnings.push_back(escaped(path) + ": index 0 occurs, so columns are x0, x1, ...");
  }
  return warnings;
}

}  // namespace

bool is_libsvm(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = libsvm::take_line(text);
    const std::string_view label = libsvm::take_word(line);
    if (!label.empty()) {
      const std::string_view word = libsvm::take_word(line);
      double ignored = 0.0;
      libsvm::Pair pair;
      return read_number(label, ignored) == Reading::kFinite &&
             (libsvm::is_query(word) || (libsvm::read_pair(word, pair) &&
                                         read_number(pair.value, ignored) == Reading::kFinite));
    }
  }
  return false;
}

TableRead read_libsvm(const LoadSpec& spec, std::span<const TextPart> parts) {
  if (!spec.response.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: a LIBSVM file has its response, the label in front of each line",
                        Setting{"response", shortened(spec.response)}),
                message("leave {} out.", Setting{"response"}));
  }
  Parsed parsed;
  for (const TextPart& part : parts) {
    split_lines(checked_text(part.text, part.path), spec.chunk_bytes, parsed.chunks);
  }
  Extent extent = measure(parsed.chunks, spec.threads);
  std::vector<std::string> warnings = warnings_of(extent, spec.path);
  if (spec.matches_earlier) {
    include_features(spec, parts[0].text.data(), extent);
  }
  require_memory(spec, extent, parts);
  require_few_columns(extent, parts);
  const Layout layout = lay_out(spec, extent);
  Plan plan = make_plan(layout.columns, layout.header.size(), false);
  follow(spec, layout.header, layout.columns, plan);
  parsed.raw = make_room(plan, extent.rows);
  parsed.results.resize(parsed.chunks.size());
  parallel_for(parsed.chunks.size(), spec.threads, [&](std::size_t i) {
    parsed.results[i] = libsvm::parse_lines(plan, parsed.chunks[i], extent.base(), parsed.raw);
  });
  const Source source{spec, [&](const Issue& issue) { return place_in(parts, issue.where); }};
  return assemble(std::move(parsed), plan, layout, source, std::move(warnings));
}

}  // namespace flymc
