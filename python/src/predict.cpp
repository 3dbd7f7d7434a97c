#include "predict.hpp"

#include <pybind11/stl.h>

#include <utility>

#include "fit/draw_values.hpp"
#include "fit_options.hpp"

namespace flymc::python {
namespace {

StoredRun run_of(const py::dict& layout) {
  StoredRun run;
  run.options = RunOptions{to_settings(layout), {}};
  run.classes = layout["classes"].cast<std::vector<std::string>>();
  return run;
}

// One chain, its statistics left empty: no prediction looks at them.
RunChains columns_of(const Numbers& draws) {
  const auto length = static_cast<std::size_t>(draws.shape(0));
  const auto parameters = static_cast<std::size_t>(draws.shape(1));
  ChainDraws chain;
  chain.values.assign(std::size(kStatisticColumns), std::vector<double>(length));
  for (std::size_t p = 0; p < parameters; ++p) {
    std::vector<double>& column = chain.values.emplace_back(length);
    for (std::size_t s = 0; s < length; ++s) {
      column[s] = draws.data()[s * parameters + p];
    }
  }
  return {{std::move(chain)}, {}};
}

}  // namespace

DrawsPredictor::DrawsPredictor(const py::dict& layout, const Numbers& draws)
    : predictor_(arrange_draws(run_of(layout), layout["features"].cast<std::vector<std::string>>(),
                               columns_of(draws))) {}

Table DrawsPredictor::table_of(const Numbers& x, const std::optional<Numbers>& offset) const {
  Table table;
  table.rows = static_cast<std::size_t>(x.shape(0));
  table.columns = predictor_.draws().features;
  table.x.assign(x.data(), x.data() + x.size());
  if (offset) {
    table.offset = to_vector(*offset);
  }
  return table;
}

py::array_t<double> DrawsPredictor::predict(const Numbers& x, const std::optional<Numbers>& offset,
                                            std::optional<double> prob, unsigned threads) const {
  const Table table = table_of(x, offset);
  PredictHow how;
  how.tail = prob ? 0.5 * (1.0 - *prob) : how.tail;
  how.class_intervals = prob.has_value();
  RowMatrix values;
  {
    const py::gil_scoped_release release;
    values = predictor_.predict(table, threads, how).values;
  }
  return to_array(values);
}

py::array_t<double> DrawsPredictor::draws(const Numbers& x,
                                          const std::optional<Numbers>& offset) const {
  const Table table = table_of(x, offset);
  RowMatrix values;
  {
    const py::gil_scoped_release release;
    values = predictor_.means(table, {0, table.rows});
  }
  return to_array(values);
}

py::array_t<double> DrawsPredictor::responses(const Numbers& x,
                                              const std::optional<Numbers>& offset,
                                              const std::optional<Numbers>& trials) const {
  Table table = table_of(x, offset);
  if (trials) {
    table.trials = to_vector(*trials);
  }
  RowMatrix values;
  {
    const py::gil_scoped_release release;
    values = predictor_.responses(table, {0, table.rows}, 0);
  }
  return to_array(values);
}

}  // namespace flymc::python
