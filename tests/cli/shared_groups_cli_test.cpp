// Group terms beside parameters that all rows share, end to end: the size of counts, the scale of
// Student's t, the shape of times, and a likelihood of one's own.
#include <fmt/format.h>

#include <cmath>

#include "cli/cli_data.hpp"
#include "cli/group_runs.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

constexpr int kShops = 20;

class SharedGroups : public GroupRuns {
 protected:
  // Responses by respond(stream, eta), eta = 0.5 + 0.4 x + u of 20 shops with sd 0.6; of two
  // factors also u of as many days.
  template <class Respond>
  void write_table(const Respond& respond, int factors = 1) const {
    Stream stream(37, 0, Purpose::kTest, 0);
    std::vector<double> shops;
    for (int i = 0; i < factors * kShops; ++i) {
      shops.push_back(0.6 * stream.normal());
    }
    std::string text = factors > 1 ? "y,shop,x,day\n" : "y,shop,x\n";
    for (int row = 0; row < (factors > 1 ? 8000 : 2000); ++row) {
      const auto shop = static_cast<std::size_t>(stream.below(kShops));
      const double x = stream.normal();
      double eta = 0.5 + 0.4 * x + shops[shop];
      std::string end = "\n";
      if (factors > 1) {
        const auto day = static_cast<std::size_t>(stream.below(kShops));
        eta += shops[kShops + day];
        end = fmt::format(",d{}\n", day);
      }
      text += fmt::format("{:.8g},s{},{:.6f}{}", respond(stream, eta), shop, x, end);
    }
    write("t.csv", text);
  }
  [[nodiscard]] Words fit_words(const Words& model, const std::string& out,
                                const std::string& draws = "1500") const {
    return Words{"fit",      "t.csv", "--formula", "y ~ " + terms_, "--out",  out,
                 "--warmup", "200",   "--draws",   draws,           "--quiet"} +
           model;
  }
  [[nodiscard]] Json parameter(const std::string& folder, const std::string& column) const {
    return named(parameters(folder), column);
  }
  std::string terms_ = "x + (1 | shop)";
  using Truth = std::vector<std::pair<std::string, double>>;
  void expect_near(const std::string& folder, const Truth& expected) const {
    for (const auto& [column, truth] : expected) {
      SCOPED_TRACE(column);
      const Json found = parameter(folder, column);
      EXPECT_NEAR(found["mean"].get<double>(), truth, 4.0 * found["sd"].get<double>());
    }
  }
  void expect_same_draws_of(const Words& model) const {
    expect_same_draws([&](const std::string& out, const Words& more, const std::string& draws) {
      return run(fit_words(model + more, out, draws));
    });
  }
  [[nodiscard]] double queries(const std::string& folder) const {
    const Json sampling = json(folder + "/run.json")["sampling"];
    return sampling["queries_theta"].get<double>() / sampling["iterations"].get<double>();
  }
  // Either engine finds it, and both the same.
  void expect_truth(const Words& model, Truth expected) const {
    expected.insert(expected.end(), {{"beta.1", 0.4}, {"sd.shop", 0.6}});
    expect_done(run(fit_words(model + Words{"--engine", "fly"}, "fly")));
    expect_done(run(fit_words(model + Words{"--engine", "regular"}, "regular", "400")));
    for (const auto& [column, truth] : expected) {
      SCOPED_TRACE(column);
      const Json fly = parameter("fly", column), regular = parameter("regular", column);
      const auto number = [](const Json& from, const char* what) {
        return from[what].get<double>();
      };
      EXPECT_NEAR(number(fly, "mean"), truth, 4.0 * number(fly, "sd"));
      EXPECT_LT(number(fly, "rhat"), 1.05);
      EXPECT_NEAR(number(fly, "mean"), number(regular, "mean"),
                  4.5 * std::hypot(number(fly, "mcse_mean"), number(regular, "mcse_mean")));
    }
    EXPECT_LT(queries("fly"), 0.2 * queries("regular"));
  }
};

TEST_F(SharedGroups, CountsOfUnknownSize) {
  write_table([](Stream& stream, double eta) {
    return static_cast<double>(stream.poisson(std::exp(eta) * stream.gamma(3.0) / 3.0));
  });
  const Words model{"--model", "negative-binomial"};
  expect_truth(model, {{"size", 3.0}});
  expect_same_draws_of(model + Words{"--engine", "fly"});
  expect_done(run({"predict", "fly", "t.csv", "--predictive", "--out", "p.csv"}));
}

TEST_F(SharedGroups, StudentsTOfUnknownScale) {
  write_table([](Stream& stream, double eta) {
    return eta + 0.7 * stream.normal() / std::sqrt(stream.gamma(2.5) / 2.5);
  });
  expect_truth({"--model", "student-t", "--nu", "5", "--scale", "infer"}, {{"sigma", 0.7}});
  // Chosen from the data it would be that of a table without shops.
  const Words plain = {"--model", "student-t", "--nu", "5", "--engine", "fly", "--overwrite"};
  const std::string sampled = bytes("fly/chain-1.csv");
  expect_done(run(fit_words(plain, "fly")));
  EXPECT_TRUE(bytes("fly/chain-1.csv") == sampled);
  expect_error(run(fit_words(plain + Words{"--scale", "auto"}, "fly")), 64,
               "--scale auto: it is chosen without group terms");
}

TEST_F(SharedGroups, TimesOfUnknownShape) {
  write_table([](Stream& stream, double eta) {
    return std::exp(eta) * std::pow(-std::log(stream.uniform()), 1.0 / 1.5);
  });
  expect_truth({"--model", "weibull"}, {{"shape", 1.5}});
}

TEST_F(SharedGroups, ALikelihoodOfOnesOwn) {
  write_table([](Stream& stream, double eta) { return eta + 0.8 * stream.normal(); });
  expect_truth({"--likelihood", "z = (y - mu) / exp(s); -s - z^2 / 2", "--predictors", "mu,s"},
               {{"s", std::log(0.8)}});
}

TEST_F(SharedGroups, TheInterceptStays) {
  write("t.csv", "y,shop,x\n3,a,0.5\n0,b,1\n2,a,0.1\n5,b,2\n1,a,0\n");
  Words words = fit_words({"--model", "negative-binomial"}, "out");
  words[3] = "y ~ 0 + x + (1 | shop)";
  expect_error(run(words), 64, "with group terms and an unknown size there is an intercept yet");
  words = fit_words({"--model", "normal"}, "out");
  words[3] = "y ~ 0 + x + (1 | shop)";
  expect_error(run(words), 64, "unknown sigma there is an intercept yet; leave '0 +' out");
  words = fit_words({"--model", "ordinal"}, "out");
  words[3] = "y ~ x + (1 | shop)";
  expect_error(run(words), 64, "ordinal has no group terms yet");
}

// Beside several factors, and beside a curve; of more rows, which all rows would pay for.
TEST_F(SharedGroups, SeveralTerms) {
  write_table(
      [](Stream& stream, double eta) {
        return static_cast<double>(stream.poisson(std::exp(eta) * stream.gamma(3.0) / 3.0));
      },
      2);
  terms_ = "x + (1 | shop) + (1 | day)";
  const Words model{"--model", "negative-binomial"};
  expect_done(run(fit_words(model, "fly", "500")));
  expect_near("fly", {{"size", 3.0}, {"beta.1", 0.4}, {"sd.shop", 0.6}, {"sd.day", 0.6}});
  EXPECT_LT(queries("fly"), 1000.0);
  expect_same_draws_of(model);
  expect_done(run({"predict", "fly", "t.csv", "--predictive", "--out", "p.csv"}));
  terms_ = "s(x, 5) + (1 | shop) + (1 | day)";
  expect_done(run(fit_words(model, "curve", "500")));
  expect_near("curve", {{"size", 3.0}, {"sd.shop", 0.6}, {"sd.day", 0.6}});
}

TEST_F(SharedGroups, SeveralTermsOfStudentsT) {
  write_table(
      [](Stream& stream, double eta) {
        return eta + 0.7 * stream.normal() / std::sqrt(stream.gamma(2.5) / 2.5);
      },
      2);
  terms_ = "x + (1 | shop) + (1 | day)";
  expect_done(
      run(fit_words({"--model", "student-t", "--nu", "5", "--scale", "infer"}, "fly", "500")));
  expect_near("fly", {{"sigma", 0.7}, {"beta.1", 0.4}, {"sd.shop", 0.6}, {"sd.day", 0.6}});
}

}  // namespace
}  // namespace flymc::testing
