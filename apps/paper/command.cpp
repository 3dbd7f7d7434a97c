// `flymc paper`: its options, and the order of its experiments.
#include <fmt/format.h>

#include <vector>

#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/wording.hpp"
#include "core/output_folder.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "paper/paper.hpp"
#include "paper/table.hpp"

namespace flymc::paper {
namespace {

struct RawPaper {
  PaperOptions options;
  std::string name;
  bool quick = false;
  bool full_scale = false;
};

struct Task {
  Experiment experiment;
  PaperSize size;
};

std::vector<Task> tasks(const RawPaper& raw) {
  const PaperSize size = raw.quick ? PaperSize::kQuick : PaperSize::kTable;
  const bool all = raw.name == "all";
  std::vector<Task> result;
  if (all || raw.name == "mnist") {
    result.push_back({Experiment::kMnist, size});
  }
  if (all || raw.name == "cifar") {
    result.push_back({Experiment::kCifar, size});
  }
  if (all || raw.name == "opv") {
    result.push_back({Experiment::kOpv, size});
    if (raw.full_scale) {
      result.push_back({Experiment::kOpv, PaperSize::kWhole});
    }
  }
  return result;
}

void check(const RawPaper& raw) {
  if (tasks(raw).empty()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("no experiment {}; there are mnist, cifar, opv and all.", in_quotes(raw.name)));
  }
  if (raw.quick && raw.full_scale) {
    throw Error(ErrorKind::kUsage, "--quick and --full-scale contradict each other; give one.");
  }
  if (raw.full_scale && raw.name != "opv" && raw.name != "all") {
    throw Error(ErrorKind::kUsage, "--full-scale is for opv: the paper's 1.8 million rows.");
  }
}

int run_paper(const RawPaper& raw) {
  check(raw);
  const NewFolder folder(raw.options.out);
  const StopSignal stop;
  for (const Task& task : tasks(raw)) {
    PaperOptions options = raw.options;
    options.size = task.size;
    const PaperResult result = run_experiment(task.experiment, options, stop);
    if (stop.asked()) {
      print_error(fmt::format("stopped by {}; {} holds the runs so far.\n",
                              stop.name().in(cli::option_wording()),
                              shell_word((std::filesystem::path(options.out) / "").string())));
      return stop.exit_code();
    }
    const auto page = std::filesystem::path(options.out) / (result.name + ".html");
    fmt::print("{}\nPage         {}\n\n", paper_table(result), shell_word(page.string()));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

void add_paper(cli::CommandLine& line, int& status) {
  const cli::Subcommand command = line.add_subcommand(
      "paper", "the experiments of the FlyMC paper: its table and figures, and our rows beside");
  auto raw = std::make_shared<RawPaper>();
  command.add_option("experiment", raw->name, "mnist, cifar, opv or all").required();
  command.add_option("--data", raw->options.data,
                     "folder with mnist/, cifar3/ and qm9gap/; without it tables are simulated");
  cli::add_count(command, "--runs", raw->options.runs, "of every algorithm, default 5",
                 {.least = 1, .most = 1000});
  command.add_flag("--quick", raw->quick, "fewer rows, short chains: a look in two minutes");
  command.add_flag("--full-scale", raw->full_scale, "opv: 1.8 million rows, too");
  command.add_option("--out", raw->options.out, "folder for runs, pages and figures").required();
  command.add_flag("--overwrite", raw->options.overwrite, "replace runs that are there");
  cli::add_count(command, "--seed", raw->options.seed, "of the first run, default 1");
  cli::add_count(command, "--threads", raw->options.threads,
                 "0 = all cores; never changes the draws");
  command.add_flag("--quiet", raw->options.quiet, "no progress");
  command.callback([raw, &status] { status = run_paper(*raw); });
}

}  // namespace flymc::paper
