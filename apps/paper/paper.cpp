#include "paper/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "cli/fit/fit.hpp"
#include "cli/wording.hpp"
#include "core/duration.hpp"
#include "core/output_folder.hpp"
#include "core/parallel.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "fit/words.hpp"
#include "paper/columns.hpp"
#include "paper/figure.hpp"
#include "paper/measure.hpp"
#include "paper/page.hpp"
#include "paper/table.hpp"
#include "run/run_writer.hpp"

namespace flymc::paper {
namespace fs = std::filesystem;
namespace {

class PaperExperiment {
 public:
  PaperExperiment(Experiment experiment, const PaperOptions& options, const StopSignal& stop)
      : experiment_(experiment),
        options_(options),
        stop_(stop),
        plan_(make_plan(experiment, options.size)) {}

  PaperResult run() {
    require_free_folders();
    load();
    choose_prior();
    for (const PaperAlgorithm& algorithm : algorithms(experiment_, options_.size, plan_.base)) {
      add_row(algorithm);
      if (stop_.asked()) {
        return std::move(result_);
      }
    }
    compare();
    write();
    return std::move(result_);
  }

 private:
  void say(const std::string& text) const {
    if (!options_.quiet) {
      print_error(fmt::format("{}: {}\n", plan_.name, text));
    }
  }

  [[nodiscard]] fs::path folder_of(const PaperAlgorithm& algorithm, std::size_t run) const {
    return fs::path(options_.out) / fmt::format("{}-{}-{}", plan_.name, algorithm.name, run + 1);
  }

  // Before anything is read: the last of the runs would come too late.
  void require_free_folders() const {
    for (const PaperAlgorithm& algorithm : algorithms(experiment_, options_.size, plan_.base)) {
      for (std::size_t run = 0; run < options_.runs; ++run) {
        require_free(folder_of(algorithm, run), options_.overwrite);
      }
    }
  }

  void load() {
    data_ =
        load_experiment(experiment_, options_.data,
                        {.rows = plan_.rows, .seed = options_.seed, .threads = options_.threads});
    if (options_.size == PaperSize::kWhole) {
      data_ = enlarge(data_, {.seed = options_.seed, .threads = options_.threads});
    }
    const std::string columns = choose_columns(experiment_, data_.table, options_.threads);
    say(fmt::format("{}, {} rows x {} columns", data_.source, with_commas(data_.table.rows),
                    data_.table.columns.size()));
    result_.name = plan_.name;
    result_.title = plan_.title;
    result_.data = data_.source;
    result_.simulated = data_.simulated;
    result_.rows_n = data_.table.rows;
    result_.columns = data_.table.columns.size() + 1;
    result_.command = command();
    if (!columns.empty()) {
      result_.settings.push_back(columns);
    }
    result_.notes.push_back("The paper's own table: " + plan_.published + ".");
    plan_.base.source = data_.source;
    plan_.base.threads = 1;  // runs side by side
  }

  [[nodiscard]] std::string command() const {
    std::string text = "flymc paper " + std::string(plan_.name == "opv-full" ? "opv" : plan_.name);
    text += options_.data.empty() ? "" : " --data " + shell_word(options_.data);
    text += fmt::format(" --runs {} --seed {}", options_.runs, options_.seed);
    text += options_.size == PaperSize::kQuick ? " --quick" : "";
    text += options_.size == PaperSize::kWhole ? " --full-scale" : "";
    return text + " --out " + shell_word(options_.out);
  }

  // On held-out rows, as in the paper; once for all rows of the table.
  void choose_prior() {
    cli::FitOptions selecting = plan_.base;
    selecting.select_prior = true;
    selecting.engine = EngineKind::kRegular;
    selecting.threads = options_.threads;
    selecting.seed = options_.seed;
    const Problem problem = prepare(data_.table, selecting);
    plan_.base.prior.scale = problem.prior.terms().back().scale;
    plan_.base.own = problem.family->settings();
    for (const Message& note : problem.notes) {
      result_.settings.push_back(note.in(cli::option_wording()));
      say(result_.settings.back());
    }
  }

  [[nodiscard]] std::vector<PaperRun> run_all(const PaperAlgorithm& algorithm,
                                              const Problem& problem) const {
    std::vector<PaperRun> runs(options_.runs);
    parallel_for(runs.size(), options_.threads, [&](std::size_t i) {
      if (stop_.asked()) {
        return;
      }
      cli::FitOptions fit_options = algorithm.options;
      fit_options.seed = options_.seed + i;
      fit_options.overwrite = options_.overwrite;
      fit_options.out = folder_of(algorithm, i);
      runs[i].recorder = std::make_unique<PaperRecorder>(fit_options.schedule);
      runs[i].engine =
          cli::fit(problem, fit_options, stop_,
                   {.warmup = &runs[i].recorder->warmup(), .draws = &runs[i].recorder->draws()})
              .engine;
    });
    return runs;
  }

  void add_row(const PaperAlgorithm& algorithm) {
    const auto start = std::chrono::steady_clock::now();
    const Schedule& schedule = algorithm.options.schedule;
    const std::string length =
        fmt::format("{} of {} + {} iterations", counted(options_.runs, "run"),
                    with_commas(schedule.warmup), with_commas(schedule.draws * schedule.thin));
    say(fmt::format("{} ({}), {} ...", algorithm.name, name_of(algorithm.options.chosen_kernel()),
                    length));
    const Problem problem = prepare(data_.table, algorithm.options);
    const auto runs = run_all(algorithm, problem);
    if (stop_.asked()) {
      return;
    }
    MeasuredRow measured = measure(algorithm, problem, runs, options_.threads);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    say(fmt::format("{}: {} queries an iteration, {:.3g} effective draws per 1,000 ({})",
                    algorithm.name, paper_number(measured.row.queries_per_iteration()),
                    measured.row.ess_per_1000, duration_text(elapsed.count())));
    result_.settings.push_back(fmt::format(
        "{}: {}, a draw kept every {}, seeds {} to {}", algorithm.name, length,
        counted(schedule.thin, "iteration"), options_.seed, options_.seed + options_.runs - 1));
    means_.push_back(std::move(measured.means));
    result_.rows.push_back(std::move(measured.row));
  }

  void compare() {
    const PaperRow& regular = result_.rows.front();
    const auto per_query = [](const PaperRow& row) {
      return row.ess_per_1000 / row.queries_per_iteration();
    };
    const auto ours = static_cast<std::size_t>(
        std::ranges::find(result_.rows, "flymc", &PaperRow::algorithm) - result_.rows.begin());
    for (std::size_t i = 0; i < result_.rows.size(); ++i) {
      PaperRow& row = result_.rows[i];
      row.speedup = per_query(row) / per_query(regular);
      row.largest_z = largest_z(means_[i], means_[ours]);
    }
    const double base = regular.ess_per_1000 * static_cast<double>(regular.iterations) / 1000.0 *
                        static_cast<double>(options_.runs);
    result_.notes.push_back(fmt::format(
        "The regular row rests on {:.0f} effective draws of the mean parameter in {} "
        "together{}; every speed-up divides by it.",
        base, counted(options_.runs, "run"), base < 50.0 ? ", too few to scorer by" : ""));
    if (options_.size == PaperSize::kQuick) {
      result_.notes.push_back(
          fmt::format("--quick: {} rows and short chains, for a look and not "
                      "for numbers.",
                      with_commas(result_.rows_n)));
    }
  }

  void write() const {
    const fs::path folder = options_.out;
    const std::string figure = paper_figure(result_);
    write_text(folder / (plan_.name + ".json"), paper_json(result_));
    write_text(folder / (plan_.name + ".svg"), figure);
    write_text(folder / (plan_.name + ".html"), paper_page(result_, figure));
  }

  Experiment experiment_;
  const PaperOptions& options_;
  const StopSignal& stop_;
  PaperPlan plan_;
  PaperData data_;
  PaperResult result_;
  std::vector<PaperMeans> means_;
};

}  // namespace

PaperResult run_experiment(Experiment experiment, const PaperOptions& options,
                           const StopSignal& stop) {
  return PaperExperiment(experiment, options, stop).run();
}

}  // namespace flymc::paper
