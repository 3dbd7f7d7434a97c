#include "cli/simulate/simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/output_folder.hpp"
#include "core/parallel.hpp"
#include "core/staged_file.hpp"
#include "core/text.hpp"
#include "data/format/fly_writer.hpp"
#include "data/format/npy_writer.hpp"
#include "data/table/columns.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// What is made, in the order in which it is put in place.
std::vector<const char*> file_names(const SimulateFiles& files) {
  if (files.fly) {
    return {"data.fly", "truth.json"};
  }
  if (!files.data.groups.empty()) {
    return {"data.csv", "truth.json"};
  }
  if (are_of_trials(find_family(files.data.family).response)) {
    return {"X.npy", "y.npy", "trials.npy", "truth.json"};
  }
  return {"X.npy", "y.npy", "truth.json"};
}

// The files in a hidden folder until all are whole; what is not kept goes with it, and so does the
// folder they were for, if that was made here and is empty.
class StagedFolder {
 public:
  explicit StagedFolder(const SimulateFiles& files)
      : folder_(files.out), names_(file_names(files)) {
    std::error_code ignored;  // where nothing can be seen, nothing can be made: said below
    for (const char* name : names_) {
      if (!files.overwrite && fs::exists(folder_ / name, ignored)) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("{} is there already; use --overwrite or another --out.",
                                in_quotes((folder_ / name).string())));
      }
      require_absent(folder_ / name, true);
    }
    home_.emplace(folder_);
    staged_.emplace(folder_ / names_.front());
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  [[nodiscard]] std::string staged(const std::string& name) const {
    return (staged_->path() / name).string();
  }

  void keep() {
    for (const char* name : names_) {
      std::error_code error;
      fs::rename(staged(name), folder_ / name, error);
      if (error) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("cannot create {}: {}; choose another --out.",
                                in_quotes((folder_ / name).string()), error.message()));
      }
    }
  }

 private:
  fs::path folder_;
  std::vector<const char*> names_;
  std::optional<NewFolder> home_;
  std::optional<TemporaryFolder> staged_;  // in it, so removed before
};

struct Block {
  Buffer<double> x;
  std::vector<double> y;
  std::vector<std::vector<std::uint32_t>> levels;  // of each factor
};

// Some blocks at a time are made in parallel, then taken in order.
template <class Take>
void for_each_block(const Simulator& simulator, const Take& take) {
  const SimulateOptions& options = simulator.options();
  const std::size_t width = 4UL * resolve_threads(options.threads);
  std::vector<Block> wave(std::min(width, simulator.blocks()));
  for (std::size_t first = 0; first < simulator.blocks(); first += wave.size()) {
    const std::size_t count = std::min(wave.size(), simulator.blocks() - first);
    parallel_for(count, options.threads, [&](std::size_t i) {
      const std::size_t rows = simulator.rows_of(first + i);
      wave[i].x.resize(rows * options.columns);
      wave[i].y.resize(rows);
      simulator.fill(first + i, wave[i].x, wave[i].y);
      wave[i].levels.clear();
      for (std::size_t factor = 0; factor < options.groups.size(); ++factor) {
        wave[i].levels.push_back(simulator.levels_of(first + i, factor));
      }
    });
    for (const Block& block : std::span(wave).first(count)) {
      take(block);
    }
  }
}

// The same number for every row, block by block as the rest.
template <class Take>
void for_each_trials_block(const Simulator& simulator, const Take& take) {
  const std::vector<double> block(simulator.block_rows(),
                                  static_cast<double>(simulator.options().trials));
  for (std::size_t b = 0; b < simulator.blocks(); ++b) {
    take(std::span(block).first(simulator.rows_of(b)));
  }
}

double sum_of(const Block& block) { return std::accumulate(block.y.begin(), block.y.end(), 0.0); }

bool has_trials(const Simulator& simulator) {
  return are_of_trials(simulator.family().type().response);
}

// Returns the sum of the responses.
double write_arrays(const Simulator& simulator, const StagedFolder& folder) {
  const SimulateOptions& options = simulator.options();
  NpyWriter x_file(folder.staged("X.npy"), {options.rows, options.columns});
  NpyWriter y_file(folder.staged("y.npy"), {options.rows});
  double sum = 0.0;
  for_each_block(simulator, [&](const Block& block) {
    x_file.append(block.x);
    y_file.append(block.y);
    sum += sum_of(block);
  });
  x_file.finish();
  y_file.finish();
  if (has_trials(simulator)) {
    NpyWriter file(folder.staged("trials.npy"), {options.rows});
    for_each_trials_block(simulator, [&](std::span<const double> rows) { file.append(rows); });
    file.finish();
  }
  return sum;
}

// Numbers as short as they can be without losing a bit.
std::string csv_rows(const Block& block, const SimulateOptions& options, bool trials) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < block.y.size(); ++i) {
    for (const auto& levels : block.levels) {
      fmt::format_to(out, "{},", 1 + levels[i]);
    }
    const auto row = std::span(block.x).subspan(i * options.columns, options.columns);
    fmt::format_to(out, "{},{}", fmt::join(row, ","), block.y[i]);
    if (trials) {
      fmt::format_to(out, ",{}", options.trials);
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

double write_csv(const Simulator& simulator, const StagedFolder& folder) {
  const SimulateOptions& options = simulator.options();
  StagedFile file(folder.staged("data.csv"));
  file.append(fmt::format("{},{},y{}\n", fmt::join(factor_names(options), ","),
                          fmt::join(numbered_names(options.columns), ","),
                          has_trials(simulator) ? ",trials" : ""));
  double sum = 0.0;
  for_each_block(simulator, [&](const Block& block) {
    file.append(csv_rows(block, options, has_trials(simulator)));
    sum += sum_of(block);
  });
  file.keep();
  return sum;
}

// Levels, from 1, before the columns.
Buffer<double> with_levels(const Block& block, std::size_t columns) {
  const std::size_t factors = block.levels.size();
  Buffer<double> rows(block.y.size() * (factors + columns));
  for (std::size_t i = 0; i < block.y.size(); ++i) {
    double* const row = rows.data() + i * (factors + columns);
    for (std::size_t factor = 0; factor < factors; ++factor) {
      row[factor] = 1.0 + block.levels[factor][i];
    }
    std::copy_n(block.x.data() + i * columns, columns, row + factors);
  }
  return rows;
}

// Responses stand before the features: the rows are made twice, which costs less than to keep them.
double write_fly_file(const Simulator& simulator, const StagedFolder& folder, bool float32) {
  Table rows;  // of one block
  rows.columns = factor_names(simulator.options());
  std::ranges::copy(numbered_names(simulator.options().columns), std::back_inserter(rows.columns));
  FlyShape shape{.rows = simulator.options().rows, .columns = rows.columns, .response = "y"};
  shape.has[kFlyResponse] = true;
  shape.has[kFlyTrials] = has_trials(simulator);
  FlyWriter writer(shape, {.path = folder.staged("data.fly"),
                           .float32 = float32,
                           .trials = has_trials(simulator) ? "trials" : ""});
  double sum = 0.0;
  for_each_block(simulator, [&](const Block& block) {
    writer.write(kFlyResponse, block.y);
    sum += sum_of(block);
  });
  if (has_trials(simulator)) {
    for_each_trials_block(simulator,
                          [&](std::span<const double> y) { writer.write(kFlyTrials, y); });
  }
  for_each_block(simulator, [&](const Block& block) {
    rows.rows = block.y.size();
    rows.x = with_levels(block, simulator.options().columns);
    std::ignore = writer.write_rows(rows);
  });
  std::ignore = writer.finish();
  return sum;
}

// About the responses, for the line of y.npy.
std::string describe_responses(const SimulateOptions& data, double mean_response) {
  switch (find_family(data.family).response) {
    case ResponseKind::kTwoClasses:
      return fmt::format(", {:.3g} % of class 1", 100.0 * mean_response);
    case ResponseKind::kSuccesses:
    case ResponseKind::kTallies:
      return fmt::format(", {:.3g} % of {} trials a row",
                         100.0 * mean_response / static_cast<double>(data.trials),
                         with_commas(data.trials));
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered:
      return fmt::format(", {} classes", data.classes);
    case ResponseKind::kCounts:
      return fmt::format(", mean count {:.3g}", mean_response);
    case ResponseKind::kPositive:
    case ResponseKind::kShares:
      return fmt::format(", mean {:.3g}", mean_response);
    case ResponseKind::kNumbers:
      break;
  }
  return "";
}

// One file holds all columns by name.
bool is_one_table(const SimulateFiles& files) { return files.fly || !files.data.groups.empty(); }

// "y ~ . + (1 | g1)".
std::string group_formula(const SimulateOptions& data) {
  std::string formula = data.intercept ? "y ~ ." : "y ~ 0 + .";
  for (const std::string& factor : factor_names(data)) {
    formula += fmt::format(" + (1 | {})", factor);
  }
  return formula;
}

// What `fit` must be told beside the data and the family.
std::string fit_options(const SimulateFiles& files) {
  const SimulateOptions& data = files.data;
  const FamilyType& family = find_family(data.family);
  std::string options;
  if (are_of_trials(family.response)) {
    options = " --trials " + (is_one_table(files)
                                  ? "trials"
                                  : shell_word((fs::path(files.out) / "trials.npy").string()));
  }
  for (const OwnSetting& setting : family.settings) {
    options += fmt::format(" --{} {}", setting.name, value_of(setting, data.own));
  }
  if (!data.groups.empty()) {
    return fmt::format("{} --formula {}", options, shell_word(group_formula(data)));
  }
  return options + (data.intercept || family.is_ordered() ? "" : " --no-intercept");
}

// "data.fly (1,000 x 3, float32; 200 levels; logistic, 49 % of class 1)".
std::string describe_table(const SimulateFiles& files, const std::string& shape,
                           const std::string& response) {
  std::vector<std::string> levels;
  std::ranges::transform(files.data.groups, std::back_inserter(levels), with_commas);
  return fmt::format(
      "{} ({}{}; {}{})", file_names(files).front(), shape, files.float32 ? ", float32" : "",
      levels.empty() ? "" : fmt::format("{} levels; ", fmt::join(levels, " and ")), response);
}

std::string report(const SimulateFiles& files, double mean_response) {
  const SimulateOptions& data = files.data;
  const fs::path folder = files.out;
  const std::string shape =
      fmt::format("{} x {}", with_commas(data.rows), with_commas(data.columns));
  const std::string response =
      fmt::format("{}{}", data.family, describe_responses(data, mean_response));
  const std::string made =
      is_one_table(files)
          ? describe_table(files, shape, response)
          : fmt::format("X.npy ({}), y.npy ({}){}", shape, response,
                        are_of_trials(find_family(data.family).response) ? ", trials.npy" : "");
  const std::string input =
      is_one_table(files) ? shell_word((folder / file_names(files).front()).string())
                          : fmt::format("{} --response {}", shell_word((folder / "X.npy").string()),
                                        shell_word((folder / "y.npy").string()));
  return fmt::format("made {}: {}, truth.json\ntry: flymc fit {} --model {}{} --out run/\n",
                     shell_word((folder / "").string()), made, input, data.family,
                     fit_options(files));
}

// The options of one family alone.
void describe_family(const Simulator& simulator, Json& truth) {
  const FamilyType& family = simulator.family().type();
  if (family.has_probabilities()) {
    truth["classes"] = simulator.options().classes;
  }
  if (are_of_trials(family.response)) {
    truth["trials"] = simulator.options().trials;
  }
  for (const OwnSetting& setting : family.settings) {
    truth[setting.name] = simulator.family().settings().at(setting.name);
  }
  for (const Auxiliary& auxiliary : family.auxiliaries) {
    truth[auxiliary.name] = auxiliary.usual;
  }
}

}  // namespace

std::string describe_truth(const Simulator& simulator) {
  const SimulateOptions& o = simulator.options();
  Json truth{{"model", o.family}, {"n", o.rows}, {"d", o.columns}, {"seed", o.seed}};
  truth["predictor_sd"] = *o.predictor_sd;
  truth["intercept"] = o.intercept;
  describe_family(simulator, truth);
  truth["rare"] = o.rare;
  truth["heavy_tails"] = o.heavy_tails;
  truth["separable"] = o.separable;
  const Vector& alpha = simulator.truth().alpha;
  const Matrix& beta = simulator.truth().beta;
  Json slopes = Json::array();
  for (Index k = 0; k < beta.cols(); ++k) {
    slopes.push_back(std::vector<double>(beta.col(k).begin(), beta.col(k).end()));
  }
  const bool one = !simulator.family().type().one_a_class();
  truth["alpha"] = one ? Json(alpha[0]) : Json(std::vector<double>(alpha.begin(), alpha.end()));
  truth["beta"] = one ? slopes[0] : slopes;
  for (std::size_t factor = 0; factor < o.groups.size(); ++factor) {
    const std::string name = factor_names(o)[factor];
    const Vector& levels = simulator.truth().levels[factor];
    truth["sd." + name] = o.group_sd;
    truth["u." + name] = std::vector<double>(levels.begin(), levels.end());
  }
  return truth.dump(2) + "\n";
}

std::string simulate_to_folder(const SimulateFiles& files) {
  const Simulator simulator(files.data);
  StagedFolder folder(files);
  const double sum = files.fly                   ? write_fly_file(simulator, folder, files.float32)
                     : files.data.groups.empty() ? write_arrays(simulator, folder)
                                                 : write_csv(simulator, folder);
  write_text(folder.staged("truth.json"), describe_truth(simulator));
  folder.keep();
  return report(files, sum / static_cast<double>(files.data.rows));
}

}  // namespace flymc::cli
