#include "fit/time_estimate.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/pass.hpp"

namespace flymc {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSampleNumbers = std::size_t{1} << 20;
constexpr double kMeasuredSeconds = 0.1;
// Newton on a sample, a step on all rows, the bounds: fewer passes, some dearer than a plain one.
constexpr int kPasses = 10;

Dataset first_rows(const Table& table) {
  const std::size_t width = table.columns.size();
  Table sample;
  sample.rows = std::min(table.rows, kSampleNumbers / (width + 1) + 1);
  sample.columns = table.columns;
  sample.x.resize(sample.rows * width);
  const double* const rows = table.block({0, sample.rows}, sample.x.data());
  if (rows != sample.x.data()) {
    std::copy_n(rows, sample.x.size(), sample.x.data());
  }
  sample.response.values.resize(sample.rows);
  return {std::move(sample), {}};
}

double seconds_of_pass(const Dataset& data, unsigned threads) {
  const Vector theta = Vector::Zero(data.columns());
  const auto start = Clock::now();
  const PassSums sums = run_pass(data, theta, {.threads = threads}, [](PassBlock& block) {
    block.slopes.setConstant(0.5);
    block.weights.setConstant(0.25);
    return block.eta.sum();
  });
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return sums.value == 0.0 ? elapsed.count() : 0.0;  // the sum is used, so the work is done
}

}  // namespace

TimeEstimate estimate_time(const Table& table, std::size_t predictors, unsigned threads) {
  if (table.rows == 0) {
    return {};
  }
  const Dataset sample = first_rows(table);
  double fastest = seconds_of_pass(sample, threads);
  double spent = fastest;
  for (int repeat = 0; repeat < 100 && spent < kMeasuredSeconds; ++repeat) {
    const double seconds = seconds_of_pass(sample, threads);
    fastest = std::min(fastest, seconds);
    spent += seconds;
  }
  const double share = static_cast<double>(table.rows) / static_cast<double>(sample.rows());
  const std::size_t grams = std::max<std::size_t>(predictors * (predictors - 1) / 2, 1);
  return {fastest * share * static_cast<double>(grams), kPasses};
}

}  // namespace flymc
