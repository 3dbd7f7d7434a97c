#include "groups/row_target.hpp"

#include <cmath>
#include <limits>

#include "flymc/detail/posterior/bright_rows.hpp"

namespace flymc {

RowTarget::RowTarget(const Dataset& data, const RowModel& model, const RowBounds& bounds,
                     const double* shared_touch)
    : data_(data), model_(model), row_bounds_(bounds), shared_touch_(shared_touch) {}

// --- coins ---

void RowTarget::brighten(Point& current, std::size_t i) {
  set_.brighten(probed_[i]);
  append(probed_[i]);
  current.log_factors.push_back(probed_factors_[i]);
}

void RowTarget::darken(Point& current, std::size_t slot) {
  set_.darken(slot);
  remove(slot);
  remove_slot(current.log_factors, slot, 1);
}

void RowTarget::restore(std::span<const Datum> bright) {
  fetch(bright);
  for (const Datum n : bright) {
    set_.brighten(n);
    append(n);
  }
}

void RowTarget::relight(std::span<const Datum> bright) {
  for (std::size_t slot = bright_count(); slot-- > 0;) {
    set_.darken(slot);
    remove(slot);
  }
  restore(bright);
}

void RowTarget::draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) {
  hits_.clear();
  const Rates& rates = row_bounds_.rates;
  for (std::uint64_t left = stream.poisson(scale * rates.total()); left > 0; --left) {
    hits_.push_back(rates.hit(stream));
  }
  row_bounds_.numbers.resolve(rates, hits_, hits);
}

Buffer<double>& RowTarget::probe(std::span<const Datum> data) {
  probed_.assign(data.begin(), data.end());
  probed_factors_.resize(data.size());
  return probed_factors_;
}

// --- gaps ---

void RowTarget::clear_rows() noexcept {
  for (Buffer<double>* const numbers : {&touch_, &curvature_, &response_, &weight_, &u_}) {
    numbers->clear();
  }
}

void RowTarget::push_row(const TouchingRow& row, double u) {
  touch_.push_back(row.touch);
  curvature_.insert(curvature_.end(), row.curvature, row.curvature + row_bounds_.curvatures);
  response_.push_back(row.response);
  weight_.push_back(row.weight);
  u_.push_back(u);
}

void RowTarget::run_gaps(const Vector& shared) {
  gap_.resize(u_.size());
  slope_.resize(u_.size());
  counter_.query_block(u_.size(), [&] {
    model_.gaps({u_.size(), touch_.data(), curvature_.data(), response_.data(), weight_.data(),
                 u_.data(), shared_touch_, shared.data()},
                gap_.data(), slope_.data());
  });
}

double RowTarget::log_likelihood(RowRange range, const double* eta) {
  double sum = 0.0;
  counter_.query_block(range.size(), [&] {
    sum = model_.sum({range.size(), eta, data_.responses(range.first)}, data_.weights(range.first));
  });
  return sum;
}

// --- densities ---

double RowTarget::residual(const Point& point) noexcept {
  double sum = point.parts.sum();
  for (const double factor : point.log_factors) {
    sum += factor;
  }
  return sum;
}

void RowTarget::set_density(Point& point, double density) noexcept {
  point.log_density = std::isnan(density) ? -std::numeric_limits<double>::infinity() : density;
}

}  // namespace flymc
