// The theta-update of a model in which a row has several levels: Metropolis moves of (d, psi) given
// z, with the density of crossed_target.hpp.
//
//   levels   one free level after the other, given all else: N(mean, 1/(S_ll + 1/tau^2)) times the
//            rows that are evaluated. Without such a row it turns by an angle against a fresh
//            normal, which is exact; else split HMC in one dimension. Its own accept.
//   nests    a level up and all levels within it down by as much: rows stay as they are, priors
//            decide. One that takes a level over the edge of its region is rejected unseen.
//   block    along a few directions: what is common, free levels moving along as P says
//            (d_f -= X d_c), and all levels of a free term together. What a sweep of single levels
//            does slowly: fixed effects against means of factors, and these against each other.
//   scales   of each term: given u (centred), which rows do not enter, with correlations where its
//            coefficients have some; and psi together with u by a
//            map, theta(l) = centre + (l - l^) drift + e^((l - l^) power) xi at fixed xi, twice:
//            about the collapsed Gaussian, and about u = 0 in proportion to tau (not centred).
//            Of a normal response the sum of squares along the last map is a parabola in tau: one
//            product, and tau at fixed u/tau moves as often as it likes.
//   shared   what all rows share: given (beta, u), where tangents are a parabola of it; then along
//            with (beta, u), d += drift da, as the collapsed Gaussian's centre moves.
//   sigma    of a normal response, given (beta, u): a sum of squares. All moves before it are in
//            units of sigma: sums as for unit noise, precisions of priors times sigma^2.
//
// See docs/method/groups.md, Several factors.
#pragma once

#include <optional>
#include <vector>

#include "groups/crossed_target.hpp"
#include "groups/group_tuning.hpp"

namespace flymc {

// Which of them a step makes, for tests.
struct CrossedMoveSet {
  bool levels = true;
  bool nests = true;
  bool block = true;
  bool centred = true;
  bool collapsed = true;
  bool proportional = true;
  bool shared = true;        // given the coefficients
  bool shared_along = true;  // and along with them
  bool sigma = true;
};

// Directions that common coordinates and the terms of free levels move along.
class CrossedDirections {
 public:
  // REQUIRES: problem and bounds outlive this.
  explicit CrossedDirections(const CrossedSetting& setting);

  [[nodiscard]] Index count() const noexcept { return of_sums_.rows(); }
  // B t, and B'v.
  void expand(const Vector& t, Vector& out) const;
  [[nodiscard]] Vector pull(const Vector& v) const;
  // B'(S + sigma^2 Lambda(psi))B.
  [[nodiscard]] Matrix precision(const Vector& psi) const;

 private:
  const CrossedProblem& problem_;
  const CrossedRegion& region_;
  std::vector<Index> direction_of_term_;  // -1: its levels are common
  Matrix of_sums_;                        // with the prior of the fixed effects
  Matrix of_prior_;                       // that alone
  struct OfTerms {  // of one term, or of two whose coefficients are correlated
    Index one = 0;
    Index other = 0;
    Matrix products;
  };
  std::vector<OfTerms> of_terms_;
};

class CrossedMoves final : public GroupKernel {
 public:
  // REQUIRES: all outlive this; `target` is the density of every step.
  CrossedMoves(CrossedTarget& target, const GroupTuning& tuning, CrossedMoveSet moves = {});

  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  void sort_active();
  void mark_near(const CrossedPlace& here);
  void move_levels(Point& current, CrossedPlace& here, double angle, Stream& stream);
  // Its acceptance probability; nothing where no row was evaluated.
  [[nodiscard]] std::optional<double> move_level(Point& current, CrossedPlace& here,
                                                 std::size_t level, double angle, Stream& stream);
  // What its prior says of a level, given the other coefficients of that level: its precision, and
  // minus the gradient of its logarithm.
  struct LevelPrior {
    double lambda = 0.0;
    double pull = 0.0;
  };
  [[nodiscard]] LevelPrior prior_of(std::size_t level, const CrossedPlace& here) const noexcept;
  [[nodiscard]] bool leaves_at(std::size_t level, double step, CrossedPlace& here) const noexcept;
  // Sum over the local rows of a level that are outside where it moved by `step`, being itself
  // outside or not.
  [[nodiscard]] double sum_outside(std::size_t level, double step, bool leaves,
                                   const CrossedPlace& here);
  void take_step(std::size_t level, double step, bool leaves, CrossedPlace& here);
  void move_nests(CrossedPlace& here, double angle, Stream& stream);
  void move_block(Point& current, CrossedPlace& here, double angle, Stream& stream);
  void draw_scales_given_levels(Point& current, const CrossedPlace& here, const Coefficients& block,
                                Stream& stream);
  void draw_scale_in_proportion(Point& current, CrossedPlace& here, std::size_t term,
                                Stream& stream);
  void walk_shared(Point& current, CrossedPlace& here, Stream& stream);
  void move_shared_along(Point& current, CrossedPlace& here, Stream& stream);
  void draw_sigma_given_coefficients(Point& current, const CrossedPlace& here,
                                     Stream& stream) const;
  enum class Map { kCollapsed, kProportional };
  [[nodiscard]] double move_scale(Point& current, CrossedPlace& here, std::size_t term, Map map,
                                  Stream& stream);
  // What rows add there, and the place.
  void take_proposal(Point& current, CrossedPlace& here) noexcept;

  CrossedTarget& target_;
  const GroupTuning& tuning_;
  CrossedMoveSet moves_;
  CrossedDirections directions_;
  Matrix shared_step_;  // of a random walk
  // How often the scale of each term moves along a map: less where rows, not the prior, decide its
  // levels, and scales given these are as good.
  std::vector<double> map_share_;

  // Active rows level by level.
  struct Through {
    std::uint32_t active = 0;
    double weight = 0.0;
  };
  Buffer<std::uint32_t> starts_;
  Buffer<Through> through_;
  Buffer<double> u_;  // of active rows
  // Levels of rows that are outside.
  Buffer<char> near_;
  Buffer<std::uint32_t> near_levels_;
  MemberReader reader_;

  std::vector<Coefficients> block_of_;  // of each term: terms it is correlated with, and itself
  GroupScales::Precision of_levels_;
  Matrix lambda_;  // of terms, in units of 1/sigma^2
  double sigma_ = 1.0;
  CrossedPlace other_;
  Point proposal_;
  Vector step_;
  Vector force_;
  Buffer<double> values_;
};

}  // namespace flymc
