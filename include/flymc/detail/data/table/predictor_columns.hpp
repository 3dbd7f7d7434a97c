// Which columns of a table the linear predictors of a likelihood are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace flymc {

struct PredictorColumns {
  std::vector<std::string> columns{};  // names of a table's
  bool intercept = true;
};

// By the name of the predictor, that of the first being empty. Where the first is not here it has
// all columns; any other that is not here is an intercept alone.
using ColumnsOfPredictors = std::map<std::string, PredictorColumns>;

}  // namespace flymc
