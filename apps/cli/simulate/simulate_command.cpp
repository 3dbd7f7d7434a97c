// `flymc simulate`: the options of the contract, their words and their defaults.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/family_options.hpp"
#include "cli/simulate/simulate.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

struct RawSimulate {
  SimulateFiles files;
  bool no_intercept = false;
  std::vector<std::string> groups;
  std::optional<double> group_sd;
};

std::string words(ResponseKind kind) {
  return fmt::format("{}", fmt::join(families_of(kind), ", "));
}

}  // namespace

void add_simulate(CommandLine& line, int& /*status*/) {
  const Subcommand command =
      line.add_subcommand("simulate", "data from a model with known coefficients");
  auto raw = std::make_shared<RawSimulate>();
  SimulateOptions& data = raw->files.data;
  add_family(command, data.family, true);
  add_count(command, "-n,--rows", data.rows, "rows", {.least = 1}).required();
  add_count(command, "-d,--columns", data.columns, "columns", {.least = 1}).required();
  command
      .add_option("--out", raw->files.out,
                  fmt::format("folder for X.npy, y.npy, truth.json ({}, {}: trials.npy)",
                              words(ResponseKind::kSuccesses), words(ResponseKind::kTallies)))
      .required();
  command.add_flag("--fly", raw->files.fly, "one data.fly in place of the arrays");
  command.add_flag("--float32", raw->files.float32, "with --fly: half the size");
  command.add_option("--predictor-sd", data.predictor_sd,
                     fmt::format("sd of the linear predictor without intercept, default 2.5; "
                                 "{}: 0.5",
                                 words(ResponseKind::kCounts)));
  add_simulated_settings(command, data);
  command.add_flag("--no-intercept", raw->no_intercept, "a true intercept of 0");
  add_count(command, "--rare", data.rare, "so many columns are indicators of rare events");
  command.add_flag("--heavy-tails", data.heavy_tails, "columns with the tails of t_3");
  command.add_flag("--separable", data.separable, "classes that a plane separates");
  command.add_list("--groups", raw->groups,
                   "levels of factors g1, g2, ..., whose intercepts vary; makes data.csv");
  command.add_option("--group-sd", raw->group_sd, "sd of these intercepts, default 0.5");
  add_count(command, "--seed", data.seed, "default 1");
  add_count(command, "--threads", data.threads, "0 = all cores; never changes the data");
  command.add_flag("--overwrite", raw->files.overwrite, "replace files that are there");
  command.callback([raw] {
    SimulateFiles files = raw->files;
    files.data.threads = std::min(files.data.threads, kMostThreads);
    files.data.intercept = !raw->no_intercept;
    for (const std::string& levels : raw->groups) {
      files.data.groups.push_back(parse_count("--groups", levels, {}));
    }
    if (raw->group_sd && raw->groups.empty()) {
      throw Error(ErrorKind::kUsage,
                  "--group-sd: there are no groups; name their levels with --groups 300.");
    }
    files.data.group_sd = raw->group_sd.value_or(files.data.group_sd);
    if (files.float32 && !files.fly) {
      throw Error(ErrorKind::kUsage, "--float32: arrays are float64; use it with --fly.");
    }
    fmt::print("{}", simulate_to_folder(files));
  });
}

}  // namespace flymc::cli
