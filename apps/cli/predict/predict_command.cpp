// `flymc predict`: the posterior predictive of new rows.
#include <fmt/format.h>

#include <algorithm>

#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "flymc/error.hpp"
#include "predict/predict.hpp"

namespace flymc::cli {
namespace {

constexpr Word<Missing> kMissingWords[] = {
    {"na", Missing::kKeep}, {"error", Missing::kError}, {"drop", Missing::kDrop}};

void validate(const PredictOptions& options) {
  if (options.prob && !(*options.prob > 0.0 && *options.prob < 1.0)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--prob {}: must be between 0 and 1.", *options.prob));
  }
}

}  // namespace

void add_predict(CommandLine& line, int& /*status*/) {
  const Subcommand command = line.add_subcommand(
      "predict",
      "mean and interval of new rows: of the class probability, or of the expected response");
  auto options = std::make_shared<PredictOptions>();
  NewData& data = options->data;
  command.add_option("RUN", options->folder, "run folder").required();
  command
      .add_option("NEW", data.path,
                  "new rows, with the columns of the fit by name; any format that fit reads")
      .required();
  command.add_option("--id", options->id, "column of NEW to write before each line (csv, tsv)");
  command.add_option("--prob", options->prob,
                     "of the interval, default 0.9; of classes, intervals of their probabilities");
  command.add_flag("--predictive", options->predictive,
                   "a new response instead of its expectation: mean, sd and interval, of two "
                   "classes as 0 and 1; of three or more the likeliest, those that hold --prob, "
                   "and the share of each");
  command.add_option("--draws-out", options->draws_out,
                     "with --predictive: csv file of the new responses themselves, a line a row "
                     "and a column a draw");
  command.add_option("--out", options->out, "csv file, default - (standard output)");
  command.add_flag("--overwrite", options->overwrite, "replace the files");
  command.add_flag("--log-lik", data.with_response,
                   "log predictive density of each row's response too; its sum on stderr");
  add_count(command, "--draws", options->draws,
            "at most so many, evenly spaced; 0 = all, the default");
  command.add_option("--response", data.response,
                     "of --log-lik: column, default as in the fit; for X.npy a second file");
  command.add_option("--offset", data.offset, "column, default as in the fit; for X.npy a file");
  command.add_option("--trials", data.trials, "of --log-lik, binomial: as --offset");
  add_choice<Missing>(command, "--missing", data.missing, kMissingWords,
                      "rows with missing values or levels that the fit did not see, default na: "
                      "their lines are NA; drop: they have none");
  add_choice(command, "--new-levels", data.new_levels,
             "of a group term, that the fit did not see: draw their effects, or error; default "
             "draw");
  add_choice(command, "--format", data.format, "of NEW, default by name and content");
  add_count(command, "--threads", data.threads, "0 = all cores; never changes a number");
  command.add_flag("--quiet", options->quiet, "errors only");
  command.callback([options] {
    validate(*options);
    options->data.threads = std::min(options->data.threads, kMostThreads);
    predict(*options);
  });
}

}  // namespace flymc::cli
