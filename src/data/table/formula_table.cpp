// The columns of a formula, made from those that were read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kPieceNumbers = std::size_t{1} << 18;

// A column to make: the product of columns of the table as it was read.
struct Made {
  std::string name;
  std::vector<std::size_t> factors;
};

// Where the columns of each feature start, and how many there are.
struct Range {
  std::size_t first = 0;
  std::size_t count = 0;
};

std::vector<FeatureColumns> features_of(const TableRead& read) {
  if (!read.features.empty()) {
    return read.features;
  }
  std::vector<FeatureColumns> features;  // numbers only: every column is itself
  for (const std::string& name : read.table.columns) {
    features.push_back({name, 1});
  }
  return features;
}

class Maker {
 public:
  explicit Maker(const TableRead& read) : table_(read.table), features_(features_of(read)) {
    std::size_t first = 0;
    for (const FeatureColumns& feature : features_) {
      ranges_.push_back({first, feature.count});
      first += feature.count;
    }
  }

  std::vector<Made> make(const Formula& formula) {
    for (std::size_t i = 0; i < features_.size(); ++i) {
      if (is_main_effect(formula, features_[i].name)) {
        extend({{"", {}}}, ranges_[i], made_);
      }
    }
    for (const Formula::Product& product : formula.products) {
      std::vector<Made> partial = {{"", {}}};
      for (const std::string& name : product) {
        std::vector<Made> longer;
        extend(partial, range_of(name), longer);
        partial = std::move(longer);
      }
      std::move(partial.begin(), partial.end(), std::back_inserter(made_));
    }
    require_distinct();
    return std::move(made_);
  }

 private:
  static bool is_main_effect(const Formula& formula, const std::string& name) {
    const auto in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return in(formula.columns) || (formula.all_others && !in(formula.removed));
  }

  [[nodiscard]] Range range_of(const std::string& name) const {
    const auto found = std::find_if(features_.begin(), features_.end(),
                                    [&](const FeatureColumns& f) { return f.name == name; });
    if (found == features_.end()) {
      throw Error(ErrorKind::kData,
                  message("{}: no column {} to multiply.", Setting{"formula"}, in_quotes(name)));
    }
    return ranges_[static_cast<std::size_t>(found - features_.begin())];
  }

  void extend(const std::vector<Made>& partial, Range range, std::vector<Made>& out) const {
    for (const Made& made : partial) {
      for (std::size_t column = range.first; column < range.first + range.count; ++column) {
        Made longer = made;
        longer.name += (longer.factors.empty() ? "" : ":") + table_.columns[column];
        longer.factors.push_back(column);
        out.push_back(std::move(longer));
      }
    }
  }

  void require_distinct() const {
    std::unordered_set<std::string> names;
    for (const Made& made : made_) {
      if (!names.insert(made.name).second) {
        throw Error(ErrorKind::kData,
                    fmt::format("column {} is in the file and a product of the formula; rename "
                                "it in the file.",
                                in_quotes(made.name)));
      }
    }
  }

  const Table& table_;
  std::vector<FeatureColumns> features_;
  std::vector<Range> ranges_;
  std::vector<Made> made_;
};

// The first column that is not finite in rows [first, last), if any.
std::optional<std::size_t> multiply(const Table& table, const std::vector<Made>& made, Range rows,
                                    Buffer<double>& x) {
  std::optional<std::size_t> bad;
  Buffer<double> scratch(table.columns.size());
  double* out = x.data() + rows.first * made.size();
  for (std::size_t row = rows.first; row < rows.first + rows.count; ++row) {
    const double* const in = table.row(row, scratch.data());
    for (std::size_t j = 0; j < made.size(); ++j) {
      double value = 1.0;
      for (const std::size_t factor : made[j].factors) {
        value *= in[factor];
      }
      if (!std::isfinite(value) && !bad) {
        bad = j;
      }
      *out++ = value;
    }
  }
  return bad;
}

void require_finite(const std::vector<std::optional<std::size_t>>& bad,
                    const std::vector<Made>& made) {
  for (const std::optional<std::size_t>& column : bad) {
    if (column) {
      throw Error(ErrorKind::kData,
                  fmt::format("column {} is infinite: the product of its columns is too large; "
                              "rescale one of them.",
                              in_quotes(made[*column].name)));
    }
  }
}

}  // namespace

void apply_formula(const Formula& formula, TableRead& read, unsigned threads) {
  if (formula.products.empty()) {
    return;  // exactly the columns that were read
  }
  Table& table = read.table;
  const std::vector<Made> made = Maker(read).make(formula);
  Buffer<double> x(table.rows * made.size());
  const std::size_t step = kPieceNumbers / (made.size() + 1) + 1;
  std::vector<std::optional<std::size_t>> bad((table.rows + step - 1) / step);
  parallel_for(bad.size(), threads, [&](std::size_t piece) {
    const std::size_t first = piece * step;
    bad[piece] = multiply(table, made, {first, std::min(step, table.rows - first)}, x);
  });
  fail_together(table.shard.ranks(), [&] { require_finite(bad, made); });
  table.x = std::move(x);
  table.source = {};
  table.columns.clear();
  for (const Made& column : made) {
    table.columns.push_back(column.name);
  }
  read.features.clear();
}

}  // namespace flymc
