#include "data/csv/csv_parser.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace flymc::csv {
namespace {

std::size_t end_of(const std::vector<Chunk>& chunks) {
  return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().max_rows;
}

// The rows of all parts, cut for the threads, each with its place among all rows.
std::vector<Chunk> split_parts(std::span<const std::string_view> bodies, std::size_t chunk_bytes,
                               unsigned threads) {
  std::vector<Chunk> chunks;
  std::size_t rows = 0;
  for (const std::string_view body : bodies) {
    for (Chunk chunk : split_rows(body, chunk_bytes, threads)) {
      chunk.first_row += rows;
      chunks.push_back(chunk);
    }
    rows = end_of(chunks);
  }
  return chunks;
}

// What was read behind a stray quote says nothing.
void cut_short(Parsed& parsed, Ranks& ranks) {
  const auto cut = std::ranges::find_if(parsed.results, &ChunkResult::cut);
  const bool here = cut != parsed.results.end();
  const auto by_rank = ranks.gather(here ? "cut" : "");
  const auto before = by_rank.begin() + ranks.rank();
  if (std::any_of(by_rank.begin(), before, [](const auto& one) { return !one.empty(); })) {
    parsed.results.clear();
  } else if (here) {
    parsed.results.erase(cut + 1, parsed.results.end());
  }
  parsed.chunks.resize(parsed.results.size());
}

void parse_all(Parsed& parsed, const Plan& plan, const LoadSpec& spec) {
  parsed.raw = make_room(plan, end_of(parsed.chunks));
  parsed.results.assign(parsed.chunks.size(), {});
  parallel_for(parsed.chunks.size(), spec.threads, [&](std::size_t i) {
    parsed.results[i] = parse_rows(plan, parsed.chunks[i], parsed.raw);
  });
  cut_short(parsed, *spec.ranks);
}

Layout lay_out(Header header, const LoadSpec& spec) {
  Columns columns = choose_columns(header, spec);
  return {std::move(header), std::move(columns)};
}

}  // namespace

Parser::Parser(const LoadSpec& spec, Header header, char separator)
    : spec_(spec),
      separator_(separator),
      layout_(lay_out(std::move(header), spec)),
      plan_(make(spec.text_response)) {}

Plan Parser::make(bool text_response) const {
  Plan plan = make_plan(layout_.columns, layout_.header.size(), text_response);
  follow(spec_, layout_.header, layout_.columns, plan);
  plan.separator = separator_;
  return plan;
}

Parsed Parser::parse(std::span<const std::string_view> bodies, std::size_t chunk_bytes) {
  Parsed parsed;
  parsed.chunks = split_parts(bodies, chunk_bytes, spec_.threads);
  parse_all(parsed, plan_, spec_);
  const bool numbers = std::ranges::none_of(parsed.results, &ChunkResult::text_response);
  if (!holds_everywhere(*spec_.ranks, numbers)) {
    plan_ = make(true);
    parse_all(parsed, plan_, spec_);
  }
  return parsed;
}

}  // namespace flymc::csv
