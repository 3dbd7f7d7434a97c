// Which columns of a table the linear predictors of a likelihood are made of.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace flymc {

struct PredictorColumns {
  std::vector<std::string> columns{};  // names of a table's
  bool intercept = true;
  // Of the table's columns, too: they are added as they are, without a coefficient. The first has
  // Table::offset instead.
  std::vector<std::string> offsets{};
};

// By the name of the predictor, that of the first being empty. Where the first is not here it has
// all columns; any other that is not here is an intercept alone.
using ColumnsOfPredictors = std::map<std::string, PredictorColumns>;

// Whether a column is an offset of any.
[[nodiscard]] inline bool is_offset(const ColumnsOfPredictors& predictors,
                                    const std::string& column) {
  return std::ranges::any_of(predictors, [&](const auto& predictor) {
    const std::vector<std::string>& offsets = predictor.second.offsets;
    return std::ranges::find(offsets, column) != offsets.end();
  });
}

}  // namespace flymc
