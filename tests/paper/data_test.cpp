#include "paper/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "data/load_support.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/random.hpp"
#include "support/real_data.hpp"

namespace flymc::paper {
namespace {

using flymc::testing::gzip;
using flymc::testing::npy;
using flymc::testing::npy_f8;
using flymc::testing::TempDir;

std::string big(std::size_t value) {
  const std::string bytes = flymc::testing::little(value, 4);
  return {bytes.rbegin(), bytes.rend()};
}

std::string noise(std::size_t count, unsigned values) {
  Stream stream(5, 0, Purpose::kTest, 0);
  std::string bytes(count, '\0');
  std::generate(bytes.begin(), bytes.end(),
                [&] { return static_cast<char>(stream.below(values)); });
  return bytes;
}

std::string images(std::size_t count) {
  return big(2051) + big(count) + big(28) + big(28) + noise(count * 784, 256);
}

// Digits 0, 1, ..., 9, 0, ...: of 400 there are 40 sevens and 40 nines.
std::string labels(std::size_t count) {
  std::string bytes = big(2049) + big(count);
  for (std::size_t n = 0; n < count; ++n) {
    bytes += static_cast<char>(n % 10);
  }
  return bytes;
}

class PaperFolder : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(dir_ / name).parent_path());
    dir_.write(name, bytes);
  }
  void put_mnist(std::size_t count = 400) const {
    put("mnist/train-images-idx3-ubyte.gz", gzip(images(count)));
    put("mnist/train-labels-idx1-ubyte", labels(count));
  }
  void put_cifar(const std::string& x, const std::string& y) const {
    put("cifar3/X.npy", npy("|u1", "(30, 256)", x));
    put("cifar3/y.npy", npy("|u1", "(30,)", y));
  }
  void put_opv(const std::string& part) const {
    Stream stream(9, 0, Purpose::kTest, 0);
    std::vector<double> x(200 * 57);
    std::generate(x.begin(), x.end(), [&] { return 3.0 + 2.0 * stream.normal(); });
    std::vector<double> y(200);
    for (std::size_t n = 0; n < 200; ++n) {
      x[n * 57 + 4] = 0.1;  // never changes
      y[n] = 1.0 + x[n * 57] + 0.1 * stream.normal();
    }
    put(part + "/X.npy", npy_f8("(200, 57)", x));
    put(part + "/y.npy", npy_f8("(200,)", y));
  }
  [[nodiscard]] PaperData read(Experiment experiment, const PaperDataOptions& options = {}) const {
    return load_experiment(experiment, dir_ / "", options);
  }
  // One line that holds all of `texts`.
  void expect_refused(Experiment experiment, ErrorKind kind,
                      const std::vector<std::string>& texts) const {
    try {
      (void)read(experiment);
      ADD_FAILURE() << "read, instead of: " << texts[0];
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.kind(), kind) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
      for (const std::string& text : texts) {
        EXPECT_NE(message.find(text), std::string::npos) << message << "\nlacks: " << text;
      }
    }
  }

  TempDir dir_;
};

TEST_F(PaperFolder, MnistIsTheComponentsOfSevensAndNines) {
  put_mnist();
  const PaperData data = read(Experiment::kMnist);
  EXPECT_FALSE(data.simulated);
  EXPECT_EQ(data.table.rows, 80U);
  EXPECT_EQ(data.table.columns.front(), "pc1");
  EXPECT_EQ(data.table.columns.back(), "pc50");
  EXPECT_EQ(data.table.response.name, "digit");
  EXPECT_EQ(data.table.response.labels, (std::vector<std::string>{"7", "9"}));
  const auto& digits = data.table.response.values;
  EXPECT_EQ(std::count(digits.begin(), digits.end(), 1.0), 40);
  EXPECT_EQ(digits[0], 0.0);  // item 7 is the first seven, item 9 the first nine
  EXPECT_EQ(digits[1], 1.0);
  // The components keep the units of pixels / 255: uniform noise of variance about 1/12 a pixel.
  const ColumnMoments moments = column_moments(data.table, 1);
  EXPECT_LT(moments.mean.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(moments.sd.minCoeff(), std::sqrt(0.5 / 12.0));
  EXPECT_LT(moments.sd.maxCoeff(), std::sqrt(30.0 / 12.0));
}

TEST_F(PaperFolder, ASubsetOfMnistHasRowsOfTheWholeWithTheirDigits) {
  put_mnist();
  const Table all = read(Experiment::kMnist).table;
  const Table some = read(Experiment::kMnist, {.rows = 30, .seed = 4}).table;
  ASSERT_EQ(some.rows, 30U);
  ASSERT_EQ(some.x.size(), 30U * 50U);
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < some.rows; ++i) {
    for (std::size_t n = 0; n < all.rows; ++n) {
      if (std::equal(&some.x[i * 50], &some.x[i * 50] + 50, &all.x[n * 50])) {
        found.insert(n);
        EXPECT_EQ(some.response.values[i], all.response.values[n]);
      }
    }
  }
  EXPECT_EQ(found.size(), 30U);
  EXPECT_EQ(some.x, read(Experiment::kMnist, {.rows = 30, .seed = 4}).table.x);
  EXPECT_NE(some.x, read(Experiment::kMnist, {.rows = 30, .seed = 5}).table.x);
}

TEST_F(PaperFolder, MnistThatDoesNotFitTogetherIsRefused) {
  put_mnist();
  put("mnist/train-labels-idx1-ubyte", labels(399));
  expect_refused(Experiment::kMnist, ErrorKind::kData, {"399 labels", "400 images"});
  put("mnist/train-labels-idx1-ubyte", images(1));
  expect_refused(Experiment::kMnist, ErrorKind::kData, {"magic number 2051; expected 2049"});
  put_mnist(200);
  expect_refused(Experiment::kMnist, ErrorKind::kData, {"40 images of a 7 or a 9", "50"});
  put("mnist/train-images-idx3-ubyte.gz", gzip(images(200)).substr(0, 5000));
  expect_refused(Experiment::kMnist, ErrorKind::kData, {"train-images-idx3-ubyte.gz", "cut short"});
  put("mnist/train-images-idx3-ubyte.gz", big(2051) + big(2) + big(1) + big(3) + "sixsix");
  expect_refused(Experiment::kMnist, ErrorKind::kData, {"1 x 3 pixels; expected 28 x 28"});
}

TEST_F(PaperFolder, SixtyThousandImagesMustHoldTheKnownSevensAndNines) {
  put("mnist/train-images-idx3-ubyte",
      big(2051) + big(60000) + big(28) + big(28) + std::string(60000 * 784, '\0'));
  put("mnist/train-labels-idx1-ubyte", labels(60000));
  expect_refused(Experiment::kMnist, ErrorKind::kData,
                 {"6000 sevens and 6000 nines; MNIST has 6265 and 5949"});
}

TEST_F(PaperFolder, WhatIsMissingIsNamedWithItsPlaceAndTheWayWithout) {
  for (const Experiment experiment : {Experiment::kMnist, Experiment::kCifar, Experiment::kOpv}) {
    expect_refused(experiment, ErrorKind::kNoInput,
                   {"no such file; put ", " into " + (dir_ / ""), "leave --data out"});
    EXPECT_THROW((void)load_experiment(experiment, dir_ / "absent", {}), Error);
  }
  put("mnist/train-images-idx3-ubyte", images(400));
  expect_refused(Experiment::kMnist, ErrorKind::kNoInput,
                 {"mnist/train-labels-idx1-ubyte.gz: no such file"});
  put("qm9gap/X.npy", npy_f8("(1, 57)", std::vector<double>(57)));
  expect_refused(Experiment::kOpv, ErrorKind::kNoInput, {"qm9gap/y.npy: no such file"});
  try {
    (void)load_experiment(Experiment::kOpv, dir_ / "mnist/train-images-idx3-ubyte", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNoInput);
  }
}

TEST_F(PaperFolder, CifarIsCodesAndThreeClasses) {
  const std::string x = noise(30 * 256, 2);
  const std::string y = std::string("\0\1\2", 3) + noise(27, 3);
  put_cifar(x, y);
  const PaperData data = read(Experiment::kCifar, {.rows = 20});
  EXPECT_EQ(data.table.rows, 20U);
  EXPECT_EQ(data.table.x.size(), 20U * 256U);
  EXPECT_EQ(data.table.x[300], static_cast<double>(x[300]));
  EXPECT_EQ(data.table.response.values.size(), 20U);
  EXPECT_NE(data.source.find("the first 20 of 30 rows"), std::string::npos) << data.source;
}

TEST_F(PaperFolder, CifarOfAnotherShapeOrOtherNumbersIsRefused) {
  const std::string x = noise(30 * 256, 2);
  const std::string y = std::string("\0\1\2", 3) + noise(27, 3);
  std::string bad_code = x;
  bad_code[257] = 2;
  put_cifar(bad_code, y);
  expect_refused(Experiment::kCifar, ErrorKind::kData,
                 {"X.npy: row 2, column 2 is 2; expected 0 or 1"});
  put_cifar(x, std::string("\3", 1) + y.substr(1));
  expect_refused(Experiment::kCifar, ErrorKind::kData, {"y.npy: row 1 is 3"});
  put_cifar(x, noise(30, 2));
  expect_refused(Experiment::kCifar, ErrorKind::kData, {"no row of class 2"});
  put_cifar(x, y);
  put("cifar3/X.npy", npy("|u1", "(60, 128)", x));
  expect_refused(Experiment::kCifar, ErrorKind::kData, {"30 rows", "60"});
  put("cifar3/X.npy", npy("|u1", "(30, 255)", x));
  expect_refused(Experiment::kCifar, ErrorKind::kData, {"255 columns; expected 256"});
}

TEST_F(PaperFolder, OpvIsStandardisedAndNamed) {
  put_opv("qm9gap");
  EXPECT_EQ(read(Experiment::kOpv).table.columns[0], "x1");
  std::string names = "\"first\"";
  for (int j = 2; j <= 57; ++j) {
    names += ", \"c" + std::to_string(j) + "\"";
  }
  put("qm9gap/columns.json", "{\"features\": [" + names + "]}");
  const PaperData data = read(Experiment::kOpv, {.rows = 150});
  EXPECT_EQ(data.table.columns[0], "first");
  EXPECT_EQ(data.table.response.name, "gap");
  const ColumnMoments moments = column_moments(data.table, 1);
  EXPECT_LT(moments.mean.cwiseAbs().maxCoeff(), 1e-12);
  for (Index j = 0; j < 57; ++j) {
    EXPECT_NEAR(moments.sd[j], j == 4 ? 0.0 : 1.0, 1e-12) << j;
  }
  for (const std::string& bad : {std::string("{\"features\": [\"a\"]}"), std::string("{"),
                                 std::string("[1]"), "{\"features\": [" + names + ", 3]}"}) {
    put("qm9gap/columns.json", bad);
    expect_refused(Experiment::kOpv, ErrorKind::kData, {"columns.json", "57 names"});
  }
}

TEST_F(PaperFolder, CleanEnergyMoleculesServeWhereThereIsNoQm9) {
  put_opv("cep_pce");
  const PaperData data = read(Experiment::kOpv);
  EXPECT_EQ(data.table.response.name, "pce");
  EXPECT_NE(data.source.find("cep_pce"), std::string::npos);
}

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder_)) {
      GTEST_SKIP() << "no " << folder_;
    }
  }
  const std::string folder_ = testing::real_data().string();
};

TEST_F(RealData, MnistHasItsSevensAndNines) {
  const Table table = load_experiment(Experiment::kMnist, folder_, {}).table;
  EXPECT_EQ(table.rows, 12214U);
  EXPECT_EQ(table.x.size(), 12214U * 50U);
  const auto& digits = table.response.values;
  EXPECT_EQ(std::count(digits.begin(), digits.end(), 0.0), 6265);
  const ColumnMoments moments = column_moments(table, 0);
  EXPECT_TRUE(std::is_sorted(moments.sd.begin(), moments.sd.end(), std::greater<>()));
}

TEST_F(RealData, CifarAndQm9HaveTheirRows) {
  EXPECT_EQ(load_experiment(Experiment::kCifar, folder_, {}).table.rows, 18000U);
  const PaperData opv = load_experiment(Experiment::kOpv, folder_, {});
  EXPECT_EQ(opv.table.rows, 125061U);
  EXPECT_EQ(opv.table.columns[0], "nF");
}

}  // namespace
}  // namespace flymc::paper
