#include "flymc/detail/posterior/remote_rows.hpp"

#include <string>

#include "flymc/detail/core/bytes.hpp"

namespace flymc {

RemoteRows::RemoteRows(const Dataset& data, const Tangents& tangents,
                       std::optional<std::span<const float>> rates)
    : data_(data),
      tangents_(tangents),
      rates_(rates),
      width_(static_cast<std::size_t>(data.raw_columns()) + 4 +
             static_cast<std::size_t>(tangents.predictors + tangents.pairs)) {}

void RemoteRows::write(Datum n, double* out) const {
  const Dataset::Row row = data_.row(n, out);
  if (row.raw != out) {
    std::copy_n(row.raw, data_.raw_columns(), out);
  }
  out += data_.raw_columns();
  for (const double fact : {row.response, row.weight, row.offset}) {
    *out++ = fact;
  }
  out = std::copy_n(tangents_.touch_point(n), tangents_.predictors, out);
  if (const double* leverage = tangents_.leverage(n)) {
    out = std::copy_n(leverage, tangents_.pairs, out);
  } else {
    out = std::fill_n(out, tangents_.pairs, 0.0);
  }
  *out = rates_ ? held_rate(n).value() : 0.0;
}

CoinRate RemoteRows::held_rate(Datum n) const noexcept {
  return CoinRate((*rates_)[n - data_.shard().mine().first]);
}

RemoteRow RemoteRows::at(Datum n, double* scratch) const noexcept {
  const Shard& shard = data_.shard();
  if (shard.holds(n)) {
    return {data_.row(n, scratch), tangents_.touch_point(n), tangents_.leverage(n),
            rates_ ? std::optional(held_rate(n)) : std::nullopt};
  }
  const auto at = std::lower_bound(guests_.begin(), guests_.end(), n) - guests_.begin();
  const double* const record = records_.data() + static_cast<std::size_t>(at) * width_;
  const double* const facts = record + data_.raw_columns();
  const double* const touch_point = facts + 3;
  const double* const leverage = touch_point + tangents_.predictors;
  const CoinRate rate(static_cast<float>(leverage[tangents_.pairs]));
  return {{record, facts[0], facts[1], facts[2]},
          touch_point,
          leverage,
          rates_ ? std::optional(rate) : std::nullopt};
}

void RemoteRows::fetch(std::span<const Datum> data) {
  if (!data_.shard().is_split()) {
    return;
  }
  guests_.assign(data.begin(), data.end());
  std::sort(guests_.begin(), guests_.end());
  guests_.erase(std::unique(guests_.begin(), guests_.end()), guests_.end());
  records_ = collect_records(data_.shard(), guests_, width_,
                             [&](std::size_t n, double* out) { write(n, out); });
}

// Who owns a hit's block turns it into a datum and sends that with its record.
void RemoteRows::fetch_hits(const Rates& rates, std::span<const Rates::Hit> hits,
                            Buffer<Datum>& data) {
  data.resize(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    data[i] = rates.holds(hits[i]) ? rates.resolve(hits[i]) : data_.rows();
  }
  if (data_.shard().is_split() && !hits.empty()) {
    exchange(data);
  }
}

// Sends those of the data that are known here with their records, and fills in the others.
void RemoteRows::exchange(Buffer<Datum>& data) {
  ByteWriter mine;
  Buffer<double> record(width_);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] < data_.rows()) {
      write(data[i], record.data());
      mine.put(static_cast<std::uint64_t>(i));
      mine.put(static_cast<std::uint64_t>(data[i]));
      mine.put_all(record);
    }
  }
  std::vector<std::pair<Datum, Buffer<double>>> arrived;
  for (const std::string& bytes : data_.shard().ranks().gather(mine.bytes())) {
    for (ByteReader in(bytes); !in.at_end();) {
      const auto i = in.get<std::uint64_t>();
      data.at(i) = in.get<std::uint64_t>();
      in.get_all(record);
      arrived.emplace_back(data[i], record);
    }
  }
  std::sort(arrived.begin(), arrived.end());
  guests_.clear();
  records_.clear();
  for (const auto& [datum, values] : arrived) {
    if (guests_.empty() || guests_.back() != datum) {
      guests_.push_back(datum);
      records_.insert(records_.end(), values.begin(), values.end());
    }
  }
}

}  // namespace flymc
