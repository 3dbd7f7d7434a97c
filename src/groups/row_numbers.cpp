#include "groups/row_numbers.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "flymc/detail/core/bytes.hpp"
#include "ranks/exchange.hpp"

namespace flymc {
namespace {

std::size_t rows_of_all(Ranks& ranks, std::size_t here) {
  std::vector<std::uint64_t> sum{here};
  add_up(ranks, sum);
  return sum.front();
}

}  // namespace

RowNumbers::RowNumbers(std::size_t rows) : shard_(rows) {}

RowNumbers::RowNumbers(Ranks& ranks, std::vector<Datum> here)
    : shard_(Shard::spread(ranks, rows_of_all(ranks, here.size()))),
      here_(std::make_shared<const std::vector<Datum>>(std::move(here))) {}

std::optional<std::size_t> RowNumbers::find(Datum number) const noexcept {
  if (!is_split()) {
    return number;
  }
  const auto found = std::ranges::lower_bound(*here_, number);
  return found != here_->end() && *found == number
             ? std::optional(static_cast<std::size_t>(found - here_->begin()))
             : std::nullopt;
}

Buffer<float> RowNumbers::by_number(const Buffer<float>& values) const {
  return is_split() ? sent_to_numbers(values) : values;
}

Buffer<double> RowNumbers::by_number(const Buffer<double>& values) const {
  return is_split() ? sent_to_numbers(values) : values;
}

template <class T>
Buffer<T> RowNumbers::sent_to_numbers(const Buffer<T>& values) const {
  constexpr std::size_t kMostRows = std::size_t{1} << 16;  // of a message
  Buffer<T> sorted(shard_.mine().size());
  const auto at = [&](std::size_t number) {
    return static_cast<std::size_t>(std::ranges::lower_bound(*here_, number) - here_->begin());
  };
  std::optional<std::size_t> sent;  // up to this row, of those here that go to one rank
  exchange(
      ranks(),
      [&](int to, std::string& message) {
        const std::size_t last = at(shard_.of(to).last);
        std::size_t row = sent.value_or(at(shard_.of(to).first));
        ByteWriter out;
        for (const std::size_t end = std::min(row + kMostRows, last); row < end; ++row) {
          out.put((*here_)[row]);
          out.put(values[row]);
        }
        message = out.bytes();
        sent = row < last ? std::optional(row) : std::nullopt;
        return sent.has_value();
      },
      [&](int /*from*/, std::string_view message) {
        for (ByteReader in(message); !in.at_end();) {
          const auto number = in.get<Datum>();
          sorted[number - shard_.mine().first] = in.get<T>();
        }
      });
  return sorted;
}

void RowNumbers::resolve(const Rates& rates, std::span<const Rates::Hit> hits,
                         Buffer<Datum>& numbers) const {
  numbers.resize(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    numbers[i] = rates.holds(hits[i]) ? rates.resolve(hits[i]) : rows();
  }
  if (!is_split() || hits.empty()) {
    return;
  }
  ByteWriter mine;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (numbers[i] < rows()) {
      mine.put(static_cast<std::uint64_t>(i));
      mine.put(numbers[i]);
    }
  }
  for (const std::string& bytes : ranks().gather(mine.bytes())) {
    for (ByteReader in(bytes); !in.at_end();) {
      const auto i = in.get<std::uint64_t>();
      numbers.at(i) = in.get<Datum>();
    }
  }
}

}  // namespace flymc
