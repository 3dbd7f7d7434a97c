#include "paper/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text.hpp"
#include "data/table/principal_components.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc::paper {
namespace {

// Principal axes, each of variance 1; a direction without variance becomes a column of zeros.
RowMatrix scores_on_axes(const Table& table, unsigned threads) {
  const std::size_t width = table.columns.size();
  const PrincipalComponents found = principal_components(
      {table.x.data(), static_cast<Index>(table.rows), static_cast<Index>(width)}, width, threads);
  const Vector scale = found.variances.unaryExpr(
      [&](double v) { return v > 1e-12 * found.variances[0] ? 1.0 / std::sqrt(v) : 0.0; });
  return found.scores * scale.asDiagonal();
}

// Keeps the rows that lie within the limit on every axis; returns how many do not.
std::size_t drop_far_rows(Table& table, const RowMatrix& scores, double limit) {
  const std::size_t width = table.columns.size();
  std::size_t kept = 0;
  for (std::size_t n = 0; n < table.rows; ++n) {
    if (scores.row(static_cast<Index>(n)).cwiseAbs().maxCoeff() <= limit) {
      std::copy_n(table.x.data() + n * width, width, table.x.data() + kept * width);
      table.response.values[kept++] = table.response.values[n];
    }
  }
  const std::size_t dropped = table.rows - kept;
  table.rows = kept;
  table.x.resize(kept * width);
  table.response.values.resize(kept);
  return dropped;
}

std::size_t turn_to_axes(Table& table, unsigned threads) {
  constexpr double kFar = 20.0;
  RowMatrix scores = scores_on_axes(table, threads);
  const std::size_t dropped = drop_far_rows(table, scores, kFar);
  if (dropped > 0) {
    scores = scores_on_axes(table, threads);
  }
  std::copy_n(scores.data(), scores.size(), table.x.data());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    table.columns[j] = fmt::format("axis{}", j + 1);
  }
  return dropped;
}

void centre(std::vector<double>& values) {
  std::vector<double> sorted = values;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  for (double& value : values) {
    value -= *middle;
  }
}

}  // namespace

std::string choose_columns(Experiment experiment, Table& table, unsigned threads) {
  switch (experiment) {
    case Experiment::kMnist:
      return {};
    case Experiment::kCifar:
      for (double& code : table.x) {
        code = 2.0 * code - 1.0;
      }
      return "columns: codes 0 and 1 stand as -1 and 1";
    case Experiment::kOpv:
      break;
  }
  const std::size_t dropped = turn_to_axes(table, threads);
  centre(table.response.values);
  return fmt::format(
      "columns: the principal axes of the descriptors, each of variance 1; response: the gap less "
      "its median; {} beyond 20 standard deviations on an axis left out",
      counted(dropped, "row"));
}

}  // namespace flymc::paper
