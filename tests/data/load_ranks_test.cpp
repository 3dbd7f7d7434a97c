// A table read by several ranks is the table that one process reads, each rank with its sections;
// and so is what is said of a mistake.
#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "data/load/checksum.hpp"
#include "data/load_support.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

using testing::on_ranks;
using testing::TempDir;

// The tables of all ranks, put together again.
Loaded load_on(int size, const LoadSpec& spec) {
  std::vector<Loaded> parts(static_cast<std::size_t>(size));
  on_ranks(size, [&](Ranks& ranks) {
    LoadSpec own = spec;
    own.ranks = &ranks;
    own.threads = 1;
    Loaded& part = parts[static_cast<std::size_t>(ranks.rank())];
    part = load(own);
    const Shard expected = Shard::spread(ranks, part.table.shard.rows());
    EXPECT_EQ(part.table.rows, expected.mine().size());
    EXPECT_EQ(part.table.shard.mine().first, expected.mine().first);
  });
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  Loaded all = parts[0];
  for (std::size_t r = 1; r < parts.size(); ++r) {
    const Table& part = parts[r].table;
    EXPECT_EQ(parts[r].note, all.note);
    EXPECT_EQ(part.columns, all.table.columns);
    EXPECT_EQ(part.response.labels, all.table.response.labels);
    all.table.rows += part.rows;
    append(all.table.x, part.x);
    append(all.table.response.values, part.response.values);
    append(all.table.weights, part.weights);
    append(all.table.offset, part.offset);
    append(all.table.trials, part.trials);
  }
  return all;
}

void expect_same(const Loaded& a, const Loaded& b) {
  EXPECT_EQ(a.note, b.note);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.table.rows, b.table.rows);
  EXPECT_EQ(a.table.columns, b.table.columns);
  EXPECT_EQ(a.table.levels, b.table.levels);
  EXPECT_TRUE(a.table.x == b.table.x);
  EXPECT_TRUE(a.table.response.values == b.table.response.values);
  EXPECT_EQ(a.table.response.labels, b.table.response.labels);
  EXPECT_TRUE(a.table.weights == b.table.weights);
  EXPECT_TRUE(a.table.offset == b.table.offset);
  EXPECT_TRUE(a.table.trials == b.table.trials);
  EXPECT_EQ(a.table.left_out, b.table.left_out);
  EXPECT_EQ(a.counts.rows, b.counts.rows);
}

// Every number of ranks puts its cuts elsewhere.
void expect_same_on_ranks(const LoadSpec& spec, const std::vector<int>& sizes = {2, 3, 4, 5, 7}) {
  const Loaded whole = load(spec);
  for (const int size : sizes) {
    SCOPED_TRACE(size);
    expect_same(load_on(size, spec), whole);
  }
}

void expect_same_refusal(const LoadSpec& spec) {
  std::string alone_says;
  try {
    (void)load(spec);
    ADD_FAILURE() << "loaded without an error";
  } catch (const Error& error) {
    alone_says = error.what();
  }
  for (const int size : {2, 3, 5, 11}) {
    std::mutex mutex;
    std::vector<std::string> said;
    on_ranks(size, [&](Ranks& ranks) {
      LoadSpec own = spec;
      own.ranks = &ranks;
      try {
        (void)load(own);
      } catch (const Error& error) {
        const std::scoped_lock lock(mutex);
        said.emplace_back(error.what());
      }
    });
    EXPECT_EQ(said, std::vector<std::string>(static_cast<std::size_t>(size), alone_says));
  }
}

// Rows of a number, a text that may hold line ends, separators and quotes, and a response.
std::string hostile_rows(std::uint64_t seed, std::uint64_t rows) {
  std::mt19937_64 draw(seed);
  const std::vector<std::string> texts = {
      "a", "\"b\"", "\"c\nd\"", "\"\"\"\n\"\"\"", "\",\n,\"", "\"e\"\"f\n\n\"", "\"\n\""};
  std::string text;
  for (std::uint64_t i = 0; i < rows; ++i) {
    text += std::to_string(i) + "," + texts[draw() % texts.size()] + "," +
            std::to_string(draw() % 2) + (draw() % 3 == 0 ? "\r\n" : "\n");
    text += draw() % 5 == 0 ? "\n" : "";
  }
  return text;
}

TEST(LoadRanks, QuotedLineEndsFallWhereTheyMay) {
  const TempDir dir;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const std::string path =
        dir.write("t.csv", "x,\"the\n\"\"text\"\"\",y\n" + hostile_rows(seed, 1 + seed % 9));
    expect_same_on_ranks({.path = path, .response = "y", .categorical = {"the\n\"text\""}},
                         {2, 3, 4, 5, 6, 7, 8, 9, 13});
  }
}

TEST(LoadRanks, PartsPackedOrNotAreDealtOut) {
  const TempDir dir;
  const std::string head = "x,text,y\n";
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    dir.write("a-" + std::to_string(seed) + ".csv", head + hostile_rows(seed, 7));
    dir.write("b-" + std::to_string(seed) + ".csv.gz",
              testing::gzip(head + hostile_rows(seed, 11)));
    dir.write("c-" + std::to_string(seed) + ".csv.zst",
              testing::zstd(head + hostile_rows(seed, 3)));
  }
  for (const char* const pattern : {"a-*", "b-*", "c-*", "*", "?-[23].*"}) {
    SCOPED_TRACE(pattern);
    expect_same_on_ranks({.path = dir / pattern, .response = "y", .categorical = {"text"}});
    const std::string alone_says = fingerprint_of_file(dir / pattern);
    on_ranks(
        3, [&](Ranks& ranks) { EXPECT_EQ(fingerprint_of_file(dir / pattern, ranks), alone_says); });
  }
}

TEST(LoadRanks, TextOfOneRankIsTextOfAll) {
  const TempDir dir;
  std::string text = "x,y\n";
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(i) + (i == 50 ? ",ten\n" : "," + std::to_string(i % 3) + "\n");
  }
  expect_same_on_ranks({.path = dir.write("t.csv", text), .response = "y"});
}

TEST(LoadRanks, FewerRowsThanRanks) {
  const TempDir dir;
  expect_same_on_ranks({.path = dir.write("t.csv", "x,y\n1,2"), .response = "y"}, {2, 3, 8, 20});
}

// More than one section, of which rows are left out: those that are left move.
std::string long_text(bool missing) {
  std::mt19937_64 draw(3);
  std::string text = "x;w;o;y;t\n";
  for (std::size_t i = 0; i < 3 * Shard::kSectionRows + 100; ++i) {
    const bool gap = missing && i < Shard::kSectionRows && draw() % 4 == 0;
    text += std::to_string(i) + ";" + std::to_string(draw() % 4) + ";" +
            (gap ? "NA" : std::to_string(draw() % 10)) + ";" + std::to_string(i % 7) + ";9\n";
  }
  return text;
}

TEST(LoadRanks, RowsThatAreLeftOutMoveTheOthers) {
  const TempDir dir;
  for (const bool missing : {false, true}) {
    SCOPED_TRACE(missing);
    LoadSpec spec{.path = dir.write("t.csv", long_text(missing)), .response = "y"};
    spec.offset = "o";
    spec.trials = "t";
    spec.missing = Missing::kDrop;
    expect_same_on_ranks(spec, {2, 4, 6});
    spec.weights = "w";
    expect_same_on_ranks(spec, {2, 4});
    expect_same_on_ranks({.path = dir / "t.csv",
                          .formula = "y ~ x + offset(log1p(o))",
                          .formulas = {{"sigma", "~ w + offset(I(o/2))"}},
                          .missing = Missing::kDrop},
                         {2, 4});
  }
}

TEST(LoadRanks, ArraysAreReadBySlices) {
  const TempDir dir;
  const std::size_t rows = 2 * Shard::kSectionRows + 77;
  std::vector<double> x(rows * 2);
  std::vector<double> y(rows);
  std::mt19937_64 draw(5);
  for (double& value : x) {
    value = static_cast<double>(draw() % 1000);
  }
  for (double& value : y) {
    value = static_cast<double>(draw() % 3);
  }
  const std::string shape = std::to_string(rows);
  LoadSpec spec{.path = dir.write("X.npy", testing::npy_f8("(" + shape + ", 2)", x)),
                .response = dir.write("y.npy", testing::npy_f8("(" + shape + ",)", y))};
  expect_same_on_ranks(spec, {2, 3, 4});
  x[2 * 70'000] = x[2 * 131'100 + 1] = std::numeric_limits<double>::quiet_NaN();
  dir.write("X.npy", testing::npy_f8("(" + shape + ", 2)", x));
  expect_same_refusal(spec);
  spec.missing = Missing::kDrop;
  spec.weights = spec.response;
  expect_same_on_ranks(spec, {2, 3, 4});
}

TEST(LoadRanks, ProductsThatOverflowAreToldByAll) {
  const TempDir dir;
  std::string text = "a,b,y\n";
  for (int i = 0; i < 50; ++i) {
    text += i == 10 ? "1e200,1e200,1\n" : "1,2,0\n";
  }
  expect_same_refusal({.path = dir.write("t.csv", text), .formula = "y ~ a:b"});
}

TEST(LoadRanks, TheFirstMistakeIsToldOnceAndAlike) {
  const TempDir dir;
  const auto with = [&](const std::string& row, const std::string& later) {
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i) {
      text += i == 17 ? row : i == 31 ? later : "1,2\n";
    }
    return LoadSpec{.path = dir.write("t.csv", text), .response = "y"};
  };
  expect_same_refusal(with("1,\n", ",1\n"));
  expect_same_refusal(with("1,2,3\n", "z,1\n"));
  expect_same_refusal(with("1,\n", "\"1\"x,1\n"));
  expect_same_refusal(with("\"1,1\n", ",1\n"));
  expect_same_refusal(with("inf,1\n", "text,1\n"));
  expect_same_refusal({.path = dir.write("t.csv", "x,y\n\n\n\n\n\n\n"), .response = "y"});
  expect_same_refusal({.path = dir.write("t.csv", "x,y\n1,2\n"), .response = "z"});
  expect_same_refusal({.path = dir / "none.csv", .response = "z"});
}

TEST(LoadRanks, ABadPartIsNamed) {
  const TempDir dir;
  for (const char* const name : {"p1.csv", "p2.csv", "p3.csv", "p4.csv"}) {
    dir.write(name, "x,y\n1,2\n3,4\n5,6\n7,8\n");
  }
  const LoadSpec spec{.path = dir / "p*.csv", .response = "y"};
  dir.write("p3.csv", "x,y\n1,2\n3,4\n5,oh dear,6\n7,8\n");
  expect_same_refusal(spec);
  dir.write("p3.csv", "x,z\n1,2\n");
  expect_same_refusal(spec);
  dir.write("p3.csv", "");
  expect_same_refusal(spec);
  dir.write("p3.csv.gz", testing::gzip("x,y\n1,2\n").substr(0, 20));
  expect_same_refusal({.path = dir / "p*.csv.gz", .response = "y"});
}

TEST(LoadRanks, WhatCannotBeSharedIsRefusedWithARemedy) {
  const TempDir dir;
  const auto refusal_of = [&](const std::string& path) {
    std::string said;
    std::mutex mutex;
    on_ranks(2, [&](Ranks& ranks) {
      const auto refused = testing::refusal(dir, {.path = path, .response = "", .ranks = &ranks});
      const std::scoped_lock lock(mutex);
      EXPECT_EQ(refused.kind, ErrorKind::kUsage);
      said = refused.message;
    });
    return said;
  };
  EXPECT_EQ(refusal_of("-"), "-: several ranks cannot share standard input; save the data first.");
  EXPECT_EQ(refusal_of(dir.write("t.csv.gz", testing::gzip("x,y\n1,2\n"))),
            "t.csv.gz is compressed: several ranks cannot share one such file; unpack it, or make "
            "a .fly with flymc convert.");
  EXPECT_EQ(refusal_of(dir.write("t.svm", "1 1:2\n")),
            "t.svm is libsvm; several ranks share csv, tsv, npy and .fly: make a .fly with flymc "
            "convert.");
}

}  // namespace
}  // namespace flymc
