// `flymc fit`: the options of the contract, their words and their defaults.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <tuple>

#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/data_options.hpp"
#include "cli/family_options.hpp"
#include "cli/fit/fit_file.hpp"
#include "cli/fit/resume.hpp"
#include "cli/wording.hpp"
#include "core/duration.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "family/own_family.hpp"
#include "fit/settings.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_launch.hpp"
#include "report/checks.hpp"
#include "report/fit_notes.hpp"
#include "report/summary_text.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {
namespace {

// Text as typed, before it becomes values: numbers that may be words, and what can contradict.
struct RawFit {
  FitOptions fit;
  std::string family;  // empty: not given
  std::vector<std::string> formulas;
  std::vector<std::string> priors;     // of auxiliary parameters
  std::vector<std::string> priors_sd;  // of group terms
  std::string prior = "auto";
  std::string prior_intercept;
  FamilySettings own;
  std::string q = "auto";
  std::string xi;
  bool no_intercept = false;
  bool regular = false;
  std::string config;  // the file; its settings were read as if they had been typed
  std::string resume;  // the folder
  bool other_version = false;
  std::uint64_t draws = 0;  // 0: not given
};

void add_model_options(const Subcommand& command, RawFit& raw) {
  add_family(command, raw.family, false);
  command.add_option("--likelihood", raw.fit.likelihood,
                     "a log density of your own in place of --model, in y and its predictors");
  command.add_list("--predictors", raw.fit.predictors,
                   "names of the predictors in --likelihood; the first has the columns");
  command.add_list("--data-columns", raw.fit.data_columns,
                   "columns that --likelihood may name: the response, and one more; default y");
  command.add_list("--order", raw.fit.order,
                   "ordinal: the classes from the lowest to the highest; default by number, or in "
                   "sort order");
  add_choice(
      command, "--levels", raw.fit.levels,
      "of group terms: draws of every level, or a line for each in levels.csv; default auto, "
      "all while there are not too many");
  command.add_flag("--no-intercept", raw.no_intercept, "do not add an intercept");
  command.add_option("--prior", raw.prior, "auto, normal:S, laplace:S or flat");
  command.add_option("--prior-intercept", raw.prior_intercept, "default as --prior");
  command.add_each(
      "--prior-aux", [&raw](const std::string& text) { raw.priors.push_back(text); },
      "'sigma ~ half_normal(1)', the prior of an auxiliary parameter: flat, half_normal(s), "
      "half_cauchy(s), half_t(df, s), exponential(rate), gamma(a, rate), inv_gamma(a, b), or "
      "normal(m, s) of its logarithm");
  command.add_each(
      "--prior-sd", [&raw](const std::string& text) { raw.priors_sd.push_back(text); },
      "'g ~ half_normal(1)', the prior of the standard deviation of (1 | g), or 'g.x ~ ...' of "
      "the slopes of x: laws as of --prior-aux but flat");
  command.add_flag("--select-prior", raw.fit.select_prior,
                   "choose the scale of --prior (and --scale auto) on held-out rows");
  raw.own.add_to(command);
}

void add_engine_options(const Subcommand& command, RawFit& raw) {
  FitOptions& fit = raw.fit;
  add_choice(command, "--engine", fit.engine,
             "fly, or regular: every row every time; default auto, the cheaper by forecast");
  command.add_flag("--regular", raw.regular, "the same as --engine regular");
  add_choice(command, "--kernel", fit.kernel,
             "parameter update, default split-hmc (hmc in the plain frame)");
  add_choice(command, "--frame", fit.frame, "coordinates, default whitened");
  add_choice(command, "--init", fit.init, "where chains start, default laplace");
  add_choice(command, "--anchor", fit.anchor, "search for the mode, default newton");
}

void add_brightness_options(const Subcommand& command, RawFit& raw) {
  FitOptions& fit = raw.fit;
  add_choice(command, "--bound", fit.bound, "default local; map and untuned are the paper's");
  command.add_option("--xi", raw.xi, "where untuned bounds touch, default the model's own");
  add_choice(command, "--z", fit.z,
             "brightness update, default weighted (implicit with the paper's bounds)");
  command.add_option("--q", raw.q, "implicit: dark-to-bright proposals, a number or auto");
  command.add_option("--q-bright-to-dark", fit.q_bright_to_dark, "implicit: default 1");
  command.add_option("--z-fraction", fit.z_fraction, "explicit: share of rows, default 0.1");
  add_choice(command, "--z-order", fit.z_order, "explicit: which rows, default random");
}

template <class Value>
void add_duration(const Subcommand& command, const std::string& name, Value& seconds,
                  const std::string& help) {
  command.add_option(
      name, [&seconds, name](const std::string& text) { seconds = parse_duration(text, name); },
      help);
}

void add_run_options(const Subcommand& command, RawFit& raw) {
  // Counts of iterations are multiplied with each other and with chains: this leaves room.
  constexpr std::uint64_t kMost = 1'000'000'000;
  FitOptions& fit = raw.fit;
  add_count(command, "--chains", fit.chains, "default 4", {.least = 1});
  add_count(command, "--warmup", fit.schedule.warmup, "iterations, default 1000", {0, kMost});
  add_count(command, "--draws", raw.draws, "kept draws a chain, default 1000", {1, kMost});
  add_count(command, "--thin", fit.schedule.thin, "iterations a kept draw, default 1", {1, kMost});
  add_count(command, "--seed", fit.seed, "default 1");
  add_count(command, "--threads", fit.threads, "0 = all cores; never changes the draws");
  command.add_option("--holdout", fit.holdout,
                     "keep this share of the rows, taken at random, out of the fit, to check it on "
                     "(flymc check)");
  command.add_option("--out", raw.fit.out, "run folder, default run");
  command.add_flag("--overwrite", raw.fit.overwrite, "replace a run in the folder");
  command.add_flag("--save-warmup", raw.fit.save_warmup, "write warmup-K.csv too");
  command.add_flag("--strict", raw.fit.strict, "exit 2 when a convergence check fails");
  add_choice(command, "--progress", raw.fit.progress, "default auto");
  command.add_flag("--quiet", raw.fit.quiet, "errors only");
  add_duration(command, "--max-time", fit.max_time_s, "stop after this time (10m), resumable");
  command.add_option("--ess", fit.ess,
                     "stop when every parameter has this bulk ESS; --draws is then the most");
  add_duration(command, "--checkpoint-every", fit.checkpoint_every_s, "default 30s");
  command.add_option("--config", raw.config,
                     "settings from a file, a line each: draws = 2000; what is typed wins");
  command.add_option("--resume", raw.resume,
                     "go on with the run in this folder; takes only --draws, --ess, --max-time, "
                     "--threads, --checkpoint-every, --other-version, --progress and --quiet");
  command.add_flag("--other-version", raw.other_version,
                   "with --resume: go on with a run that another version of flymc began");
}

// Everything else was settled when the run began.
void require_resume_options(const Subcommand& command) {
  const std::set<std::string> taken{"--resume",        "--draws",    "--ess",
                                    "--max-time",      "--threads",  "--checkpoint-every",
                                    "--other-version", "--progress", "--quiet"};
  for (const std::string& shown : command.given()) {
    if (!taken.contains(shown)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: --resume goes on with what the run began with; it takes only "
                              "--draws, --ess, --max-time, --threads, --checkpoint-every, "
                              "--other-version, --progress and --quiet.",
                              shown));
    }
  }
}

bool is_auxiliary(const FamilyType& family, const std::string& name) {
  return std::ranges::any_of(family.auxiliaries,
                             [&](const Auxiliary& auxiliary) { return auxiliary.name == name; });
}

// A parameter of some family's: nobody means a response by it who names another.
bool is_known_auxiliary(const std::string& name) {
  return std::ranges::any_of(families(), [&](const FamilyType* family) {
    return is_auxiliary(*family, name) ||
           (family->inferring != nullptr && is_auxiliary(*family->inferring, name));
  });
}

// A formula whose left side names a parameter of the likelihood is that parameter's; another is of
// the response.
void sort_formulas(const std::vector<std::string>& formulas, FitOptions& fit) {
  require_own_likelihood(fit);
  const FamilyType& family = family_type(fit);
  for (const std::string& text : formulas) {
    const std::string name = left_side(text);
    if (!name.empty() && is_auxiliary(family, name)) {
      std::ignore = parse_predictor(text);
      if (!fit.data.formulas.emplace(name, text).second) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--formula {}: {} has a formula already; give one.",
                                in_quotes(text), in_quotes(name)));
      }
      continue;
    }
    if (!fit.predictors.empty() && name == fit.predictors.front() && fit.data.formula.empty()) {
      fit.data.formula = text.substr(text.find('~'));
      continue;
    }
    const bool other = name != fit.data.response && !fit.data.response.empty();
    if (!fit.data.formula.empty() || (other && is_known_auxiliary(name))) {
      throw Error(ErrorKind::kUsage, no_such_predictor(family, name));
    }
    fit.data.formula = text;
  }
}

// "sigma ~ half_normal(1)", of one option.
void read_priors(const std::vector<std::string>& priors, const char* option,
                 std::map<std::string, std::string>& laws) {
  for (const std::string& text : priors) {
    const std::size_t tilde = text.find('~');
    const std::string name = trimmed(text.substr(0, tilde));
    if (tilde == std::string::npos || name.empty()) {
      throw Error(ErrorKind::kUsage, fmt::format("{} {}: write it as 'sigma ~ half_normal(1)'.",
                                                 option, in_quotes(text)));
    }
    if (!laws.emplace(name, trimmed(text.substr(tilde + 1))).second) {
      throw Error(ErrorKind::kUsage, fmt::format("{} {}: {} has a prior already; give one.", option,
                                                 in_quotes(text), in_quotes(name)));
    }
  }
}

// A formula says what --response and --no-intercept would.
void resolve_formula(FitOptions& fit) {
  if (fit.data.formula.empty()) {
    return;
  }
  const Formula formula = parse_formula(fit.data.formula);
  if (!fit.intercept && formula.intercept) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--no-intercept and --formula {} contradict each other; write - 1 in the "
                    "formula.",
                    in_quotes(fit.data.formula)));
  }
  fit.data.response = flymc::resolve_formula(fit.data, formula).response;
  fit.intercept = formula.intercept;
  fit.groups = formula.groups;
}

// Columns of the table by the names they have in the text; arrays are files of their own.
void resolve_data_columns(FitOptions& fit) {
  const std::vector<std::string>& names = fit.data_columns;
  if (names.empty()) {
    return;
  }
  const bool arrays = named_format(fit.data) == Format::kNpy;
  const std::string list = fmt::format("{}", fmt::join(names, ","));
  const auto settle = [&](std::string& column, const std::string& name, const char* option) {
    if (arrays && column.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--data-columns {}: of arrays, {} names the file of {}.", list,
                              option, in_quotes(name)));
    }
    if (!arrays && !column.empty() && column != name) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--data-columns {} and {} {} contradict each other; name {}.", list,
                              option, shortened(column), in_quotes(column)));
    }
    column = arrays ? column : name;
  };
  settle(fit.data.response, names[0], "--response");
  if (names.size() > 1) {
    settle(fit.data.trials, names[1], "--trials");
  }
}

FitOptions resolve(const RawFit& raw) {
  FitOptions fit = raw.fit;
  if (raw.draws > 0 || fit.ess) {
    fit.schedule.draws = raw.draws > 0 ? raw.draws : kMostDrawsForEss;
  }
  if (!(fit.holdout >= 0.0 && fit.holdout < 1.0)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--holdout {}: must be a share of the rows, 0 or more and less than 1.",
                            fit.holdout));
  }
  fit.threads = std::min(fit.threads, kMostThreads);
  fit.data.threads = fit.threads;
  fit.intercept = !raw.no_intercept;
  fit.prior = parse_prior(raw.prior, "--prior");
  if (!raw.prior_intercept.empty()) {
    fit.prior_intercept = parse_prior(raw.prior_intercept, "--prior-intercept");
  }
  fit.own = raw.own.given();
  fit.q = number_or("auto", raw.q, "--q");
  fit.xi = number_or("auto", raw.xi, "--xi");
  if (raw.regular) {
    if (fit.engine == EngineKind::kFly) {
      throw Error(ErrorKind::kUsage, "--regular and --engine fly contradict each other; give one.");
    }
    fit.engine = EngineKind::kRegular;
  }
  if (!raw.family.empty()) {
    fit.family = raw.family;
  }
  if (!fit.likelihood.empty()) {
    if (!raw.family.empty()) {
      throw Error(ErrorKind::kUsage, "--model and --likelihood contradict each other; give one.");
    }
    fit.family = kOwnWord;
  }
  read_priors(raw.priors, "--prior-aux", fit.prior_aux);
  read_priors(raw.priors_sd, "--prior-sd", fit.prior_sd);
  sort_formulas(raw.formulas, fit);
  resolve_formula(fit);
  resolve_data_columns(fit);
  settle(fit);
  validate(fit, parts_of(fit.data));
  if (fit.out.empty()) {
    throw Error(ErrorKind::kUsage, "--out: must name a folder.");
  }
  return fit;
}

// Where the run is. Programs that read progress as JSON know, and expect that to be the last line.
void say_what_is_next(const FitOptions& options) {
  if (options.progress != ProgressKind::kJson) {
    std::fflush(stdout);  // below the table, where both are one terminal
    say(options, fmt::format("the run is in {}; look at it with: flymc report {}",
                             shown_folder(options.out), shell_word(options.out)));
  }
}

}  // namespace

void add_fit(CommandLine& line, int& status) {
  const Subcommand command = line.add_subcommand("fit", "sample the posterior of a regression");
  auto raw = std::make_shared<RawFit>();
  command.show_example("flymc fit visits.csv --formula 'bought ~ age + plan' --categorical plan");
  const Option data =
      add_data_options(command.in_group("Data"), raw->fit.data, &raw->formulas).required(false);
  add_model_options(command.in_group("Model"), *raw);
  add_run_options(command.in_group("Run"), *raw);
  add_engine_options(command.in_group("Engine"), *raw);
  add_brightness_options(command.in_group("Engine"), *raw);
  command.callback([raw, command, data, &status] {
    FitOptions options = raw->fit;
    FitResult result;
    if (raw->resume.empty()) {
      if (!data.is_given()) {
        Subcommand::fail_missing("DATA");
      }
      if (raw->other_version) {
        throw Error(ErrorKind::kUsage, "--other-version: goes with --resume only.");
      }
      options = resolve(*raw);
      result = fit_file(options);
    } else {
      require_resume_options(command);
      options.out = raw->resume;
      const auto draws = raw->draws > 0 ? std::optional(raw->draws) : std::nullopt;
      result = resume({raw->resume, draws, options.ess, raw->other_version, options});
    }
    status = result.exit_code;
    constexpr int kTimeIsUp = 75;
    if (launch().rank > 0 || !result.shown || (status != 0 && status != kTimeIsUp)) {
      return;
    }
    const Summary summary = summarise(options.out);
    if (!options.quiet) {
      fmt::print("{}", to_table(summary, option_wording()));
      if (status == 0) {
        say_what_is_next(options);
      }
    }
    if (status == 0 && options.strict && !checks_pass(summary)) {
      status = 2;
    }
  });
}

}  // namespace flymc::cli
