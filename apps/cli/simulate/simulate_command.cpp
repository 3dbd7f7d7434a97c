// `flymc simulate`: the options of the contract, their words and their defaults.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/simulate/simulate.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

struct RawSimulate {
  SimulateFiles files;
  bool no_intercept = false;
};

std::span<const Word<SimulatedModel>> model_words() {
  static constexpr auto kWord = [](SimulatedModel model) {
    return Word<SimulatedModel>{name_of(model), model};
  };
  static const Word<SimulatedModel> kWords[] = {
      kWord(SimulatedModel::kLogistic),        kWord(SimulatedModel::kProbit),
      kWord(SimulatedModel::kBinomial),        kWord(SimulatedModel::kSoftmax),
      kWord(SimulatedModel::kStudentT),        kWord(SimulatedModel::kPoisson),
      kWord(SimulatedModel::kNegativeBinomial)};
  return kWords;
}

}  // namespace

void add_simulate(CommandLine& line, int& /*status*/) {
  const Subcommand command =
      line.add_subcommand("simulate", "data from a model with known coefficients");
  auto raw = std::make_shared<RawSimulate>();
  SimulateOptions& data = raw->files.data;
  add_choice<SimulatedModel>(command, "--model", data.model, model_words(), "default logistic");
  add_count(command, "-n,--rows", data.rows, "rows", {.least = 1}).required();
  add_count(command, "-d,--columns", data.columns, "columns", {.least = 1}).required();
  command
      .add_option("--out", raw->files.out,
                  "folder for X.npy, y.npy, truth.json (binomial: trials.npy)")
      .required();
  command.add_flag("--fly", raw->files.fly, "one data.fly in place of the arrays");
  command.add_flag("--float32", raw->files.float32, "with --fly: half the size");
  command.add_option("--predictor-sd", data.predictor_sd,
                     "sd of the linear predictor without intercept, default 2.5; "
                     "poisson, negative-binomial: 0.5");
  add_count(command, "--classes", data.classes, "softmax: default 3");
  command.add_option("--nu", data.nu, "student-t: degrees of freedom, default 4");
  command.add_option("--scale", data.scale, "student-t: default 1");
  add_count(command, "--trials", data.trials, "binomial: trials a row, default 10", {.least = 1});
  command.add_option("--size", data.size,
                     "negative-binomial: mean^2 / size is the variance beyond Poisson, default 5");
  command.add_flag("--no-intercept", raw->no_intercept, "a true intercept of 0");
  add_count(command, "--rare", data.rare, "so many columns are indicators of rare events");
  command.add_flag("--heavy-tails", data.heavy_tails, "columns with the tails of t_3");
  command.add_flag("--separable", data.separable, "classes that a plane separates");
  add_count(command, "--seed", data.seed, "default 1");
  add_count(command, "--threads", data.threads, "0 = all cores; never changes the data");
  command.add_flag("--overwrite", raw->files.overwrite, "replace files that are there");
  command.callback([raw] {
    SimulateFiles files = raw->files;
    files.data.threads = std::min(files.data.threads, kMostThreads);
    files.data.intercept = !raw->no_intercept;
    if (files.float32 && !files.fly) {
      throw Error(ErrorKind::kUsage, "--float32: arrays are float64; use it with --fly.");
    }
    fmt::print("{}", simulate_to_folder(files));
  });
}

}  // namespace flymc::cli
