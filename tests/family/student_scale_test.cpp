#include <gtest/gtest.h>

#include <cmath>

#include "flymc/dataset.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// y = 2 x + noise times a normal, on an intercept and x.
NoiseScale estimated(double noise, std::size_t rows = 2000) {
  Stream stream(3, 0, Purpose::kInit, 1);
  Table table;
  table.rows = rows;
  table.columns = {"x"};
  for (std::size_t n = 0; n < rows; ++n) {
    const double x = stream.normal();
    table.x.push_back(x);
    table.response.values.push_back(1.0 + 2.0 * x + noise * stream.normal());
  }
  return estimate_scale(Dataset(std::move(table), {}), 4.0, 1);
}

// At the maximum of the likelihood of normal noise with tails of t_4 the scale is 0.86 of the sd.
TEST(StudentScale, IsThatOfTheNoise) {
  for (const double noise : {0.01, 1.0, 50.0}) {
    const NoiseScale found = estimated(noise);
    EXPECT_NEAR(found.scale / noise, 0.86, 0.06) << noise;
    EXPECT_FALSE(found.noise_free);
  }
}

TEST(StudentScale, SaysThatThereIsNoNoise) {
  const NoiseScale found = estimated(0.0);
  EXPECT_TRUE(found.noise_free);
  EXPECT_NEAR(found.scale, 2e-6, 2e-7);  // a millionth of the spread of y
}

TEST(StudentScale, OfNoMoreRowsThanColumnsIsThatOfTheResponse) {
  const NoiseScale found = estimated(0.0, 2);
  EXPECT_FALSE(found.noise_free);
  EXPECT_GT(found.scale, 0.1);
}

}  // namespace
}  // namespace flymc
