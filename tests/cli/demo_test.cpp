// The demo: its story, its picture, and the files it takes for its own.
#include "cli/demo/demo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "cli/demo/toy_figure.hpp"
#include "cli/markup.hpp"
#include "data/load_support.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/error.hpp"
#include "report/checks.hpp"
#include "report/svg.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {
namespace {

namespace fs = std::filesystem;
using flymc::testing::read_bytes;
using flymc::testing::TempDir;
using flymc::testing::unbalanced;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(Demo, TellsItsStoryFitsAndDraws) {
  const TempDir dir;
  const DemoResult result = run_demo({.out = dir / "demo"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.story, HasSubstr("3,000 points in a plane"));
  EXPECT_THAT(result.story, HasSubstr("beta.2"));
  EXPECT_THAT(result.story, HasSubstr("regular MCMC"));
  EXPECT_THAT(result.story, HasSubstr(dir / "demo/firefly.svg"));
  EXPECT_THAT(result.story, HasSubstr("flymc fit train.csv --response y --model logistic"));
  EXPECT_EQ(names_in(dir / "demo"),
            (std::set<std::string>{"run.json", "chain-1.csv", "chain-1.ckpt", "chain-2.csv",
                                   "chain-2.ckpt", "chain-3.csv", "chain-3.ckpt", "chain-4.csv",
                                   "chain-4.ckpt", "firefly.svg"}));
  const Summary summary = summarise(dir / "demo");
  EXPECT_EQ(summary.n, 3000U);
  EXPECT_TRUE(summary.exact);
  EXPECT_TRUE(checks_pass(summary));
  EXPECT_LT(10.0 * summary.cost.queries_per_iteration, 3000.0);
}

TEST(Demo, ReplacesAnEarlierDemoAndNothingElse) {
  const TempDir dir;
  (void)run_demo({.out = dir / ""});
  const std::string first = read_bytes(dir / "firefly.svg");
  dir.write("notes.txt", "mine");
  (void)run_demo({.out = dir / "", .seed = 2});
  EXPECT_NE(read_bytes(dir / "firefly.svg"), first);
  EXPECT_EQ(read_bytes(dir / "notes.txt"), "mine");
}

TEST(Demo, RefusesAFolderWithSomebodysRun) {
  const TempDir dir;
  const auto refused = [&] {
    try {
      (void)run_demo({.out = dir / ""});
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("holds files that no demo made; choose another --out."));
      return error.kind();
    }
    return ErrorKind::kInternal;
  };
  dir.write("run.json", R"({"data": {"path": "/home/me/train.csv"}})");
  EXPECT_EQ(refused(), ErrorKind::kCannotCreate);
  dir.write("run.json", "not json");
  EXPECT_EQ(refused(), ErrorKind::kCannotCreate);
  fs::remove(dir / "run.json");
  dir.write("firefly.svg", "a drawing of mine");
  EXPECT_EQ(refused(), ErrorKind::kCannotCreate);
  EXPECT_EQ(read_bytes(dir / "firefly.svg"), "a drawing of mine");
  EXPECT_EQ(names_in(dir / ""), std::set<std::string>{"firefly.svg"});
}

TEST(ToyChain, StartsAtAPriorDrawAndSettlesOnFewBrightData) {
  const ToyTrace trace = run_toy_chain({.seed = 1});
  ASSERT_EQ(trace.states.size(), 301U);
  double late = 0.0;
  for (std::size_t i = 151; i < trace.states.size(); ++i) {
    late += static_cast<double>(trace.states[i].bright.size()) / 150.0;
  }
  EXPECT_LT(late, 0.05 * static_cast<double>(trace.table.rows));
  EXPECT_GT(trace.states[0].bright.size(), 4.0 * late);
}

TEST(ToyFigure, IsAWellFormedSvgWithItsTitles) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::string svg = toy_figure(run_toy_chain({.seed = seed}));
    EXPECT_THAT(unbalanced(svg), IsEmpty());
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_THAT(svg, HasSubstr("Iteration 0, a prior draw"));
    EXPECT_THAT(svg, HasSubstr("The brightness z"));
    EXPECT_THAT(svg, HasSubstr("of N = 200"));
    EXPECT_THAT(svg, ::testing::Not(HasSubstr("nan")));
    EXPECT_LT(svg.size(), 300'000U);
  }
}

TEST(ToyFigure, IsTheSameForTheSameSeed) {
  EXPECT_EQ(toy_figure(run_toy_chain({.seed = 4})), toy_figure(run_toy_chain({.seed = 4})));
}

TEST(Svg, EscapesTextAndRoundsCoordinates) {
  SvgPage page(10.0, 10.0, "a < b", "c & d");
  page.line({0.04, -0.04}, {1.0 / 3.0, 2.0}, {.stroke = colour::kBlue});
  const std::string svg = std::move(page).finish();
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>c &amp; d</desc>"));
  EXPECT_THAT(svg, HasSubstr("x1=\"0\" y1=\"0\" x2=\"0.3\" y2=\"2\""));
}

TEST(Svg, PutsTicksAtRoundNumbers) {
  EXPECT_THAT(round_ticks(-3.4, 3.4, 4), ElementsAre(-2.0, 0.0, 2.0));
  EXPECT_THAT(round_ticks(0.0, 300.0, 8),
              ElementsAre(0.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0));
}

}  // namespace
}  // namespace flymc::cli
