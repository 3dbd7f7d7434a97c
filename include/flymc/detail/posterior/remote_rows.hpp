// Everything the engine knows of one datum, so that it can be read where it lies or travel to ranks
// that do not hold it: a record of
//   features as read, response, weight, offset; where its tangent touches; its leverage; its rate.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/buffer.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

struct RemoteRow {
  Dataset::Row row;
  const double* anchor = nullptr;
  const double* leverage = nullptr;  // a number per pair; no meaning for global bounds
  double rate = 0.0;                 // of the weighted z-update; zero where there is none

  [[nodiscard]] Touch touch() const noexcept { return {anchor, leverage, row.response}; }
  // The most that any predictor (or difference of two) moves in a posterior standard deviation.
  [[nodiscard]] double reach(int pairs) const noexcept {
    return *std::max_element(leverage, leverage + pairs);
  }
};

// One instance a chain or stage: it keeps the records of rows that came from elsewhere.
class RemoteRows {
 public:
  // `rates` of the rows held here, or null. All three outlive this.
  RemoteRows(const Dataset& data, const Bounds& bounds, const float* rates);

  // Collective where rows are split: these data, and no others, are at hand at every rank.
  void fetch(std::span<const Datum> data);

  // Turns hits, the same at every rank, into data, at hand at every rank: one collective where rows
  // are split and there is a hit.
  void fetch_hits(const Rates& rates, std::span<const Rates::Hit> hits, Buffer<Datum>& data);

  // REQUIRES: a datum held here or at hand. `scratch` holds data.columns() numbers; what is
  // returned lives as long as that and until the next fetch.
  [[nodiscard]] RemoteRow at(Datum n, double* scratch) const noexcept;

 private:
  void write(Datum n, double* out) const;
  void exchange(Buffer<Datum>& data);
  [[nodiscard]] double held_rate(Datum n) const noexcept;

  const Dataset& data_;
  const Bounds& bounds_;
  const float* rates_;
  std::size_t width_;
  std::vector<Datum> guests_;  // ascending
  Buffer<double> records_;     // of guests
};

}  // namespace flymc
