// Everything the engine knows of one datum, so that it can be read where it lies or travel to ranks
// that do not hold it: a record of
//   features as read, response, weight, offset; where its tangent touches; its leverage; its rate.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/posterior/coin_rate.hpp"
#include "flymc/detail/posterior/rates.hpp"
#include "flymc/detail/posterior/tangents.hpp"

namespace flymc {

struct RemoteRow {
  Dataset::Row row;
  const double* touch_point = nullptr;
  const double* leverage = nullptr;  // a number per pair; no meaning for global bounds
  std::optional<CoinRate> rate;      // none where the bounds have no rates

  [[nodiscard]] Touch touch() const noexcept { return {touch_point, leverage, row.response}; }
  [[nodiscard]] double reach(const Tangents& tangents) const noexcept {
    return tangents.reach_of(leverage);
  }
};

// One instance a chain or stage: it keeps the records of rows that came from elsewhere.
class RemoteRows {
 public:
  // `rates` of the rows held here (a rank may hold none), or none at all. All outlive this.
  RemoteRows(const Dataset& data, const Tangents& tangents,
             std::optional<std::span<const float>> rates);

  [[nodiscard]] const Tangents& tangents() const noexcept { return tangents_; }

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
  [[nodiscard]] CoinRate held_rate(Datum n) const noexcept;  // REQUIRES: rates

  const Dataset& data_;
  const Tangents& tangents_;
  std::optional<std::span<const float>> rates_;
  std::size_t width_;
  std::vector<Datum> guests_;  // ascending
  Buffer<double> records_;     // of guests
};

}  // namespace flymc
