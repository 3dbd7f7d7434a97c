#include "data/csv/csv_blocks.hpp"

#include <algorithm>
#include <utility>

#include "core/mapped_files.hpp"
#include "core/text.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/csv_header.hpp"
#include "data/csv/csv_issue.hpp"

namespace flymc {

CsvBlocks::CsvBlocks(const LoadSpec& spec, Files files, const BlockLimits& limits)
    : spec_(spec),
      limits_(limits),
      paths_(std::move(files.paths)),
      separator_(files.separator),
      opened_(open(std::move(files.first))),
      parser_(spec, opened_.header, separator_) {
  for (std::size_t i = 1; i < paths_.size(); ++i) {
    const Opened other = open(ByteSource(paths_[i]));
    csv::require_same({paths_[0], opened_.header}, {paths_[i], other.header});
  }
}

CsvBlocks::Opened CsvBlocks::open(ByteSource source) const {
  (void)checked_text(source.head(), source.path());
  TextBlocks text(std::move(source));
  TextPart body = text.next({.rows = 1, .bytes = limits_.bytes}).value_or(TextPart{});
  const std::string_view whole = body.text;
  body.text = checked_text(whole, body.path);
  Header header =
      csv::take_header(body.text, {spec_.header, separator_, body.first_line}, body.path);
  body.first_line += static_cast<std::size_t>(std::count(whole.data(), body.text.data(), '\n'));
  return {std::move(text), std::move(header), std::move(body)};
}

std::optional<TextPart> CsvBlocks::next_text() {
  while (true) {
    if (!opened_.body.text.empty()) {
      return std::exchange(opened_.body, {});
    }
    if (std::optional<TextPart> part = opened_.text.next(limits_)) {
      return part;
    }
    require_unchanged_files();  // a file is at its end, and still mapped
    if (at_ + 1 == paths_.size()) {
      return std::nullopt;
    }
    opened_ = open(ByteSource(paths_[++at_]));
  }
}

csv::Parsed CsvBlocks::parse(const TextPart& part) {
  constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
  csv::Parsed parsed = parser_.parse(std::span(&part.text, 1), kChunkBytes);
  const RowCounts counts = csv::count_rows(single_process(), parsed, opened_.header);
  counts_.rows += counts.rows;
  counts_.missing += counts.missing;
  counts_.weightless += counts.weightless;
  return parsed;
}

// Its message counts rows, or it is none where a later row shows that the response is text.
bool CsvBlocks::needs_all_rows(const csv::Issue& issue) const {
  using Kind = csv::Issue::Kind;
  return issue.kind == Kind::kMissing ||
         (issue.kind == Kind::kInfinite && issue.column == layout().columns.response);
}

void CsvBlocks::fail(const csv::Issue& issue, const TextPart& part) {
  std::string place = place_in(std::span(&part, 1), issue.where);
  if (needs_all_rows(issue)) {
    while (const std::optional<TextPart> rest = next_text()) {
      (void)parse(*rest);
    }
  }
  throw csv::describe(issue, {spec_, opened_.header, std::move(place), counts_});
}

std::optional<csv::CodedRows> CsvBlocks::next_coded() {
  while (const std::optional<TextPart> part = next_text()) {
    csv::Parsed parsed = parse(*part);
    if (const csv::Issue* const issue = csv::first_issue(parsed)) {
      fail(*issue, *part);
    }
    gaps_.append(csv::gaps_of(parsed), kept_);
    csv::CodedRows coded = csv::code_rows(single_process(), std::move(parsed), parser_.plan());
    kept_ += coded.rows;
    if (coded.rows > 0) {
      return coded;
    }
  }
  require_rows(counts_, escaped(spec_.path));
  return std::nullopt;
}

std::optional<TableRead> CsvBlocks::next() {
  std::optional<csv::CodedRows> coded = next_coded();
  if (!coded) {
    return std::nullopt;
  }
  TableRead read;
  csv::fill_table(*std::move(coded), layout(), read);
  return read;
}

bool CsvBlocks::has_text_response() const noexcept {
  const csv::Plan& plan = parser_.plan();
  return std::ranges::count(plan.label_slots, plan.width + csv::kResponse) > 0;
}

std::vector<std::string> CsvBlocks::warnings() const {
  return csv::unnamed_warnings(opened_.header, paths_[0]);
}

}  // namespace flymc
