// Getting it right (Geweke 2004): redrawing the data given theta, all coins given both, and then
// applying the chain's kernels leaves the joint law of theta and data invariant, so theta keeps its
// prior. A chain that targets anything but the posterior of its data loses it.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_responses.hpp"
#include "support/exact_simulate.hpp"
#include "support/exact_stats.hpp"

namespace flymc::exact {
namespace {

// Four data with fixed rows and offsets; the tangents of MAP-tuned bounds touch at a fixed theta.
template <class M>
class JointSampler {
 public:
  JointSampler(M model, Index dimension, bool intercept, const Combination& choice)
      : model_(std::move(model)),
        dimension_(dimension),
        intercept_(intercept),
        choice_(choice),
        table_(table_of({1.3, -0.8, 0.5, 2.0}, {0, 0, 0, 0})) {
    table_.offset = {0.2, 0.0, -0.4, 0.1};
    anchor_.theta = Vector::LinSpaced(dimension, 0.4, -0.3);
    anchor_.precision = 1.5 * Matrix::Identity(dimension, dimension);
  }

  [[nodiscard]] Prior prior() const {
    return equal_prior(PriorKind::kNormal, static_cast<int>(dimension_), 0.2, 0.9);
  }

  // One redraw of the data and two iterations of the chain, at an address of their own.
  void advance(std::uint64_t step, Vector& theta) {
    Stream stream(step, 0, Purpose::kTest, 0);
    redraw(theta, stream);
    Dataset::Options options;
    options.intercept = intercept_;
    const Problem<M> problem{model_, prior(), Dataset(table_, options), 1.1};
    const Workbench<M> bench(problem, choice_, anchor_);
    ChainCore core(bench.parts({step, 0}), theta);
    const Tuning tuning{.step_size = 0.9, .dark_to_bright = 0.3};
    core.iterate(tuning);
    core.iterate(tuning);
    core.density().to_theta(core.current(), theta);
  }

 private:
  void redraw(const Vector& theta, Stream& stream) {
    const Index columns = intercept_ ? 2 : 1;
    Vector eta(dimension_ / columns);
    for (std::size_t n = 0; n < table_.rows; ++n) {
      for (Index k = 0; k < eta.size(); ++k) {
        eta[k] = table_.offset[n] + table_.x[n] * theta[columns * k + columns - 1] +
                 (intercept_ ? theta[columns * k] : 0.0);
      }
      table_.response.values[n] = draw_response(model_, eta, stream);
    }
  }

  M model_;
  Index dimension_;
  bool intercept_;
  Combination choice_;
  Table table_;
  Anchor anchor_;
};

template <class M>
void expect_prior_kept(JointSampler<M> sampler) {
  constexpr std::size_t kSteps = 60'000;
  const std::vector<PriorTerm> terms = sampler.prior().terms();
  Vector theta(static_cast<Index>(terms.size()));
  Stream stream(1, 0, Purpose::kInit, 0);
  sampler.prior().sample(stream, theta);
  std::vector<BatchMean> mean(terms.size(), BatchMean(kSteps));
  std::vector<BatchMean> second = mean;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    sampler.advance(step, theta);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const double centred = theta[static_cast<Index>(j)] - terms[j].location;
      mean[j].add(centred);
      second[j].add(centred * centred);
    }
  }
  for (std::size_t j = 0; j < terms.size(); ++j) {
    EXPECT_LT(std::abs(mean[j].z_score(0.0)), kZThreshold) << "theta[" << j << "]";
    EXPECT_LT(std::abs(second[j].z_score(terms[j].scale * terms[j].scale)), kZThreshold)
        << "variance of theta[" << j << "]: " << second[j].mean();
  }
}

class Geweke : public ::testing::TestWithParam<Combination> {};

TEST_P(Geweke, ThetaKeepsItsPriorWhenDataAreRedrawn) {
  const Combination& choice = GetParam();
  switch (choice.model) {
    case ModelChoice::kLogistic:
      return expect_prior_kept(JointSampler<Logistic>({}, 2, true, choice));
    case ModelChoice::kSoftmaxTwo:
      return expect_prior_kept(JointSampler<Softmax>(Softmax(2), 2, false, choice));
    case ModelChoice::kSoftmaxThree:
      return expect_prior_kept(JointSampler<Softmax>(Softmax(3), 3, false, choice));
    case ModelChoice::kStudentT:
      return expect_prior_kept(JointSampler<StudentT>(StudentT(4.0, 0.8), 2, true, choice));
    default:
      FAIL() << "no joint sampler of this model";
  }
}

// Every kernel with every model; z-updates, bounds and frames take turns.
std::vector<Combination> combinations() {
  constexpr ZChoice kZUpdates[] = {ZChoice::kImplicit, ZChoice::kShuffled, ZChoice::kImplicitLazy,
                                   ZChoice::kSequential, ZChoice::kRandom};
  std::vector<Combination> all;
  for (const ModelChoice model : {ModelChoice::kLogistic, ModelChoice::kSoftmaxTwo,
                                  ModelChoice::kSoftmaxThree, ModelChoice::kStudentT}) {
    for (std::size_t i = 0; i < 5; ++i) {
      all.push_back({.model = model,
                     .prior = PriorKind::kNormal,
                     .bound = i % 2 == 0 ? BoundKind::kMapTuned : BoundKind::kUntuned,
                     .z = kZUpdates[(i + static_cast<std::size_t>(model)) % 5],
                     .kernel = static_cast<KernelChoice>(i),
                     .frame = i % 3 == 0 ? FrameChoice::kPlain : FrameChoice::kWhitened});
    }
    all.push_back({.model = model, .z = ZChoice::kNone, .kernel = KernelChoice::kHmc});
    for (const KernelChoice kernel : {KernelChoice::kSplitHmc, KernelChoice::kElliptical}) {
      const bool split = kernel == KernelChoice::kSplitHmc;
      all.push_back({.model = model,
                     .bound = BoundKind::kLocal,
                     .z = split ? ZChoice::kShuffled : ZChoice::kImplicit,
                     .kernel = kernel,
                     .frame = FrameChoice::kOscillator,
                     .local = {.shells = {0.2, 1.0},
                               .beacons = split ? BeaconShare::kSome : BeaconShare::kNone}});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(AllModels, Geweke, ::testing::ValuesIn(combinations()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace flymc::exact
