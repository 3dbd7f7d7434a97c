// A normal response with one sigma end to end: a run by sums over its rows says so, goes on where
// it stopped, and is the same by either engine and for any number of threads.
#include <fmt/format.h>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

class LinearCli : public Cli {
 protected:
  // y = 3 + 0.5 a + 2 normal.
  LinearCli() {
    Stream stream(41, 0, Purpose::kTest, 0);
    std::string text = "y,a\n";
    for (int row = 0; row < 400; ++row) {
      const double a = stream.normal();
      text += fmt::format("{:.6f},{:.6f}\n", 3.0 + 0.5 * a + 2.0 * stream.normal(), a);
    }
    write("rows.csv", text);
  }

  [[nodiscard]] Outcome fit_to(const std::string& out, const Words& more = {}) const {
    return run(Words{"fit", "rows.csv", "--model", "normal", "--response", "y", "--chains", "2",
                     "--out", out} +
               more);
  }
};

TEST_F(LinearCli, LooksAtNoRowAfterSetUp) {
  const Outcome done = fit_to("out", {"--draws", "500"});
  expect_done(done);
  EXPECT_NE(done.err.find("set-up: 2 passes over the data"), std::string::npos) << done.err;
  EXPECT_NE(done.out.find("none after set-up: no row is looked at again"), std::string::npos);
  const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
  for (const Json& parameter : summary["parameters"]) {
    EXPECT_GT(parameter["ess_bulk"].get<double>(), 800.0) << parameter["column"];
  }
  expect_done(fit_to("bounds", {"--draws", "500", "--kernel", "hmc"}));
  EXPECT_FALSE(bytes("bounds/chain-1.csv") == bytes("out/chain-1.csv"));
}

TEST_F(LinearCli, GoesOnAndIsTheSameByEitherEngine) {
  expect_done(fit_to("whole", {"--draws", "300", "--threads", "1"}));
  expect_done(fit_to("parts", {"--draws", "100", "--threads", "2"}));
  expect_done(run({"fit", "--resume", "parts", "--draws", "300"}));
  expect_done(fit_to("regular", {"--draws", "300", "--engine", "regular"}));
  for (const std::string chain : {"/chain-1.csv", "/chain-2.csv"}) {
    const std::string whole = bytes("whole" + chain);
    EXPECT_TRUE(bytes("parts" + chain) == whole);
    std::string regular = bytes("regular" + chain);  // its head names the engine
    const std::string named = "# engine = regular";
    ASSERT_NE(regular.find(named), std::string::npos);
    regular.replace(regular.find(named), named.size(), "# engine = fly");
    EXPECT_TRUE(regular == whole);
  }
}

// The prior of sigma is as sigma^1 at 0, as is what three rows leave to a line: not proper.
TEST_F(LinearCli, APosteriorThatIsNotProperIsRefused) {
  const auto refused = [&](const std::string& table, const Words& more, const std::string& says) {
    write("few.csv", table);
    expect_error(
        run(Words{"fit", "few.csv", "--model", "normal", "--response", "y", "--out", "new"} + more),
        65, says);
  };
  const std::string noiseless = "without noise, as far as doubles can tell";
  refused("x,y\n0,0\n1,1\n2,2\n", {}, noiseless);
  refused("x,y\n0,0\n1,1\n2,2\n", {"--prior", "flat"}, noiseless);
  refused("x,y\n1,0\n2,0\n3,0\n4,0\n", {}, noiseless);
  refused("a,b,y\n0.4,1.3,2.1\n1.7,-0.2,0.3\n-0.8,0.9,1.9\n",
          {"--prior", "flat", "--prior-intercept", "normal:1", "--prior-aux", "sigma ~ flat"},
          "not proper: with so few rows it does not fall as sigma grows");
}

TEST_F(LinearCli, AResponseWithoutNoiseIsRefused) {
  write("line.csv", "y,a\n1,0\n3,1\n5,2\n7,3\n9,4\n");
  expect_error(run({"fit", "line.csv", "--model", "normal", "--response", "y", "--out", "new"}), 65,
               "without noise, as far as doubles can tell; leave a column out, or give --sigma.");
  expect_done(run({"fit", "line.csv", "--model", "normal", "--response", "y", "--sigma", "0.1",
                   "--out", "new"}));
}

}  // namespace
}  // namespace flymc::testing
