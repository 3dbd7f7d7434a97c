#include "groups/arrow_pass.hpp"

namespace flymc {

PieceSums fold(const std::vector<PieceSums>& pieces, ArrowSums& sums) {
  PieceSums total(sums.shape);
  for (const PieceSums& piece : pieces) {
    total.s += piece.s;
    total.r += piece.r;
    total.v += piece.v;
    total.shared_slope += piece.shared_slope;
    total.shared_bend += piece.shared_bend;
    total.value += piece.value;
    total.beacons += piece.beacons;
  }
  sums.s = total.s;
  sums.r = total.r;
  sums.v = total.v;
  sums.shared_slope = total.shared_slope;
  sums.shared_bend = total.shared_bend;
  return total;
}

}  // namespace flymc
