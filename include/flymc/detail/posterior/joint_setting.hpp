// What all chains of a run share about the joint density: the bounds, and what is left of it when
// every coin is dark. Immutable but for shells and rows made on demand.
#pragma once

#include "flymc/detail/posterior/dark_setting.hpp"
#include "flymc/detail/posterior/framed_rows.hpp"
#include "flymc/detail/posterior/shell_finder.hpp"
#include "flymc/detail/posterior/wider_shells.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointSetting {
 public:
  // All outlive this.
  JointSetting(const M& the_model, const Prior& prior, const Dataset& the_data,
               const Bounds& the_bounds, const Frame& frame)
      : bounds(the_bounds),
        finder(bounds.tangents, the_data, frame),
        wider(the_model, the_data, bounds),
        dark(the_model, prior, the_data, {bounds.tangents, bounds.gaussian, bounds.beacons, &wider},
             frame),
        framed_rows(keeps_rows() ? the_data.rows() : 0, the_data.columns()) {}
  JointSetting(const JointSetting&) = delete;  // the dark part refers to the shells
  JointSetting& operator=(const JointSetting&) = delete;

  [[nodiscard]] BrightRows::Facts facts(const RemoteRow& n) const noexcept {
    return dark.gatherer.facts(n, bounds.coins.slack(n.rate));
  }

  const Bounds& bounds;
  ShellFinder finder;
  ShellSums<M> wider;  // made before the dark part, which refers to it
  DarkSetting<M> dark;
  mutable FramedRows framed_rows;  // of data that have been bright

 private:
  [[nodiscard]] bool keeps_rows() const {
    return dark.gatherer.framed_rows() && !dark.frame.is_plain() &&
           keeping_rows_pays(bounds.coins.expected_bright, dark.data.rows(), dark.data.columns());
  }
};

}  // namespace flymc
