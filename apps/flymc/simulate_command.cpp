// `flymc simulate`: the options of the contract, their words and their defaults.
#include <fmt/format.h>

#include "flymc/choice.hpp"
#include "flymc/commands.hpp"
#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/simulate.hpp"

namespace flymc::app {
namespace {

// Counts as typed: a negative one must reach its own message.
struct RawSimulate {
  SimulateFiles files;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t classes = 3;
  std::int64_t rare = 0;
  std::int64_t threads = 0;
  bool no_intercept = false;
};

std::size_t count_of(std::int64_t value, const char* option, std::int64_t least) {
  if (value < least) {
    throw Error(ErrorKind::kUsage, fmt::format("{} {}: must be {}.", option, value,
                                               least > 0 ? "positive" : "0 or more"));
  }
  return static_cast<std::size_t>(value);
}

SimulateFiles resolve(const RawSimulate& raw) {
  SimulateFiles files = raw.files;
  files.data.rows = count_of(raw.rows, "-n", 1);
  files.data.columns = count_of(raw.columns, "-d", 1);
  files.data.classes = count_of(raw.classes, "--classes", 0);
  files.data.rare = count_of(raw.rare, "--rare", 0);
  files.data.threads =
      static_cast<unsigned>(std::min<std::size_t>(count_of(raw.threads, "--threads", 0), 1 << 12));
  files.data.intercept = !raw.no_intercept;
  return files;
}

}  // namespace

void add_simulate(CLI::App& root, int& /*status*/) {
  auto* command = root.add_subcommand("simulate", "data from a model with known coefficients");
  auto raw = std::make_shared<RawSimulate>();
  SimulateOptions& data = raw->files.data;
  add_choice<SimulatedModel>(*command, "--model", raw->files.data.model,
                             {{"logistic", SimulatedModel::kLogistic},
                              {"softmax", SimulatedModel::kSoftmax},
                              {"student-t", SimulatedModel::kStudentT}},
                             "default logistic");
  command->add_option("-n,--rows", raw->rows, "rows")->required();
  command->add_option("-d,--columns", raw->columns, "columns")->required();
  command->add_option("--out", raw->files.out, "folder for X.npy, y.npy, truth.json")->required();
  command->add_option("--predictor-sd", data.predictor_sd,
                      "sd of the linear predictor without intercept, default 2.5");
  command->add_option("--classes", raw->classes, "softmax: default 3");
  command->add_option("--nu", data.nu, "student-t: degrees of freedom, default 4");
  command->add_option("--scale", data.scale, "student-t: default 1");
  command->add_flag("--no-intercept", raw->no_intercept, "a true intercept of 0");
  command->add_option("--rare", raw->rare, "so many columns are indicators of rare events");
  command->add_flag("--heavy-tails", data.heavy_tails, "columns with the tails of t_3");
  command->add_flag("--separable", data.separable, "classes that a plane separates");
  command->add_option("--seed", data.seed, "default 1");
  command->add_option("--threads", raw->threads, "0 = all cores; never changes the data");
  command->add_flag("--overwrite", raw->files.overwrite, "replace files that are there");
  command->callback([raw] { fmt::print("{}", simulate_to_folder(resolve(*raw))); });
}

}  // namespace flymc::app
