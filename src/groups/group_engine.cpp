#include "groups/group_engine.hpp"

#include <utility>

#include "data/table/group_terms.hpp"

namespace flymc {
namespace {

// Of rows that belong to levels as `Rows` says.
template <class Rows, class Problem, class Bounds, class Setting>
class EngineOf final : public GroupEngine {
 public:
  // make(problem, options) are the bounds.
  template <class Make>
  EngineOf(Rows rows, const GroupModel& model, const Make& make, GroupOptions options,
           bool may_be_regular, std::uint64_t seed)
      : rows_(std::move(rows)),
        problem_{model.data, rows_, model.model, model.prior, model.scales},
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
  Rows rows_;
  Problem problem_;
  Bounds bounds_;
  Setting setting_;
  GroupTuning tuning_;
};
using ArrowEngine = EngineOf<Grouping, GroupProblem, GroupBounds, GroupSetting>;
using NormalEngine = EngineOf<Grouping, GroupProblem, NormalArrow, NormalSetting>;
using CrossedEngine = EngineOf<Memberships, CrossedProblem, CrossedBounds, CrossedSetting>;

}  // namespace

std::unique_ptr<const GroupEngine> make_group_engine(const GroupModel& model, GroupOptions options,
                                                     bool may_be_regular, std::uint64_t seed) {
  const std::vector<Factor>& factors = model.data.factors();
  if (is_crossed(model.terms)) {
    const auto make = [&](const CrossedProblem& problem, const GroupOptions& how) {
      return make_crossed_bounds(problem, model.start, {.rows = how});
    };
    return std::make_unique<CrossedEngine>(Memberships(model.data, factors, model.terms), model,
                                           make, options, may_be_regular, seed);
  }
  Grouping grouping(model.data, factors.front(), model.terms.front());
  if (model.model.is_gaussian()) {
    const auto make = [&](const GroupProblem& problem, const GroupOptions& how) {
      return NormalArrow(problem, model.start, how.threads);
    };
    return std::make_unique<NormalEngine>(std::move(grouping), model, make, options, may_be_regular,
                                          seed);
  }
  const auto make = [&](const GroupProblem& problem, const GroupOptions& how) {
    return make_group_bounds(problem, model.start, how);
  };
  return std::make_unique<ArrowEngine>(std::move(grouping), model, make, options, may_be_regular,
                                       seed);
}

}  // namespace flymc
