#include "flymc/data/csv.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/csv_header.hpp"
#include "flymc/data/csv_table.hpp"

namespace flymc {
namespace {

using namespace csv;

constexpr std::size_t kSniffedBytes = std::size_t{1} << 16;

// The rows of all parts, cut for the threads, each with its place among all rows.
std::vector<Chunk> split_parts(std::span<const std::string_view> bodies, const LoadSpec& spec) {
  std::vector<Chunk> chunks;
  std::size_t rows = 0;
  for (const std::string_view body : bodies) {
    for (Chunk chunk : split_rows(body, spec.chunk_bytes, spec.threads)) {
      chunk.first_row += rows;
      chunks.push_back(chunk);
    }
    rows = chunks.back().first_row + chunks.back().max_rows;
  }
  return chunks;
}

// Takes the headers off the texts; they are all the same.
Header take_headers(std::span<const TextPart> parts, const HeaderSpec& spec,
                    std::vector<std::string_view>& bodies) {
  std::optional<Header> header;
  for (const TextPart& part : parts) {
    std::string_view& body = bodies.emplace_back(checked_text(part.text, part.path));
    Header own = take_header(body, spec, part.path);
    if (header) {
      require_same({parts.front().path, *header}, {part.path, own});
    } else {
      header = std::move(own);
    }
  }
  return *std::move(header);
}

void parse_all(Parsed& parsed, const Plan& plan, unsigned threads) {
  const Chunk& last = parsed.chunks.back();
  parsed.raw = make_room(plan, last.first_row + last.max_rows);
  parsed.results.assign(parsed.chunks.size(), {});
  parallel_for(parsed.chunks.size(), threads, [&](std::size_t i) {
    parsed.results[i] = parse_rows(plan, parsed.chunks[i], parsed.raw);
  });
}

bool has_text_response(const Parsed& parsed) {
  for (const ChunkResult& result : parsed.results) {
    if (result.text_response) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view checked_text(std::string_view text, const std::string& path) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  if (text.find_first_not_of("\r\n") == std::string_view::npos) {
    throw Error(ErrorKind::kData, escaped(path) + ": the file is empty.");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error(ErrorKind::kData, escaped(path) + ": the text is UTF-16; save it as UTF-8.");
  }
  const std::size_t zero = text.substr(0, kSniffedBytes).find('\0');
  if (zero != std::string_view::npos) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: not a text file (byte {} is zero); is it another "
                            "--format?",
                            escaped(path), with_commas(zero + 1)));
  }
  return text;
}

TableRead read_csv(const LoadSpec& spec, std::span<const TextPart> parts, char separator) {
  std::vector<std::string_view> bodies;
  Header header = take_headers(parts, {spec.header, separator}, bodies);
  Columns columns = choose_columns(header, spec);
  const Layout layout{std::move(header), std::move(columns)};

  Parsed parsed;
  parsed.chunks = split_parts(bodies, spec);
  const auto plan_for = [&](bool text_response) {
    Plan plan = make_plan(layout.columns, layout.header.size(), text_response);
    fix_levels(plan, layout.header, layout.columns, spec.levels);
    plan.missing = spec.missing;
    plan.separator = separator;
    return plan;
  };
  Plan plan = plan_for(false);
  parse_all(parsed, plan, spec.threads);
  if (has_text_response(parsed)) {
    plan = plan_for(true);
    parse_all(parsed, plan, spec.threads);
  }

  const Source source{spec, [&](const Issue& issue) { return place_in(parts, issue.where); }};
  return assemble(std::move(parsed), plan, layout, source,
                  unnamed_warnings(layout.header, parts.front().path));
}

}  // namespace flymc
