#include "data/table/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kListedNames = 8;

// Notes what each column is used for, so that a second use is seen.
class Parts {
 public:
  explicit Parts(const Header& header) : header_(header), part_(header.size()) {}

  std::size_t assign(const std::string& name, const std::string& part) {
    const std::size_t column = header_.find(name);
    if (!part_[column].empty()) {
      throw Error(ErrorKind::kUsage, fmt::format("column {} is asked for twice: {} and {}.",
                                                 in_quotes(name), part_[column], part));
    }
    part_[column] = part;
    return column;
  }

  std::optional<std::size_t> assign_if_named(const std::string& name, const std::string& part) {
    return name.empty() ? std::nullopt : std::optional(assign(name, part));
  }

  [[nodiscard]] bool is_free(std::size_t column) const {
    return part_[column].empty() && !header_.name(column).empty();
  }

 private:
  const Header& header_;
  std::vector<std::string> part_;
};

std::vector<Feature> choose_features(const Header& header, const LoadSpec& spec, Parts& parts) {
  std::vector<Feature> features;
  for (const std::string& name : spec.features) {
    features.push_back({.column = parts.assign(name, "as a feature")});
  }
  const bool take_all = spec.features.empty() && !spec.no_features && !spec.matches_earlier;
  for (std::size_t column = 0; take_all && column < header.size(); ++column) {
    if (parts.is_free(column)) {
      features.push_back({.column = column});
    }
  }
  return features;
}

// Of the parts that are no features.
bool is_number_part(const Columns& columns, std::size_t column) {
  return column == columns.response || column == columns.weights || column == columns.offset ||
         column == columns.trials;
}

// As factor() of a column that no model uses: one that has no part stays out, and several fits of a
// table can name the same columns. The response and what else must be numbers are no features.
void mark_categorical(const Header& header, const LoadSpec& spec, Columns& columns) {
  std::vector<Feature>& features = columns.features;
  for (const std::string& name : spec.categorical) {
    const std::size_t column = header.find(name);
    const auto found = std::find_if(features.begin(), features.end(),
                                    [&](const Feature& f) { return f.column == column; });
    if (found != features.end()) {
      found->categorical = true;
    } else if (is_number_part(columns, column)) {
      throw Error(ErrorKind::kUsage, message("{}: the column is not a feature.",
                                             Setting{"categorical", shortened(name)}));
    }
  }
}

// One that has no part stays out, too.
void mark_dates(const Header& header, const LoadSpec& spec, Columns& columns) {
  std::vector<Feature>& features = columns.features;
  for (const std::string& name : spec.dates) {
    const Setting date{"date", shortened(name)};
    const std::size_t column = header.find(name);
    const auto found = std::ranges::find(features, column, &Feature::column);
    if (found == features.end() && is_number_part(columns, column)) {
      throw Error(ErrorKind::kUsage, message("{}: the column is not a feature.", date));
    }
    if (found != features.end() && found->categorical) {
      throw Error(ErrorKind::kUsage, message("{}: the column is a category, too; it is one of the "
                                             "two.",
                                             date));
    }
    if (found != features.end()) {
      found->date = true;
    }
  }
}

// A column that is feature and factor has its numbers in the one part and its levels in the other.
void require_numbers(const LoadSpec& spec, const std::string& name, const Feature& feature) {
  const auto fail = [&](const Setting& setting) {
    throw Error(ErrorKind::kUsage,
                message("{}: column {} is a feature and a factor of a group term, whose numbers "
                        "are the feature",
                        setting, in_quotes(name)),
                "leave it out of the features, or out of the group terms.");
  };
  if (feature.categorical) {
    fail(Setting{"categorical", shortened(name)});
  }
  if (spec.missing == Missing::kIndicator) {
    fail(Setting{"missing", "indicator"});
  }
}

// Those of group terms; where every column is taken they are among the features already.
void mark_factors(const Header& header, const LoadSpec& spec, std::vector<Feature>& features,
                  Parts& parts) {
  for (const std::string& name : spec.factors) {
    const std::size_t column = header.find(name);
    auto found = std::ranges::find(features, column, &Feature::column);
    if (found == features.end()) {
      found = features.insert(features.end(), {.column = parts.assign(name, "as a factor")});
    } else if (std::ranges::find(spec.features, name) != spec.features.end()) {
      require_numbers(spec, name, *found);
    }
    if (found->date) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the column is a factor of a group term, too", Setting{"date", name}),
                  "it is one of the two: keep another copy of the column for the other.");
    }
    found->factor = true;
  }
}

// What has no part that looks at its values already.
std::vector<std::size_t> choose_complete(const Header& header, const LoadSpec& spec,
                                         const Columns& columns) {
  if (!spec.missing_in.empty() && spec.missing != Missing::kDrop) {
    throw Error(ErrorKind::kUsage,
                message("{}: rows are left out with {} alone",
                        Setting{"missing_in", shortened(spec.missing_in.front())},
                        Setting{"missing", "drop"}),
                message("add {}.", Setting{"missing", "drop"}));
  }
  std::vector<std::size_t> complete;
  for (const std::string& name : spec.missing_in) {
    const std::size_t column = header.find(name);
    const bool is_part =
        std::ranges::find(columns.features, column, &Feature::column) != columns.features.end() ||
        is_number_part(columns, column);
    if (!is_part) {
      complete.push_back(column);
    }
  }
  return complete;
}

}  // namespace

Header::Header(std::vector<std::string> names, const std::string& where)
    : names_(std::move(names)) {
  for (std::size_t column = 0; column < names_.size(); ++column) {
    if (names_[column].empty()) {
      continue;
    }
    const auto [entry, is_new] = index_.emplace(names_[column], column);
    if (!is_new) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: column {} appears twice, as fields {} and {}; rename one.",
                              where, in_quotes(names_[column]), entry->second + 1, column + 1));
    }
  }
}

std::size_t Header::find(const std::string& name) const {
  const auto entry = index_.find(name);
  if (entry == index_.end()) {
    fail_unknown(name);
  }
  return entry->second;
}

void Header::fail_unknown(const std::string& name) const {
  std::string message = fmt::format("no column {}; columns are ", in_quotes(name));
  for (std::size_t i = 0; i < std::min(names_.size(), kListedNames); ++i) {
    message += (i == 0 ? "" : ", ") + shortened(names_[i]);
  }
  message += names_.size() > kListedNames ? ", ..." : "";
  const std::string guess = nearest(name, names_);
  message += guess.empty() ? "." : fmt::format("; did you mean {}?", in_quotes(guess));
  throw Error(ErrorKind::kData, message);
}

std::vector<std::string> numbered_names(std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= columns; ++j) {
    names.push_back(fmt::format("x{}", j));
  }
  return names;
}

Columns choose_columns(const Header& header, const LoadSpec& spec) {
  Parts parts(header);
  Columns columns;
  columns.response = parts.assign_if_named(spec.response, "as the response");
  columns.weights = parts.assign_if_named(spec.weights, "as the weights");
  columns.offset = parts.assign_if_named(spec.offset, "as the offset");
  columns.trials = parts.assign_if_named(
      spec.second(), spec.trials.empty() ? "for what is censored" : "as the trials");
  for (const std::string& name : spec.drop) {
    parts.assign(name, "to be dropped");
  }
  columns.features = choose_features(header, spec, parts);
  mark_categorical(header, spec, columns);
  mark_dates(header, spec, columns);
  mark_factors(header, spec, columns.features, parts);
  columns.complete = choose_complete(header, spec, columns);
  return columns;
}

void refuse_missing_in(const LoadSpec& spec, const std::string& where) {
  if (!spec.missing_in.empty()) {
    throw Error(ErrorKind::kUsage, message("{} needs a csv, tsv or parquet file; {} is none.",
                                           Setting{"missing_in"}, where));
  }
}

}  // namespace flymc
