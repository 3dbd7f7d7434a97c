// The scale of Student-t from the data.
#include "flymc/family/student_t.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/message.hpp"
#include "family/regression_sample.hpp"
#include "flymc/dataset.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

RegressionSample draw_sample(const Dataset& data, std::uint64_t seed) {
  constexpr std::size_t kMaxRows = 20000;
  Stream stream(seed, 0, Purpose::kAnchor, 1);
  const Permutation order(data.rows(), stream);
  std::vector<std::size_t> numbers(std::min(data.rows(), kMaxRows));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = order(i);
  }
  return regression_sample(data, numbers);
}

// The response that all rows have, offsets taken off; none where they differ.
std::optional<double> only_response(const Dataset& data) {
  Buffer<double> record;
  const std::size_t any = 0;
  const Dataset::Row first = data.fetch({&any, 1}, record)[0];
  const RowRange held = data.shard().mine();
  bool same = true;
  for (std::size_t n = held.first; same && n < held.last; ++n) {
    same = data.response(n) - data.offset(n) == first.response - first.offset;
  }
  if (!holds_everywhere(data.shard().ranks(), same)) {
    return std::nullopt;
  }
  return first.response - first.offset;
}

}  // namespace

void require_varied_response(const Dataset& data) {
  if (const auto only = only_response(data)) {
    throw Error(ErrorKind::kData,
                fmt::format("the response is always {:.6g}: it tells no scale", *only),
                message("give {}.", Setting{"scale"}));
  }
}

NoiseScale estimate_scale(const Dataset& data, double nu, std::uint64_t seed) {
  const RegressionSample sample = draw_sample(data, seed);
  const double total = sample.weight.sum();
  const double mean = sample.weight.dot(sample.y) / total;
  const double spread =
      std::sqrt(sample.weight.dot((sample.y.array() - mean).square().matrix()) / total);
  const double smallest = 1e-6 * spread + 1e-300;
  double scale = std::max(spread, smallest);
  Vector residual = sample.y.array() - mean;
  constexpr int kIterations = 50;
  for (int i = 0; i < kIterations; ++i) {
    const Vector weight =
        sample.weight.array() * (nu + 1.0) / (nu + (residual.array() / scale).square());
    if (sample.x.rows() > sample.x.cols()) {  // with fewer rows residuals of a fit tell nothing
      residual = sample.y - sample.x * weighted_least_squares(sample, weight);
    }
    const double next = std::sqrt(weight.dot(residual.cwiseAbs2()) / total);
    const bool settled = std::abs(next - scale) < 1e-6 * scale;
    scale = std::max(next, smallest);
    if (settled || scale == smallest) {
      break;
    }
  }
  return {scale, scale == smallest};
}

ChosenSettings StudentT::choose(const Settings& given, const Dataset& data, std::uint64_t seed) {
  const double nu = value_of(kSettings[0], given);
  const bool asked = given.contains("scale") && given.at("scale") != kChoose;
  if (!asked) {
    require_varied_response(data);
  }
  const NoiseScale noise =
      asked ? NoiseScale{given.at("scale"), false} : estimate_scale(data, nu, seed);
  const Message why = asked ? ""
                      : noise.noise_free
                          ? message(
                                " (a millionth of the response's spread: the rows have no "
                                "noise; {} chooses another)",
                                Setting{"scale"})
                          : " (chosen from the data, now fixed)";
  return {{{"nu", nu}, {"scale", noise.scale}},
          message("{}: nu {:.6g}, scale {:.6g}{}", kWord, nu, noise.scale, why),
          noise.noise_free};
}

}  // namespace flymc
