// What cannot be with group terms is said in one clear line, and leaves no run behind.
#include <fmt/format.h>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

class GroupErrors : public Cli {
 protected:
  static constexpr int kShops = 8;
  static constexpr const char* kSlopes = "bought ~ price + (1 + price | shop)";

  GroupErrors() {
    Stream stream(43, 0, Purpose::kTest, 0);
    std::string text = "bought,shop,price\n";
    for (int row = 0; row < 200; ++row) {
      text += fmt::format("{},s{},{:.3f}\n", stream.below(2) == 0 ? "no" : "yes", row % kShops,
                          stream.normal());
    }
    write("visits.csv", text);
  }

  [[nodiscard]] Outcome fit_formula(const std::string& formula, const std::string& out,
                                    const Words& more = {}) const {
    return run(Words{"fit", "visits.csv", "--formula", formula, "--out", out, "--warmup", "50",
                     "--draws", "50"} +
               more);
  }
  void refused(const std::string& formula, const Words& more, int code,
               const std::string& says) const {
    SCOPED_TRACE(formula);
    expect_error(fit_formula(formula, "out", more), code, says);
    EXPECT_FALSE(exists("out"));
  }
};

TEST_F(GroupErrors, WhatCannotBeIsSaidInOneLine) {
  refused("bought ~ price + (1 | shpo)", {}, 65, "no column 'shpo'");
  refused("bought ~ price + (1 | shop", {}, 64, "not closed");
  refused("bought ~ price + (0 | shop)", {}, 64, "nothing varies");
  refused("bought ~ price + (1 | shop*price)", {}, 64, "at character 27");
  refused("bought ~ price + (1 | shop - )", {}, 64, "at character 30");
  refused("bought ~ price + (1 | shop - shop)", {}, 64, "'shop' is in the factor already");
  refused("bought ~ price + (1 | shop/shop)", {}, 64, "'shop' is in the factor already");
  refused("bought ~ price + (1, price | shop)", {}, 64, "expected + or |; at character 20");
  refused("bought ~ price + (1 | log(price))", {}, 64,
          "behind the | stands a factor: g, g:h, g/h, g - h or g + h; at character 26");
  refused("bought ~ price * (1 | shop)", {}, 64, "a group term is added: x + (1 | g)");
  refused("bought ~ price + (1 | shop) + (1 | shop)", {}, 64, "twice");
  refused("bought ~ price + (1 + price | shop) + (0 + price | shop)", {}, 64,
          "'shop.price' varies twice");
  refused("bought ~ 1 + (1 | shop) + (1 | nowhere)", {}, 65, "no column 'nowhere'");
  refused("bought ~ 1 + (1 | shop - nowhere)", {}, 65, "no column 'nowhere'");
  refused("bought ~ 1 + (price | shop)", {}, 64, "no column of the model");
  refused(kSlopes, {"--prior", "laplace:1"}, 64, "--prior laplace: with group terms");
  refused(kSlopes, {"--prior", "normal:1", "--prior-intercept", "laplace:1"}, 64,
          "--prior-intercept laplace: with group terms the prior of coefficients is normal or "
          "flat");
  refused(kSlopes, {"--prior-sd", "price ~ half_normal(1)"}, 64, "these vary: shop, shop.price");
  refused(kSlopes, {"--prior-sd", "shop ~ half_normal(0)"}, 64, "with numbers > 0");
  refused(kSlopes, {"--prior-sd", "shop ~ flat"}, 64, "use a wide one");
  refused(kSlopes, {"--prior-sd", "half_normal(1)"}, 64, "write it as 'sigma ~ half_normal(1)'");
  refused(kSlopes, {"--prior-sd", "shop ~ half_normal(1)", "--prior-sd", "shop ~ half_normal(2)"},
          64, "'shop' has a prior already; give one");
  refused("bought ~ price", {"--prior-sd", "shop ~ half_normal(1)"}, 64, "no group terms");
  refused(kSlopes, {"--model", "softmax"}, 64, "no group terms yet");
  refused(kSlopes, {"--levels", "some"}, 64, "--levels some");
}

TEST_F(GroupErrors, OptionsThatGroupTermsDoNotTakeAreNamed) {
  const auto refused_option = [&](const std::string& option, const Words& value = {}) {
    refused(kSlopes, Words{option} + value, 64,
            option + ": not with group terms ((1 + price | shop)).");
  };
  refused_option("--kernel", {"hmc"});
  refused_option("--bound", {"map"});
  refused_option("--z", {"implicit"});
  refused_option("--frame", {"plain"});
  refused_option("--init", {"prior"});
  refused_option("--anchor", {"sgd"});
  refused_option("--select-prior");
}

TEST_F(GroupErrors, LevelsThatTellNothingAreSaid) {
  write("visits.csv", "bought,shop,price\nyes,a,1\nno,a,2\nyes,a,3\n");
  refused("bought ~ price + (1 | shop)", {}, 65, "'shop' has one level");
  write("visits.csv", "bought,shop,price\nyes,a,1\nno,,2\nyes,b,3\nno,a,2\n");
  refused("bought ~ price + (1 | shop)", {}, 65, "visits.csv:3: column 'shop' is empty");
  write("visits.csv", "bought,shop,price\nyes,a,1\nno,a,1\nyes,b,1\nno,b,1\n");
  refused(kSlopes, {}, 65, "no slope of it varies by 'shop'");
  write("visits.csv", "y,g,h\n1.5,a,a\n-0.5,b,a\n2,c,b\n0.25,d,b\n");
  const Words numbers = {"--model", "student-t", "--scale", "1"};
  refused("y ~ 1 + (1 | h) + (1 | g)", numbers, 65, "every row has its own 'g'");
  write("visits.csv", "y,g,h\nno,a,a\nyes,b,a\nyes,c,b\nno,d,b\n");
  refused("y ~ 1 + (1 | g)", {}, 65, "every row has its own 'g'");
  refused("y ~ 1 + (1 | h/g)", {}, 65, "every row has its own 'h:g'");
}

TEST_F(GroupErrors, MoreThanTenCoefficientsVaryByNoFactor) {
  Stream stream(44, 0, Purpose::kTest, 0);
  std::string text = "y,g,h", slopes;
  for (int j = 1; j <= 10; ++j) {
    text += fmt::format(",x{}", j);
    slopes += fmt::format(" + x{}", j);
  }
  for (int row = 0; row < 200; ++row) {
    text += fmt::format("\n{},g{},h{}", stream.below(2), row % 8, row % 5);
    for (int j = 0; j < 10; ++j) {
      text += fmt::format(",{:.3f}", stream.normal());
    }
  }
  write("visits.csv", text + "\n");
  const std::string says = "--formula: at most 10 coefficients vary by 'g', not 11.";
  refused(fmt::format("y ~ 1{0} + (1{0} | g)", slopes), {}, 64, says);
  refused(fmt::format("y ~ 1{0} + (1{0} || g)", slopes), {}, 64, says);
  refused(fmt::format("y ~ 1{0} + (1{0} | g) + (1 | h)", slopes), {}, 64, says);
  expect_done(fit_formula(fmt::format("y ~ 1{0} + (0{0} | g)", slopes), "ten"));
}

TEST_F(GroupErrors, WhatAPredictionOrASummaryLacksIsSaid) {
  expect_done(fit_formula(kSlopes, "run"));
  write("new.csv", "town,price\na,0.5\n");
  expect_error(run({"predict", "run", "new.csv"}), 65, "no column 'shop'");
  expect_done(fit_formula(kSlopes, "short", {"--levels", "summary"}));
  const std::string levels = bytes("short/levels.csv");
  write("short/levels.csv", levels.substr(0, levels.size() - 20));
  expect_error(run({"summary", "short"}), 65,
               fmt::format("short/levels.csv is damaged at line {}", 1 + 2 * kShops));
  std::filesystem::remove(path("short/levels.csv"));
  const Outcome bare = run({"summary", "short"});
  expect_done(bare);
  EXPECT_TRUE(bare.shows("There is no levels.csv: nothing here is of levels")) << bare.out;
}

}  // namespace
}  // namespace flymc::testing
