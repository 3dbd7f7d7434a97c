#include "cli/demo/demo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/demo/toy_figure.hpp"
#include "cli/fit/fit.hpp"
#include "cli/wording.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "family/simulate.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/error.hpp"
#include "report/summary_text.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kRows = 3000;
constexpr std::uint64_t kDraws = 5000;  // a blink of an eye, and every check passes
constexpr const char* kPicture = "firefly.svg";

// A demo's run has its data built in; a user's run names a file.
bool holds_demo(const fs::path& folder) {
  std::ifstream file(folder / "run.json", std::ios::binary);
  const auto run = nlohmann::json::parse(file, nullptr, false);
  return run.is_object() && run.contains("data") && run["data"].is_object() &&
         run["data"].value("path", "") == "built in";
}

void require_own_folder(const fs::path& folder) {
  std::error_code ignored;  // where nothing can be seen, nothing can be made: the fit says so
  const bool taken =
      fs::exists(folder / "run.json", ignored) || fs::exists(folder / kPicture, ignored);
  if (taken && !holds_demo(folder)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds files that no demo made; choose another --out.",
                            in_quotes(folder.string())));
  }
}

FitResult fit_toy(const DemoOptions& options) {
  FitOptions fit_options;
  fit_options.out = options.out;
  fit_options.seed = options.seed;
  fit_options.threads = options.threads;
  fit_options.schedule.draws = kDraws;
  fit_options.overwrite = true;
  fit_options.quiet = true;
  fit_options.progress = ProgressKind::kNone;
  Table table = simulate(toy_data(kRows, options.seed));
  table.response.name = "shape";
  table.response.labels = {"circle", "triangle"};
  const StopSignal stop;
  return fit(prepare(std::move(table), fit_options), fit_options, stop);
}

std::string opening() {
  return fmt::format(
      "The problem: {} points in a plane, circles and triangles, overlapping. Where does the\n"
      "line between them run, and how sure can we be? A logistic regression on x1 and x2.\n\n",
      with_commas(kRows));
}

// What a draw costs and what it is worth, both sides of the bargain.
std::string lesson(const Summary& summary, const DemoOptions& options) {
  const SimulatedTruth truth = Simulator(toy_data(kRows, options.seed)).truth();
  double fewest = summary.log_density.estimate.ess_bulk;
  for (const ParameterSummary& parameter : summary.parameters) {
    fewest = std::min(fewest, parameter.estimate.ess_bulk);
  }
  const auto count = [](double value) {
    return with_commas(static_cast<std::size_t>(std::llround(value)));
  };
  return fmt::format(
      "\nThe points were drawn with alpha = {:.2f}, beta.1 = {:.2f}, beta.2 = {:.2f}.\n"
      "Of {} points {:.1f} were bright on average: an iteration evaluated {:.1f} likelihoods,\n"
      "where regular MCMC evaluates {} for the same moves. The price: draws in a row are more\n"
      "alike; these {} are worth at least {} independent ones. The posterior is that of all\n"
      "{} points, exactly.\n",
      truth.alpha[0], truth.beta(0, 0), truth.beta(1, 0), with_commas(kRows),
      summary.cost.mean_bright, summary.cost.queries_per_iteration,
      count(summary.cost.regular_queries_per_iteration),
      with_commas(summary.chains * summary.draws), count(fewest), with_commas(kRows));
}

std::string closing(const fs::path& folder) {
  return fmt::format(
      "\nRun folder   {}\n"
      "Picture      {} (fireflies on a smaller problem; open it in a browser)\n"
      "Next         flymc fit train.csv --response y --model logistic --out run/\n",
      shell_word((folder / "").string()), shell_word((folder / kPicture).string()));
}

}  // namespace

DemoResult run_demo(const DemoOptions& options) {
  const fs::path folder = options.out;
  require_own_folder(folder);
  const FitResult fitted = fit_toy(options);
  if (fitted.exit_code != 0) {
    return {"", fitted.exit_code};
  }
  write_text(folder / kPicture, toy_figure(run_toy_chain({.seed = options.seed})));
  const Summary summary = summarise(folder);
  return {
      opening() + to_table(summary, option_wording()) + lesson(summary, options) + closing(folder),
      0};
}

}  // namespace flymc::cli
