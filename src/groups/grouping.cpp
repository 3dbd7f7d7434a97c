#include "groups/grouping.hpp"

#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {

std::ptrdiff_t slope_column(const Dataset& data, const GroupTerm& term, const std::string& slope) {
  const auto found = std::ranges::find(data.names(), slope);
  if (found == data.names().end()) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: the slope of {} varies by {}, but {} is no column of the model",
                Setting{"formula"}, in_quotes(slope), in_quotes(term.factor), in_quotes(slope)),
        message("add it: y ~ {} + ...", slope));
  }
  return found - data.names().begin();
}

void require_few_varying(const GroupTerm& term) {
  if (term.size() > kMostVarying) {
    throw Error(ErrorKind::kUsage, message("{}: at most {} coefficients vary by {}, not {}.",
                                           Setting{"formula"}, std::to_string(kMostVarying),
                                           in_quotes(term.factor), std::to_string(term.size())));
  }
}

std::vector<std::uint64_t> rows_of_levels(const Factor& factor) {
  std::vector<std::uint64_t> rows(factor.labels.size(), 0);
  for (const std::uint32_t code : factor.codes) {
    ++rows[code];
  }
  return rows;
}

Grouping::Grouping(const Dataset& data, const Factor& factor, const GroupTerm& term)
    : Grouping(data, factor, term, LevelShard(single_process(), rows_of_levels(factor)),
               RowNumbers(factor.codes.size())) {}

Grouping::Grouping(const Dataset& data, const Factor& factor, const GroupTerm& term,
                   LevelShard shard, RowNumbers numbers)
    : shard_(std::move(shard)),
      numbers_(std::move(numbers)),
      codes_(factor.codes),
      first_(factor.labels.size() + 1, 0),
      rows_(factor.codes.size()) {
  require_few_varying(term);
  if (term.intercept) {
    columns_.push_back(kIntercept);
  }
  for (const std::string& slope : term.slopes) {
    columns_.push_back(slope_column(data, term, slope));
  }
  for (const std::uint32_t code : codes_) {
    ++first_[code + 1];
  }
  for (std::size_t level = 0; level < levels(); ++level) {
    first_[level + 1] += first_[level];
  }
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    rows_[next[codes_[row]]++] = static_cast<std::uint32_t>(row);
  }
}

}  // namespace flymc
