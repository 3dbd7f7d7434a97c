#include "groups/group_engine.hpp"

#include <utility>

#include "data/table/group_terms.hpp"

namespace flymc {
namespace {

// Of rows that belong to levels as `Rows` says.
template <class Rows, class Problem, class Bounds, class Setting>
class EngineOf final : public GroupEngine {
 public:
  // make(problem, options) are the bounds. `data`: what `rows` are of; null: the model's.
  template <class Make>
  EngineOf(std::unique_ptr<const Dataset> data, Rows rows, const GroupModel& model,
           const Make& make, GroupOptions options, bool may_be_regular, std::uint64_t seed)
      : data_(std::move(data)),
        rows_(std::move(rows)),
        problem_{data_ ? *data_ : model.data, rows_, model.model, model.prior, model.scales},
        bounds_(make(problem_, options)),
        setting_{problem_, bounds_} {
    constexpr double kMostBent = 10.0;
    const bool creeps = 2 * bounds_.beacons > bounds_.rows() || bounds_.shared_bent > kMostBent;
    if (may_be_regular && creeps && bounds_.beacons < bounds_.rows()) {
      options.all_beacons = true;
      bounds_ = make(problem_, options);
    }
    tuning_ = tune_groups(setting_, seed, pilot_queries_);
  }

  [[nodiscard]] const RowBounds& bounds() const noexcept override { return bounds_; }
  [[nodiscard]] ChainParts make_parts(Streams streams) const override {
    return make_group_parts(setting_, tuning_, streams);
  }
  [[nodiscard]] Vector start(Stream stream) const override {
    return group_start(setting_, tuning_, stream);
  }

 private:
  std::unique_ptr<const Dataset> data_;
  Rows rows_;
  Problem problem_;
  Bounds bounds_;
  Setting setting_;
};
using ArrowEngine = EngineOf<Grouping, GroupProblem, GroupBounds, GroupSetting>;
using NormalEngine = EngineOf<Grouping, GroupProblem, NormalArrow, NormalSetting>;
using CrossedEngine = EngineOf<Memberships, CrossedProblem, CrossedBounds, CrossedSetting>;

// The levels of one factor; where ranks share the rows, with those of this rank's levels.
struct DealtLevels {
  std::unique_ptr<const Dataset> data;
  Grouping grouping;
};
DealtLevels dealt_levels(const GroupModel& model) {
  const Factor& factor = model.data.factors().front();
  const GroupTerm& term = model.terms.front();
  if (!model.data.shard().is_split()) {
    return {nullptr, Grouping(model.data, factor, term)};
  }
  Ranks& ranks = model.data.shard().ranks();
  std::vector<std::uint64_t> rows = rows_of_levels(factor);
  add_up(ranks, rows);
  LevelShard shard(ranks, rows);
  std::vector<int> owners(factor.labels.size());
  for (std::size_t level = 0; level < owners.size(); ++level) {
    owners[level] = shard.owner(level);
  }
  std::vector<int> to;
  for (const std::uint32_t level : factor.codes) {
    to.push_back(owners[level]);
  }
  std::vector<Datum> numbers;
  auto data = std::make_unique<const Dataset>(model.data.deal(to, numbers));
  Grouping grouping(*data, data->factors().front(), term, std::move(shard),
                    RowNumbers(ranks, std::move(numbers)));
  return {std::move(data), std::move(grouping)};
}

}  // namespace

std::unique_ptr<const GroupEngine> make_group_engine(const GroupModel& model, GroupOptions options,
                                                     bool may_be_regular, std::uint64_t seed) {
  const std::vector<Factor>& factors = model.data.factors();
  if (is_crossed(model.terms)) {
    const auto make = [&](const CrossedProblem& problem, const GroupOptions& how) {
      return make_crossed_bounds(problem, model.start, {.rows = how});
    };
    return std::make_unique<CrossedEngine>(nullptr, Memberships(model.data, factors, model.terms),
                                           model, make, options, may_be_regular, seed);
  }
  auto [data, grouping] = dealt_levels(model);
  if (model.model.is_gaussian()) {
    const auto make = [&](const GroupProblem& problem, const GroupOptions& how) {
      return NormalArrow(problem, model.start, how.threads);
    };
    return std::make_unique<NormalEngine>(std::move(data), std::move(grouping), model, make,
                                          options, may_be_regular, seed);
  }
  const auto make = [&](const GroupProblem& problem, const GroupOptions& how) {
    return make_group_bounds(problem, model.start, how);
  };
  return std::make_unique<ArrowEngine>(std::move(data), std::move(grouping), model, make, options,
                                       may_be_regular, seed);
}

}  // namespace flymc
