// Three small multilevel models against references of Stan: NUTS of rstan 2.21.7, 4 chains of
// 10,000 draws after 2,000 of warm-up (adapt_delta 0.95), no divergence; made once. Models and
// priors are those of each test, coefficients normal(0, 2), correlations LKJ(1), levels as their
// scale times standard normals. FLYMC_REFERENCE_TABLES=FOLDER writes the tables, to make them anew.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

// Mean and standard deviation of the posterior, and how far the mean may be off (Stan's own
// standard error).
struct Reference {
  std::string column;
  double mean;
  double sd;
  double error;
};

class StanReference : public Cli {
 protected:
  // Rows "y,x,g,h" with responses by respond(stream, eta), eta = 0.3 + 0.5 x + u_g + v_g x + w_h.
  template <class Respond>
  void write_rows(int rows, std::uint32_t g_levels, std::uint32_t h_levels, double slope_sd,
                  const Respond& respond) {
    Stream stream(91, 0, Purpose::kTest, static_cast<std::uint64_t>(rows));
    std::vector<double> u, v, w;
    for (std::uint32_t level = 0; level < std::max(g_levels, h_levels); ++level) {
      u.push_back(0.8 * stream.normal());
      v.push_back(slope_sd * stream.normal());
      w.push_back(0.5 * stream.normal());
    }
    std::string text = "y,x,g,h\n";
    for (int row = 0; row < rows; ++row) {
      const auto g = static_cast<std::size_t>(stream.below(g_levels));
      const auto h = static_cast<std::size_t>(stream.below(h_levels));
      const double x = std::round(1e3 * stream.normal()) / 1e3;
      text += fmt::format("{},{},g{},h{}\n",
                          respond(stream, 0.3 + 0.5 * x + u[g] + v[g] * x + w[h]), x, g, h);
    }
    write("t.csv", text);
    if (const char* const folder = std::getenv("FLYMC_REFERENCE_TABLES")) {
      std::ofstream(fmt::format("{}/{}.csv", folder, rows)) << text;
    }
  }

  // Means within 4.5 standard errors of both, standard deviations as much as their own error lets
  // them be off.
  void expect_reference(const Words& model, const std::vector<Reference>& references,
                        const std::string& draws = "20000") {
    expect_done(run(Words{"fit", "t.csv", "--prior", "normal:2", "--draws", draws, "--chains", "2",
                          "--seed", "4", "--out", "run", "--quiet"} +
                    model));
    const Json summary = Json::parse(run({"summary", "run", "--json"}).out);
    for (const Reference& reference : references) {
      SCOPED_TRACE(reference.column);
      const auto found = std::ranges::find_if(summary["parameters"], [&](const Json& one) {
        return one["column"] == reference.column;
      });
      ASSERT_NE(found, summary["parameters"].end());
      const double error = (*found)["mcse_mean"].get<double>();
      const double sd = (*found)["sd"].get<double>();
      EXPECT_NEAR((*found)["mean"].get<double>(), reference.mean,
                  4.5 * std::hypot(error, reference.error));
      // of a normal the sd is known to 1/sqrt(2) of the mean's error; scales have heavier tails
      const double of_sd = 2.0 * std::hypot(error, reference.error);
      EXPECT_NEAR(sd, reference.sd, 4.5 * of_sd);
      EXPECT_LT(of_sd, 0.06 * sd);
    }
  }
};

TEST_F(StanReference, LogisticWithCorrelatedSlopes) {
  write_rows(300, 12, 1, 0.6, [](Stream& stream, double eta) {
    return stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1 : 0;
  });
  expect_reference({"--formula", "y ~ x + (1 + x | g)", "--prior-sd", "g ~ half_normal(1)",
                    "--prior-sd", "g.x ~ half_normal(1)"},
                   {{"alpha", -0.24497480, 0.2921589, 0.002571214},
                    {"beta.1", 0.38314587, 0.2070270, 0.001396173},
                    {"sd.g", 0.88294895, 0.2558692, 0.002033588},
                    {"sd.g.x", 0.41700058, 0.2572243, 0.002489602},
                    {"cor.g.1.2", -0.05211513, 0.4417132, 0.002594458},
                    {"u.g[g0]", -0.70752396, 0.4840440, 0.002889406}});
}

TEST_F(StanReference, PoissonOfTwoFactors) {
  write_rows(240, 10, 6, 0.0,
             [](Stream& stream, double eta) { return stream.poisson(std::exp(eta)); });
  expect_reference({"--formula", "y ~ x + (1 | g) + (1 | h)", "--model", "poisson", "--prior-sd",
                    "g ~ half_normal(1)", "--prior-sd", "h ~ half_normal(1)"},
                   {{"alpha", 0.2803220, 0.39474179, 0.003628623},
                    {"beta.1", 0.4312582, 0.04723653, 0.000258413},
                    {"sd.g", 0.6078175, 0.17471561, 0.001657760},
                    {"sd.h", 0.7959605, 0.27601383, 0.002398505},
                    {"u.g[g0]", -0.2077319, 0.25606479, 0.001977274},
                    {"u.h[h1]", 0.5260353, 0.35015333, 0.003080936}});
}

TEST_F(StanReference, NegativeBinomialOfTwoFactorsAndUnknownSize) {
  write_rows(250, 10, 6, 0.0, [](Stream& stream, double eta) {
    return stream.poisson(std::exp(eta) * stream.gamma(3.0) / 3.0);
  });
  expect_reference({"--formula", "y ~ x + (1 | g) + (1 | h)", "--model", "negative-binomial",
                    "--prior-aux", "size ~ gamma(2, 0.5)", "--prior-sd", "g ~ half_normal(1)",
                    "--prior-sd", "h ~ half_normal(1)"},
                   {{"alpha", 0.4932142, 0.28981506, 0.0027077102},
                    {"beta.1", 0.4194699, 0.06208241, 0.0003092775},
                    {"sd.g", 0.5855904, 0.17560941, 0.0016794748},
                    {"sd.h", 0.4690635, 0.21084741, 0.0018450061},
                    {"size", 2.8409489, 0.64965300, 0.0034225438},
                    {"u.g[g0]", 0.6112955, 0.24208803, 0.0019040530},
                    {"u.h[h1]", 0.2112332, 0.24177923, 0.0018896939}},
                   "6000");
}

}  // namespace
}  // namespace flymc::testing
