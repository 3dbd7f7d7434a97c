#include "arrays.hpp"

#include <algorithm>
#include <memory>

#include "fit/draw_values.hpp"

namespace flymc::python {
namespace {

// Tables are dropped wherever their last user ends: Python is asked to wait for that.
RowSource::Owner keep_alive(const py::array& array) {
  return {new py::array(array), [](py::array* held) {
            const py::gil_scoped_acquire gil;
            delete held;
          }};
}

RowSource rows_of(const py::array& x) {
  const RowSource::Shape shape{.rows = static_cast<std::size_t>(x.shape(0)),
                               .columns = static_cast<std::size_t>(x.shape(1)),
                               .row_stride = x.strides(0) / x.itemsize()};
  return py::isinstance<py::array_t<float>>(x)
             ? RowSource(static_cast<const float*>(x.data()), shape, keep_alive(x))
             : RowSource(static_cast<const double*>(x.data()), shape, keep_alive(x));
}

std::vector<double> to_vector(const std::optional<Numbers>& numbers) {
  return numbers ? python::to_vector(*numbers) : std::vector<double>{};
}

}  // namespace

std::vector<double> to_vector(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

Table to_table(const FitArrays& arrays) {
  Table table;
  table.columns = arrays.names;
  table.source = rows_of(arrays.x);
  if (arrays.rows) {
    table.left_out = table.source.rows() - arrays.rows->size();
    table.gaps.keep({arrays.rows->begin(), arrays.rows->end()});
    table.source.keep_rows(*arrays.rows);
  }
  table.rows = table.source.rows();
  table.response = {.name = "y", .values = to_vector(arrays.y), .labels = arrays.labels};
  table.weights = to_vector(arrays.weights);
  table.offset = to_vector(arrays.offset);
  table.trials = to_vector(arrays.trials);
  return table;
}

py::array_t<double> to_array(const RowMatrix& matrix) {
  py::array_t<double> array({matrix.rows(), matrix.cols()});
  std::copy_n(matrix.data(), matrix.size(), array.mutable_data());
  return array;
}

py::array_t<double> to_array(const RunChains& run) {
  constexpr std::size_t kStatistics = std::size(kStatisticColumns);
  std::size_t length = run.chains.front().draws();
  for (const ChainDraws& chain : run.chains) {
    length = std::min(length, chain.draws());
  }
  const std::size_t parameters = run.chains.front().values.size() - kStatistics;
  py::array_t<double> result({run.chains.size(), length, parameters});
  double* out = result.mutable_data();
  for (const ChainDraws& chain : run.chains) {
    for (std::size_t s = 0; s < length; ++s) {
      for (std::size_t p = 0; p < parameters; ++p) {
        *out++ = chain.values[kStatistics + p][s];
      }
    }
  }
  return result;
}

}  // namespace flymc::python
