// `flymc summary`: what the draws answer, the table of a run, or the same as JSON.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/wording.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/error.hpp"
#include "report/answers.hpp"
#include "report/checks.hpp"
#include "report/summary_text.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {
namespace {

struct SummaryOptions {
  std::string folder;
  Questions questions;
  bool json = false;
  bool all = false;
  bool strict = false;
  bool answers = false;
  bool engine = false;
};

void add_questions(const Subcommand& command, Questions& questions) {
  command.add_option("--prob", questions.prob, "of the interval, default 0.95");
  command.add_flag("--exp", questions.exp,
                   "odds, rate or hazard ratios: e to the power of each coefficient");
  command.add_flag("--per-sd", questions.per_sd, "slopes per standard deviation of their column");
  command.add_texts("--contrast", questions.contrasts,
                    "'city=Rome - city=Oslo': a linear expression of coefficients by label or "
                    "column; again for another");
  command.add_option("--reference", questions.reference,
                     "softmax: the class that others are compared with, default the most frequent");
}

void validate(const SummaryOptions& options) {
  const double prob = options.questions.prob;
  if (!(prob > 0.0 && prob < 1.0)) {
    throw Error(ErrorKind::kUsage, fmt::format("--prob {}: must be between 0 and 1.", prob));
  }
  if (options.answers && options.engine) {
    throw Error(ErrorKind::kUsage,
                "--answers and --engine contradict each other; without them both are shown.");
  }
}

TableOptions::Part part_of(const SummaryOptions& options) {
  return options.answers  ? TableOptions::Part::kAnswers
         : options.engine ? TableOptions::Part::kEngine
                          : TableOptions::Part::kAll;
}

}  // namespace

void add_summary(CommandLine& line, int& status) {
  const Subcommand command = line.add_subcommand(
      "summary", "what a run answers: intervals, probabilities, contrasts; diagnostics and cost");
  auto options = std::make_shared<SummaryOptions>();
  command.add_option("RUN", options->folder, "run folder").required();
  add_questions(command, options->questions);
  command.add_flag("--json", options->json, "machine-readable");
  command.add_flag("--all", options->all, "every parameter, not only the first 20");
  command.add_flag("--answers", options->answers, "answers and checks only");
  command.add_flag("--engine", options->engine, "diagnostics, cost and checks only");
  command.add_flag("--strict", options->strict, "exit 2 when a convergence check fails");
  command.callback([options, &status] {
    validate(*options);
    const Summary summary = summarise(options->folder, options->questions);
    if (options->questions.exp) {
      (void)ratio_name(summary.model);
    }
    fmt::print("{}", options->json ? to_json(summary)
                                   : to_table(summary, option_wording(),
                                              {.all = options->all, .part = part_of(*options)}));
    if (options->strict && !checks_pass(summary)) {
      status = 2;
    }
  });
}

}  // namespace flymc::cli
