// What the benchmarks share: one simulated logistic problem, and a target with bright rows.
#pragma once

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace flymc {

// Logistic data with predictor sd 2.5, set up once for all benchmarks.
struct Fixture {
  static constexpr std::size_t kRows = 200000;
  static constexpr Index kColumns = 51;

  static Table make_table() {
    Table table{.rows = kRows};
    table.columns.assign(kColumns - 1, "x");
    table.x.resize(kRows * (kColumns - 1));
    table.response.values.resize(kRows);
    Stream stream(1, 0, Purpose::kSimulate, 0);
    const double beta = 2.5 / std::sqrt(static_cast<double>(kColumns - 1));
    for (std::size_t n = 0; n < kRows; ++n) {
      double eta = 0.0;
      for (std::size_t j = 0; j + 1 < kColumns; ++j) {
        const double x = stream.normal();
        table.x[n * (kColumns - 1) + j] = x;
        eta += beta * x;
      }
      table.response.values[n] = stream.uniform() < sigmoid(eta) ? 1.0 : -1.0;
    }
    return table;
  }

  Fixture()
      : data(make_table(), {}),
        prior(std::vector<PriorTerm>(kColumns, {PriorKind::kNormal, 0.0, 2.5})),
        anchor(find_anchor(model, prior, data, {})),
        bounds(make_bounds(model, data, anchor, {})),
        frame(Frame::oscillator(anchor, gaussian_precision(prior, bounds))) {}

  Logistic model;
  Dataset data;
  Prior prior;
  Anchor anchor;
  Bounds bounds;
  Frame frame;
};

inline const Fixture& fixture() {
  static const Fixture instance;
  return instance;
}

// A target with `count` data bright, and a point one posterior sd away from the anchor.
struct Lit {
  JointTarget<Logistic> target;
  Point point;
  explicit Lit(std::size_t count)
      : target(fixture().model, fixture().prior, fixture().data, fixture().bounds, fixture().frame),
        point(Fixture::kColumns) {
    point.zeta.setConstant(1.0);
    std::vector<Datum> data(count);
    std::iota(data.begin(), data.end(), Datum{0});
    benchmark::DoNotOptimize(target.query(point, data));
    for (std::size_t i = 0; i < count; ++i) {
      target.brighten(point, i);
    }
  }
};

inline void per_item(benchmark::State& state, std::size_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

}  // namespace flymc
