// `flymc predict` against direct computation from the chain files, one model after another.
#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

// A model with one predictor on columns a and b, its mean and its log density.
struct ModelCase {
  std::string name;
  Words options;
  std::vector<double> response;
  std::function<double(double eta)> mean;
  std::function<double(double eta, double y)> log_density;
};

double log_choose(double m, double s) {
  return std::lgamma(m + 1) - std::lgamma(s + 1) - std::lgamma(m - s + 1);
}

class PredictModels : public PredictCli {
 protected:
  static constexpr std::size_t kRows = 60;

  void check(const ModelCase& c) const {
    const Simulated s = simulated(kRows);
    const std::vector<Column> columns = {
        {"a", s.a}, {"b", s.b}, {"m", constant(kRows, 9.0)}, {"y", c.response}};
    write("train.csv", csv(columns));
    const Words model = Words{"--response", "y", "--model", c.name, "--features", "a,b"};
    expect_done(fit("train.csv", model + c.options));
    const CsvTable table = predicted("train.csv", {"--log-lik"});
    EXPECT_EQ(table.header, (Words{"mean", "sd", "q5", "q95", "log_lik"}));
    ASSERT_EQ(table.rows.size(), kRows);
    for (std::size_t n = 0; n < kRows; ++n) {
      const auto eta = of_each_draw(chains(), [&](const Draw& at) {
        return at("alpha") + at("beta.1") * s.a[n] + at("beta.2") * s.b[n];
      });
      std::vector<double> means;
      std::vector<double> logs;
      for (const double e : eta) {
        means.push_back(c.mean(e));
        logs.push_back(c.log_density(e, c.response[n]));
      }
      expect_summary(table.rows[n], means);
      expect_close(table.rows[n][4], log_mean_of_exp(logs));
    }
  }
};

Words split(const std::string& text, char separator) {
  Words fields;
  std::istringstream in(text);
  for (std::string field; std::getline(in, field, separator);) {
    fields.push_back(field);
  }
  return fields;
}

double sigmoid_of(double eta) { return 1.0 / (1.0 + std::exp(-eta)); }

double log_bernoulli(double p, double y) { return y > 0.0 ? std::log(p) : std::log1p(-p); }

std::vector<double> counts(std::size_t rows) {
  std::vector<double> values;
  for (const double eta : simulated(rows).eta) {
    values.push_back(std::floor(std::exp(0.8 * eta)));
  }
  return values;
}

TEST_F(PredictModels, LogisticGivesTheProbabilityOfThePositiveClass) {
  check({"logistic", {}, simulated(kRows).binary, sigmoid_of, [](double eta, double y) {
           return log_bernoulli(sigmoid_of(eta), y);
         }});
}

TEST_F(PredictModels, ProbitGivesTheProbabilityOfThePositiveClass) {
  const auto normal_cdf = [](double eta) { return 0.5 * std::erfc(-eta / std::sqrt(2.0)); };
  check({"probit", {}, simulated(kRows).binary, normal_cdf, [=](double eta, double y) {
           return log_bernoulli(normal_cdf(eta), y);
         }});
}

TEST_F(PredictModels, BinomialGivesTheProbabilityOfOneSuccess) {
  std::vector<double> successes;
  for (const double eta : simulated(kRows).eta) {
    successes.push_back(std::round(9.0 * sigmoid_of(eta)));
  }
  check({"binomial", {"--trials", "m"}, successes, sigmoid_of, [](double eta, double y) {
           const double p = sigmoid_of(eta);
           return y * std::log(p) + (9.0 - y) * std::log1p(-p) + log_choose(9.0, y);
         }});
}

TEST_F(PredictModels, StudentTGivesTheLocationWithTheScaleOfTheRun) {
  const Simulated s = simulated(kRows);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.numbers}}));
  expect_done(fit("train.csv",
                  {"--response", "y", "--model", "student-t", "--nu", "5", "--scale", "auto"}));
  const double scale = json("out/run.json")["student_t"]["scale"];
  check({"student-t",
         {"--nu", "5", "--scale", "auto", "--overwrite"},
         s.numbers,
         [](double eta) { return eta; },
         [&](double eta, double y) {
           const double z = (y - eta) / scale;
           return std::lgamma(3.0) - std::lgamma(2.5) - 0.5 * std::log(5.0 * M_PI) -
                  std::log(scale) - 3.0 * std::log1p(z * z / 5.0);
         }});
}

TEST_F(PredictModels, PoissonGivesTheMean) {
  check({"poisson",
         {},
         counts(kRows),
         [](double eta) { return std::exp(eta); },
         [](double eta, double y) { return y * eta - std::exp(eta) - std::lgamma(y + 1); }});
}

TEST_F(PredictModels, NegativeBinomialGivesTheMean) {
  check({"negative-binomial",
         {"--size", "3"},
         counts(kRows),
         [](double eta) { return std::exp(eta); },
         [](double eta, double y) {
           const double p = std::exp(eta) / (3.0 + std::exp(eta));
           return std::lgamma(y + 3) - std::lgamma(3) - std::lgamma(y + 1) + y * std::log(p) +
                  3.0 * std::log1p(-p);
         }});
}

TEST_F(PredictModels, SoftmaxGivesTheMeanProbabilityOfEachClass) {
  const Simulated s = simulated(kRows);
  write("train.csv", classes_csv(kRows));
  expect_done(fit("train.csv", {"--response", "y", "--model", "softmax"}));
  const CsvTable table = predicted("train.csv", {"--log-lik"});
  EXPECT_EQ(table.header, (Words{"0", "1", "2", "log_lik"}));
  ASSERT_EQ(table.rows.size(), kRows);
  for (std::size_t n = 0; n < kRows; ++n) {
    for (int k = 1; k <= 3; ++k) {
      const auto probs = of_each_draw(chains(), [&](const Draw& at) {
        const auto odds = [&](int j) {
          const std::string class_name = "." + std::to_string(j);
          return std::exp(at("alpha" + class_name) + at("beta" + class_name + ".1") * s.a[n] +
                          at("beta" + class_name + ".2") * s.b[n]);
        };
        return odds(k) / (odds(1) + odds(2) + odds(3));
      });
      expect_close(table.rows[n][static_cast<std::size_t>(k - 1)], flymc::mean(probs));
      if (s.classes[n] == k - 1) {
        expect_close(table.rows[n][3], std::log(flymc::mean(probs)));
      }
    }
  }
}

TEST_F(PredictModels, AnIntervalHasTheProbabilityThatWasAsked) {
  const Simulated s = simulated(kRows);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y"}));
  const CsvTable table = predicted("train.csv", {"--prob", "0.5"});
  EXPECT_EQ(table.header, (Words{"mean", "sd", "q25", "q75"}));
  const auto probs = of_each_draw(chains(), [&](const Draw& at) {
    return sigmoid_of(at("alpha") + at("beta.1") * s.a[0] + at("beta.2") * s.b[0]);
  });
  expect_close(table.rows[0][2], quantile(probs, 0.25));
  expect_close(table.rows[0][3], quantile(probs, 0.75));
  write("classes.csv", classes_csv(kRows));
  expect_done(fit("classes.csv", {"--response", "y", "--model", "softmax", "--overwrite"}));
  const CsvTable classes = predicted("classes.csv", {"--prob", "0.95"});
  EXPECT_EQ(classes.header,
            (Words{"0", "0:q2.5", "0:q97.5", "1", "1:q2.5", "1:q97.5", "2", "2:q2.5", "2:q97.5"}));
  for (const std::vector<double>& row : classes.rows) {
    for (std::size_t k = 0; k < 9; k += 3) {
      EXPECT_LT(row[k + 1], row[k]);
      EXPECT_GT(row[k + 2], row[k]);
    }
  }
}

// A class for every draw: shares scatter about the mean probabilities as shares of so many coins
// do, and the classes that are named hold what was asked.
TEST_F(PredictModels, PredictiveOfClassesIsWhichAndHowOften) {
  write("train.csv", classes_csv(kRows));
  expect_done(fit("train.csv", {"--response", "y", "--model", "softmax", "--draws", "1000"}));
  const CsvTable means = predicted("train.csv");
  const Words options{"--predictive", "--prob", "0.8", "--threads", "1"};
  const Outcome outcome = predict("train.csv", options);
  expect_done(outcome);
  EXPECT_EQ(predict("train.csv", {"--predictive", "--prob", "0.8"}).out, outcome.out);
  const Words lines = lines_of(outcome.out);
  EXPECT_EQ(lines[0], "class,set,0,1,2");
  ASSERT_EQ(lines.size(), kRows + 1);
  for (std::size_t n = 0; n < kRows; ++n) {
    const Words fields = split(lines[n + 1], ',');
    ASSERT_EQ(fields.size(), 5U);
    double held = 0.0;
    double least = 1.0;
    double most = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double share = std::stod(fields[2 + k]);
      const double p = means.rows[n][k];
      EXPECT_NEAR(share, p, 4.5 * std::sqrt(p * (1.0 - p) / 2000.0) + 1e-12);
      EXPECT_NEAR(share * 2000.0, std::round(share * 2000.0), 1e-9);
      const Words set = split(fields[1], '|');
      if (std::ranges::find(set, std::to_string(k)) != set.end()) {
        held += share;
        least = std::min(least, share);
      }
      most = std::max(most, share);
    }
    EXPECT_EQ(std::stod(fields[2 + std::stoul(fields[0])]), most);
    EXPECT_GE(held, 0.8 - 1e-9);
    EXPECT_LT(held - least, 0.8);
  }
}

TEST_F(PredictModels, PredictiveOfARowWithoutAValueIsNone) {
  write("train.csv", classes_csv(kRows));
  expect_done(fit("train.csv", {"--response", "y", "--model", "softmax"}));
  write("new.csv", "a,b,name\n0.5,NA,x\n0.5,0.1,y\n");
  const Words lines = lines_of(predict("new.csv", {"--predictive", "--id", "name"}).out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "name,class,set,0,1,2");
  EXPECT_EQ(lines[1], "x,NA,NA,NA,NA,NA");
  EXPECT_EQ(lines[2].find("NA"), std::string::npos);
}

TEST_F(PredictModels, PredictiveOfTwoClassesIsZeroOrOne) {
  const Simulated s = simulated(kRows);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y", "--draws", "1000"}));
  const CsvTable means = predicted("train.csv");
  const CsvTable table = predicted("train.csv", {"--predictive"});
  for (std::size_t n = 0; n < kRows; ++n) {
    const double p = means.rows[n][0];
    EXPECT_NEAR(table.rows[n][0], p, 4.5 * std::sqrt(p * (1.0 - p) / 2000.0));
    EXPECT_TRUE(table.rows[n][2] == 0.0 || table.rows[n][2] == 1.0);
  }
}

// A new response scatters about its mean as the model says: V[y] = E V[y | theta] + V E[y | theta].
TEST_F(PredictModels, PredictiveIsOfANewResponse) {
  const Simulated s = simulated(kRows);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.numbers}}));
  expect_done(fit("train.csv", {"--response", "y", "--model", "normal", "--draws", "2000"}));
  const CsvTable table = predicted("train.csv", {"--predictive"});
  const CsvTable means = predicted("train.csv");
  const auto sigma = of_each_draw(chains(), [](const Draw& at) { return at("sigma"); });
  for (std::size_t n = 0; n < 5; ++n) {
    const double sd =
        std::sqrt(flymc::mean(sigma) * flymc::mean(sigma) + means.rows[n][1] * means.rows[n][1]);
    // 4,000 responses: sd / sqrt(4000) of their mean, sd / sqrt(8000) of their sd.
    EXPECT_NEAR(table.rows[n][0], means.rows[n][0], 4.5 * sd / std::sqrt(4000.0));
    EXPECT_NEAR(table.rows[n][1], sd, 4.5 * sd / std::sqrt(8000.0));
    EXPECT_LT(table.rows[n][2], means.rows[n][2]);
    EXPECT_GT(table.rows[n][3], means.rows[n][3]);
  }
  const Words one_thread{"--predictive", "--threads", "1"};
  EXPECT_EQ(predict("train.csv", one_thread).out, predict("train.csv", {"--predictive"}).out);
}

// Quantiles of counts are counts: the smallest with at least 5 or 95 % of the draws at or below it.
TEST_F(PredictModels, PredictiveIntervalsOfCountsAreCounts) {
  const Simulated s = simulated(kRows);
  std::vector<double> counts(kRows);
  for (std::size_t n = 0; n < kRows; ++n) {
    counts[n] = std::floor(std::exp(1.0 + 0.5 * s.a[n]));
  }
  write("train.csv", csv({{"a", s.a}, {"y", counts}}));
  expect_done(fit("train.csv", {"--response", "y", "--model", "poisson", "--draws", "100"}));
  const CsvTable table = predicted("train.csv", {"--predictive", "--draws-out", "draws.csv"});
  const CsvTable drawn = read_plain_csv(bytes("draws.csv"));
  ASSERT_EQ(drawn.rows.size(), table.rows.size());
  const auto at_or_below = [](const std::vector<double>& row, double value) {
    return std::ranges::count_if(row, [&](double one) { return one <= value; });
  };
  for (std::size_t n = 0; n < table.rows.size(); ++n) {
    const std::vector<double>& all = drawn.rows[n];
    ASSERT_EQ(all.size(), 200U);
    EXPECT_GE(at_or_below(all, table.rows[n][2]), 10);
    EXPECT_LT(at_or_below(all, table.rows[n][2] - 1.0), 10);
    EXPECT_GE(at_or_below(all, table.rows[n][3]), 190);
    EXPECT_LT(at_or_below(all, table.rows[n][3] - 1.0), 190);
    EXPECT_EQ(table.rows[n][3], std::floor(table.rows[n][3]));
  }
}

TEST_F(PredictModels, PredictiveCountsAreOfTheTrials) {
  const Simulated s = simulated(kRows);
  std::vector<double> successes(kRows);
  for (std::size_t n = 0; n < kRows; ++n) {
    successes[n] = s.binary[n] > 0.0 ? 6.0 : 2.0;
  }
  write("train.csv", csv({{"a", s.a}, {"m", constant(kRows, 9.0)}, {"y", successes}}));
  expect_done(fit("train.csv", {"--response", "y", "--model", "binomial", "--trials", "m"}));
  const CsvTable table = predicted("train.csv", {"--predictive"});
  const CsvTable shares = predicted("train.csv");
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_GE(table.rows[n][2], 0.0);
    EXPECT_LE(table.rows[n][3], 9.0);
    EXPECT_GT(table.rows[n][3], 1.0);
    const double p = shares.rows[n][0];
    const auto draws = static_cast<double>(2 * chains()[0].draws());
    EXPECT_NEAR(table.rows[n][0], 9.0 * p,
                4.5 * std::sqrt(9.0 * p * (1.0 - p) / draws) +
                    4.5 * 9.0 * shares.rows[n][1] / std::sqrt(draws));
  }
}

}  // namespace
}  // namespace flymc::testing
