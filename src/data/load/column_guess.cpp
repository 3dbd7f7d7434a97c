#include "data/load/column_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/csv_fields.hpp"
#include "data/csv/csv_header.hpp"
#include "data/csv/text_blocks.hpp"
#include "data/input/input_files.hpp"
#include "data/load/input_kind.hpp"
#include "data/load/open_input.hpp"
#include "data/load/read_table.hpp"
#include "data/table/dates.hpp"
#include "data/table/formula.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostValues = 10'000;  // that are told apart
constexpr std::size_t kNamesShown = 8;
constexpr std::string_view kAuto = "auto";

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_day(int year, unsigned month, unsigned day) {
  using namespace std::chrono;
  return year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day))
      .ok();
}

// 2024-01-31, 31.1.2024, 31/01/2024 or 1/31/2024, perhaps with something behind it.
bool is_date(std::string_view text) {
  text = text.substr(0, text.find_first_of(" T"));
  const std::size_t first = text.find_first_of("-./");
  if (first == std::string_view::npos) {
    return false;
  }
  const std::size_t second = text.find(text[first], first + 1);
  if (second == std::string_view::npos) {
    return false;
  }
  const std::string_view parts[] = {
      text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
  int numbers[3];
  for (int i = 0; i < 3; ++i) {
    if (!is_digits(parts[i]) || parts[i].size() > 4) {
      return false;
    }
    numbers[i] = std::stoi(std::string(parts[i]));
  }
  const auto part = [&](int i) { return static_cast<unsigned>(numbers[i]); };
  if (parts[0].size() == 4) {
    return is_day(numbers[0], part(1), part(2));
  }
  return parts[2].size() == 4 &&
         (is_day(numbers[2], part(1), part(0)) || is_day(numbers[2], part(0), part(1)));
}

bool names_rows(const std::string& column) {
  const std::string name = in_lower_case(column);
  constexpr std::string_view kNames[] = {"id", "uuid", "key", "index", "row", "rowid"};
  return std::ranges::find(kNames, name) != std::end(kNames) || name.ends_with("_id");
}

// One column, cell after cell.
class Cells {
 public:
  void add(const csv::Field& field) {
    const std::string text = csv::unquoted(field);
    double value = 0.0;
    const csv::Reading reading = csv::read_number(text, value);
    if (reading == csv::Reading::kMissing) {
      ++missing_;
      return;
    }
    ++present_;
    add_value(text);
    if (reading == csv::Reading::kText) {
      add_text(text);
      return;
    }
    whole_ = whole_ && value == std::floor(value);
    negative_ = negative_ || value < 0.0;
    counts_up_ = counts_up_ && (numbers_ == 0 || value == last_ + 1.0);
    last_ = value;
    ++numbers_;
    if (example_.empty()) {
      example_ = text;
    }
  }

  [[nodiscard]] ColumnGuess guess(std::string name) const {
    ColumnGuess guess;
    guess.kind = kind_for(name);
    guess.name = std::move(name);
    guess.missing = missing_;
    guess.example = texts_ > 0 ? text_example_ : example_;
    guess.text = texts_ > 0;
    if (values_.size() <= kMostValues) {
      guess.values = values_.size();
    }
    return guess;
  }

 private:
  void add_value(const std::string& text) {
    if (values_.size() <= kMostValues) {
      repeats_ = !values_.insert(text).second || repeats_;
    }
  }
  void add_text(const std::string& text) {
    if (texts_++ == 0) {
      text_example_ = text;
    }
    dates_ += is_date(text) ? 1 : 0;
    iso_dates_ += days_of_date(text) ? 1 : 0;
    commas_ += csv::is_decimal_comma(text) ? 1 : 0;
  }

  [[nodiscard]] ColumnKind kind_for(const std::string& name) const {
    if (present_ == 0) {
      return ColumnKind::kEmpty;
    }
    if (values_.size() == 1) {
      return ColumnKind::kConstant;
    }
    // Text, or what is called an id, and differs in every row tells them apart in small tables,
    // too; of numbers alone that count up, such as years, few rows say little.
    constexpr std::size_t kFewestRows = 3;
    constexpr std::size_t kFewRows = 20;
    const bool all_differ = !repeats_ && present_ >= kFewestRows;
    if (texts_ > 0) {
      return text_kind(all_differ);
    }
    if (whole_ && all_differ && (names_rows(name) || (counts_up_ && present_ > kFewRows))) {
      return ColumnKind::kIdentifier;
    }
    return values_.size() == 2    ? ColumnKind::kFlag
           : whole_ && !negative_ ? ColumnKind::kCount
                                  : ColumnKind::kNumber;
  }
  [[nodiscard]] ColumnKind text_kind(bool all_differ) const {
    if (iso_dates_ == present_) {
      return ColumnKind::kIsoDate;
    }
    if (dates_ == texts_) {
      return ColumnKind::kDate;
    }
    if (commas_ == texts_) {
      return ColumnKind::kDecimalComma;
    }
    if (all_differ) {
      return ColumnKind::kIdentifier;
    }
    if (values_.size() <= kMostCategoryLevels) {
      return ColumnKind::kCategory;
    }
    return numbers_ > texts_ ? ColumnKind::kMixed : ColumnKind::kLevels;
  }

  std::size_t missing_ = 0;
  std::size_t present_ = 0;
  std::size_t numbers_ = 0;
  std::size_t texts_ = 0;
  std::size_t dates_ = 0;  // of the texts
  std::size_t iso_dates_ = 0;
  std::size_t commas_ = 0;  // of the texts
  bool whole_ = true;       // the numbers
  bool negative_ = false;
  bool counts_up_ = true;
  double last_ = 0.0;
  std::unordered_set<std::string> values_;
  bool repeats_ = false;
  std::string example_;
  std::string text_example_;
};

// The rows of a block; a row that is none ends the guess, as it ends load().
void add_rows(std::string_view text, char separator, std::vector<Cells>& cells, std::size_t& rows) {
  csv::FieldReader reader(text, separator);
  while (!reader.done()) {
    if (reader.skip_blank_line()) {
      continue;
    }
    std::size_t column = 0;
    do {
      const csv::Field field = reader.read();
      if (column < cells.size()) {
        cells[column].add(field);
      }
      ++column;
    } while (reader.next());
    ++rows;
  }
}

bool is_category(const ColumnGuess& column) {
  return column.text &&
         (column.kind == ColumnKind::kCategory || column.kind == ColumnKind::kConstant);
}

// The columns that are features, as far as the specification says so.
std::vector<std::string> features_of(const LoadSpec& spec, const TableGuess& guess) {
  const Formula formula = formula_of(spec);
  std::vector<std::string> names = spec.formula.empty() ? spec.features : formula.columns();
  const bool all = spec.formula.empty() ? names.empty() : formula.all_others;
  for (const auto& [predictor, text] : spec.formulas) {
    const std::vector<std::string> others = parse_predictor(text).columns();
    names.insert(names.end(), others.begin(), others.end());
  }
  if (all) {
    for (const ColumnGuess& column : guess.columns) {
      names.push_back(column.name);
    }
  }
  std::vector<std::string> not_features = {spec.response, formula.response, spec.weights,
                                           spec.offset, spec.second()};
  not_features.insert(not_features.end(), spec.drop.begin(), spec.drop.end());
  not_features.insert(not_features.end(), formula.removed.begin(), formula.removed.end());
  const std::vector<std::string> offsets = formula.offset_columns();
  not_features.insert(not_features.end(), offsets.begin(), offsets.end());
  for (const GroupTerm& term : formula.groups) {
    const std::vector<std::string> columns = factor_columns(term);
    not_features.insert(not_features.end(), columns.begin(), columns.end());
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(not_features, name) != not_features.end();
  });
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::string> categories_of(const LoadSpec& spec) {
  const std::optional<TableGuess> guess = guess_columns(spec);
  if (!guess) {
    throw Error(ErrorKind::kUsage,
                message("{}: only csv and tsv files have text to encode, and they are read twice",
                        Setting{"categorical", std::string(kAuto)}),
                message("save piped input first, or name the columns."));
  }
  const std::vector<std::string> features = features_of(spec, *guess);
  std::vector<std::string> categories;
  std::vector<std::string> dates;
  std::vector<std::string> others;
  for (const ColumnGuess& column : guess->columns) {
    const bool is_feature = std::ranges::find(features, column.name) != features.end();
    const bool is_date = std::ranges::find(spec.dates, column.name) != spec.dates.end();
    if (column.text && is_feature && !is_date) {
      (is_category(column)                   ? categories
       : column.kind == ColumnKind::kIsoDate ? dates
                                             : others)
          .push_back(column.name);
    }
  }
  if (!dates.empty()) {
    throw Error(ErrorKind::kData,
                message("{}: dates in {}", escaped(spec.path), listed(dates, ", ", kNamesShown)),
                message("count them in days ({}) or drop them ({}).",
                        Setting{"date", joined(dates)}, Setting{"drop", joined(dates)}));
  }
  if (!others.empty()) {
    throw Error(ErrorKind::kData,
                message("{}: text that is no category in {}", escaped(spec.path),
                        listed(others, ", ", kNamesShown)),
                message("drop what it is in ({}); {} says what each column holds.",
                        Setting{"drop", joined(others)}, Command{"inspect"}));
  }
  return categories;
}

}  // namespace

std::string_view name_of(ColumnKind kind) noexcept {
  switch (kind) {
    case ColumnKind::kCount:
      return "count";
    case ColumnKind::kFlag:
      return "flag";
    case ColumnKind::kCategory:
      return "category";
    case ColumnKind::kLevels:
      return "many levels";
    case ColumnKind::kIdentifier:
      return "identifier";
    case ColumnKind::kIsoDate:
    case ColumnKind::kDate:
      return "date";
    case ColumnKind::kDecimalComma:
      return "decimal comma";
    case ColumnKind::kMixed:
      return "numbers and text";
    case ColumnKind::kConstant:
      return "constant";
    case ColumnKind::kEmpty:
      return "empty";
    case ColumnKind::kNumber:
      break;
  }
  return "number";
}

std::optional<TableGuess> guess_columns(const LoadSpec& spec) {
  if (spec.path == kStandardInput) {
    return std::nullopt;
  }
  OpenedInput input = open_input(spec);
  if (!is_separated_text(input.kind.format)) {
    return std::nullopt;
  }
  const csv::HeaderSpec header_spec{spec.header, input.kind.separator};
  constexpr BlockLimits kHeaderOnly{.rows = 1};
  constexpr BlockLimits kBlock{.rows = std::size_t{1} << 20};
  TableGuess guess;
  std::vector<std::string> names;
  std::vector<Cells> cells;
  for (const std::string& path : input.files.paths) {
    TextBlocks blocks{ByteSource(path)};
    std::optional<TextPart> part = blocks.next(kHeaderOnly);
    std::string_view body = checked_text(part ? part->text : std::string_view{}, path);
    names = csv::take_header(body, header_spec, path).names();
    cells.resize(names.size());
    for (; part; part = blocks.next(kBlock), body = part ? part->text : std::string_view{}) {
      add_rows(body, input.kind.separator, cells, guess.rows);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) {
      guess.columns.push_back(cells[i].guess(names[i]));
    }
  }
  return guess;
}

LoadSpec with_categories(const LoadSpec& spec) {
  if (spec.categorical != std::vector<std::string>{std::string(kAuto)}) {
    return spec;
  }
  Ranks& ranks = *spec.ranks;
  LoadSpec decided = spec;
  std::vector<std::string> names;
  fail_together(ranks, [&] {
    if (ranks.rank() == 0) {
      names = categories_of(spec);
    }
  });
  decided.categorical = first_texts(ranks, names);
  return decided;
}

}  // namespace flymc
