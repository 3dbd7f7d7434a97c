// A chain restored from the bytes of its checkpoint is the chain itself; damaged bytes are refused.
#include "chain/checkpoint.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"
#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

const Combination kLocal{.bound = BoundKind::kLocal,
                         .z = ZChoice::kWeighted,
                         .kernel = KernelChoice::kSplitHmc,
                         .frame = FrameChoice::kOscillator,
                         .local = {.beacons = BeaconShare::kSome, .name = "beacons"}};
const Combination kPaper{
    .z = ZChoice::kImplicit, .kernel = KernelChoice::kMala, .frame = FrameChoice::kPlain};
const Combination kRegular{
    .z = ZChoice::kNone, .kernel = KernelChoice::kHmc, .frame = FrameChoice::kPlain};

// Keeps every draw, every checkpoint asked for, and the tally.
class Recorder final : public Sink {
 public:
  explicit Recorder(BrightTally tally = {}) : tally_(std::move(tally)) {}
  void accept(const Draw& draw) override {
    draws.insert(draws.end(), draw.theta.begin(), draw.theta.end());
    draws.push_back(draw.log_density);
    draws.push_back(static_cast<double>(draw.queries));
    if (draw.coins != nullptr) {
      tally_.add(*draw.coins);
    }
  }
  void keep(const ChainState& state, const RunSummary& summary) override {
    Checkpoint now;
    now.seed = 7;
    now.chain = 1;
    now.state = state;
    now.summary = summary;
    now.tally = tally_;
    now.mark = draws.size();
    kept = to_bytes(now);
  }
  [[nodiscard]] const BrightTally& tally() const { return tally_; }

  std::vector<double> draws;
  std::string kept;

 private:
  BrightTally tally_;
};

class CheckpointOf : public ::testing::TestWithParam<Combination> {
 protected:
  [[nodiscard]] Chain fresh() const {
    RunSummary summary;
    return warm_up(bench_.warmup_chain({7, 1}), {.warmup = 400}, {}, summary, nullptr);
  }

  const Problem<Logistic> problem_ = simulated_logistic(60, 2, 1.5, 1.0);
  const Workbench<Logistic> bench_{problem_, GetParam()};
};

TEST_P(CheckpointOf, RestoredFromBytesAChainGoesOnBitForBit) {
  Chain whole = fresh();
  Recorder undisturbed;
  RunSummary all;
  sample(whole, {.draws = 200}, {}, undisturbed, all);

  Chain chain = fresh();
  Recorder first;
  RunSummary summary;
  sample(chain, {.draws = 60}, {}, first, summary);
  std::atomic<bool> due{true};
  sample(chain, {.draws = 61}, {.keep_due = &due}, first, summary);
  EXPECT_FALSE(due.load());

  Checkpoint kept = parse_checkpoint(first.kept, "chain-1.ckpt");
  EXPECT_EQ(kept.mark, first.draws.size());
  Chain restored(bench_.parts({7, 1}), kept.state);
  Recorder second(kept.tally);
  sample(restored, {.draws = 200}, {}, second, kept.summary);
  first.draws.insert(first.draws.end(), second.draws.begin(), second.draws.end());
  EXPECT_EQ(first.draws, undisturbed.draws);
  EXPECT_EQ(kept.summary.iterations, all.iterations);
  EXPECT_EQ(kept.summary.queries_z, all.queries_z);
  EXPECT_EQ(kept.summary.mean_bright, all.mean_bright);
  EXPECT_EQ(second.tally().counts(), undisturbed.tally().counts());
  EXPECT_EQ(second.tally().draws(), undisturbed.tally().draws());
}

TEST_P(CheckpointOf, BytesThatEndTooEarlyOrAreDamagedAreRefused) {
  Chain chain = fresh();
  Recorder recorder;
  RunSummary summary;
  sample(chain, {.draws = 20}, {}, recorder, summary);
  recorder.keep(chain.state(), summary);
  const std::string good = recorder.kept;
  ASSERT_NO_THROW(std::ignore = parse_checkpoint(good, "c"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_THROW(std::ignore = parse_checkpoint(damaged, "c"), Error) << "byte " << i;
    EXPECT_THROW(std::ignore = parse_checkpoint(good.substr(0, i), "c"), Error) << "cut at " << i;
  }
}

TEST_P(CheckpointOf, StateOfAnotherProblemDoesNotFit) {
  Chain chain = fresh();
  const ChainParts parts = bench_.parts({7, 1});
  EXPECT_TRUE(fits(chain.state(), parts));
  ChainState wrong = chain.state();
  wrong.current.zeta.conservativeResize(1);
  EXPECT_FALSE(fits(wrong, parts));
  wrong = chain.state();
  wrong.bright.push_back(60);
  wrong.current.log_factors.push_back(0.0);
  EXPECT_FALSE(fits(wrong, parts));
  wrong = chain.state();
  wrong.bright.assign(2, 3);
  wrong.current.log_factors.resize(2);
  EXPECT_FALSE(fits(wrong, parts));
}

INSTANTIATE_TEST_SUITE_P(Engines, CheckpointOf, ::testing::Values(kLocal, kPaper, kRegular),
                         [](const auto& test) { return name_of(test.param); });

std::string with_crc(std::string body) {
  const auto crc = static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
  return body.append(reinterpret_cast<const char*>(&crc), sizeof crc);
}

// The bytes of a checkpoint, its CRC taken off.
std::string body_of(const Checkpoint& checkpoint) {
  const std::string bytes = to_bytes(checkpoint);
  return bytes.substr(0, bytes.size() - sizeof(std::uint32_t));
}

TEST(CheckpointBytes, TheSameTallyIsTheSameBytesInWhateverOrderItWasCounted) {
  Checkpoint one;
  one.tally.restore({{1, 2}, {7, 3}, {5, 4}}, 10);
  Checkpoint other;
  BrightTally::Counts counts;
  counts.reserve(1000);
  counts = {{5, 4}, {7, 3}, {1, 2}};
  other.tally.restore(counts, 10);
  EXPECT_EQ(to_bytes(one), to_bytes(other));
  EXPECT_EQ(to_bytes(parse_checkpoint(to_bytes(one), "c")), to_bytes(one));
}

// Forged: the CRC is right.
TEST(CheckpointBytes, TallyOfOneDatumTwiceAndForcesWithoutRowsAreRefused) {
  Checkpoint tallied;
  tallied.tally.restore({{1, 2}, {2, 3}}, 10);
  std::string body = body_of(tallied);
  ASSERT_NO_THROW(std::ignore = parse_checkpoint(with_crc(body), "c"));
  // From the back: mark, two counts and their number, then the second datum.
  const std::size_t second = body.size() - 8 - 2 * 8 - 8 - sizeof(Datum);
  ASSERT_EQ(body[second], 2);
  body[second] = 1;
  EXPECT_THROW(std::ignore = parse_checkpoint(with_crc(body), "c"), Error);

  Checkpoint forced;
  forced.state.current.forces = Matrix::Constant(3, 1, 0.5);
  body = body_of(forced);
  const std::size_t rows = body.find(std::string("\3\0\0\0\0\0\0\0", 8));
  ASSERT_NE(rows, std::string::npos);
  body[rows] = 0;
  EXPECT_THROW(std::ignore = parse_checkpoint(with_crc(body), "c"), Error);
}

TEST(Bytes, LengthThatIsALieIsRefusedBeforeAnythingIsAllocated) {
  ByteWriter out;
  out.put(std::uint64_t{1} << 62U);
  ByteReader in(out.bytes());
  std::vector<double> values;
  EXPECT_THROW(in.get_all(values), std::out_of_range);
}

TEST(BrightTally, MostOftenBrightComeFirstAndTiesByNumber) {
  BrightTally tally;
  tally.restore({{7, 3}, {2, 3}, {9, 8}, {1, 1}}, 10);
  const auto first = tally.brightest(3);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0].datum, 9U);
  EXPECT_DOUBLE_EQ(first[0].share, 0.8);
  EXPECT_EQ(first[1].datum, 2U);
  EXPECT_EQ(first[2].datum, 7U);
  BrightTally more;
  more.restore({{1, 9}}, 10);
  tally.add(more);
  EXPECT_EQ(tally.brightest(1)[0].datum, 1U);
  EXPECT_DOUBLE_EQ(tally.brightest(1)[0].share, 0.5);
}

}  // namespace
}  // namespace flymc::exact
