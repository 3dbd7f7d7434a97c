// Damaged files load or are refused with an Error; nothing else may happen.
#include <cmath>
#include <random>

#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::npy_f8;
using testing::npz;
using testing::TempDir;

constexpr int kMutations = 1500;

// Overwrites, inserts, removes or repeats a few bytes; the bytes tend to be ones that mean
// something.
std::string mutated(std::string bytes, std::mt19937_64& rng) {
  constexpr std::string_view kTelling = "\",\n\r\t 019.-+eENa\0\xFF\x93()'";
  for (std::size_t edits = 1 + rng() % 4; edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = rng() % bytes.size();
    const char c = rng() % 2 == 0 ? kTelling[rng() % kTelling.size()] : static_cast<char>(rng());
    switch (rng() % 5) {
      case 0:
        bytes.insert(at, 1, c);
        break;
      case 1:
        bytes.erase(at, 1 + rng() % 8);
        break;
      case 2:
        bytes.insert(at, bytes.substr(rng() % bytes.size(), rng() % 40));
        break;
      case 3:
        bytes.resize(rng() % 20 == 0 ? at : bytes.size());
        break;
      default:
        bytes[at] = c;
    }
  }
  return bytes;
}

void expect_sound(const Table& table) {
  const std::size_t n = table.rows;
  ASSERT_GT(n, 0U);
  ASSERT_EQ(table.x.size(), n * table.columns.size());
  ASSERT_EQ(table.response.values.size(), table.response.name.empty() ? 0 : n);
  for (const double value : table.x) {
    ASSERT_TRUE(std::isfinite(value));
  }
  for (const double value : table.response.values) {
    ASSERT_TRUE(std::isfinite(value));
    ASSERT_TRUE(table.response.labels.empty() ||
                value < static_cast<double>(table.response.labels.size()));
  }
}

// The text of the outcome: equal for any number of threads and any chunks.
std::string outcome(const LoadSpec& spec) {
  try {
    const Loaded loaded = load(spec);
    expect_sound(loaded.table);
    return loaded.note;
  } catch (const Error& error) {
    return error.what();
  }
}

class Mutation : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Mutation, LoadsOrThrowsError) {
  const auto& [name, original] = GetParam();
  const TempDir dir;
  std::mt19937_64 rng(20240607);
  for (int i = 0; i < kMutations; ++i) {
    LoadSpec spec{.path = dir.write(name, mutated(original, rng)), .response = "y", .threads = 1};
    spec.missing = i % 2 == 0 ? Missing::kDrop : Missing::kError;
    if (name.ends_with(".svm")) {
      spec.response = "";
      spec.weights = "x1";
      spec.chunk_bytes = 16;
    } else if (name.ends_with(".npy")) {
      spec.response = dir.write("y.npy", npy_f8("(4,)", {1, 0, 1, 0}));
    } else if (name.ends_with(".csv")) {
      spec.categorical = {"city"};
      spec.weights = "w";
      spec.chunk_bytes = 16;
    }
    const std::string once = outcome(spec);
    EXPECT_EQ(once.find('\n'), std::string::npos) << once;
    if (i % 10 == 0) {
      spec.threads = 3;
      EXPECT_EQ(outcome(spec), once);
    }
  }
}

const std::string kCsv =
    "w,age,city,y\r\n1,20,\"Paris, "
    "\"\"FR\"\"\",yes\r\n0.5,31.5,Rome,no\n2,-4e1,\"two\nlines\",yes\n"
    "0,7,Rome,no\n,8,NA,yes\n1,9,Oslo,no";
const std::string kSvm = "1 1:2 3:0.5 # c\n-1 qid:3 1:1\r\n+1 0:4 1:1 2:1e3\n\n0 2:nan\n2 1:1";
const std::string kX = npy_f8("(4, 2)", {1, 2, 3, 4, 5, 6, 7, 8});
const std::string kY = npy_f8("(4,)", {1, 0, 1, 0});

INSTANTIATE_TEST_SUITE_P(
    Formats, Mutation,
    ::testing::Values(std::pair{std::string("t.csv"), kCsv},
                      std::pair{std::string("t.gz"), testing::gzip(kCsv)},
                      std::pair{std::string("t.svm"), kSvm}, std::pair{std::string("X.npy"), kX},
                      std::pair{std::string("stored.npz"), npz({{"X", kX}, {"y", kY}}, false)},
                      std::pair{std::string("packed.npz"), npz({{"X", kX}, {"y", kY}}, true)},
                      std::pair{std::string("zip64.npz"),
                                npz({{"X", kX}, {"y", kY}}, true, true)}));

}  // namespace
}  // namespace flymc
