#include "flymc/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/npy_writer.hpp"
#include "flymc/output_folder.hpp"

namespace flymc::app {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// What is made, in the order in which it is put in place.
std::vector<const char*> file_names(SimulatedModel model) {
  if (model == SimulatedModel::kBinomial) {
    return {"X.npy", "y.npy", "trials.npy", "truth.json"};
  }
  return {"X.npy", "y.npy", "truth.json"};
}

// The files under temporary names until all are whole; the destructor removes what was not kept,
// and the folder with it, if that was made here and is empty.
class StagedFolder {
 public:
  explicit StagedFolder(const SimulateFiles& files)
      : folder_(files.out), names_(file_names(files.data.model)) {
    std::error_code ignored;  // where nothing can be seen, nothing can be made: said below
    for (const char* name : names_) {
      if (!files.overwrite && fs::exists(folder_ / name, ignored)) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("{} is there already; use --overwrite or another --out.",
                                in_quotes((folder_ / name).string())));
      }
    }
    home_.emplace(folder_);
  }
  ~StagedFolder() {
    std::error_code ignored;
    for (const char* name : names_) {
      fs::remove(staged(name), ignored);
    }
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  [[nodiscard]] std::string staged(const std::string& name) const {
    return (folder_ / (name + ".part")).string();
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
};

struct Block {
  std::vector<double> x;
  std::vector<double> y;
};

// Some blocks at a time are made in parallel, then written in order. Returns the mean response.
double write_rows(const Simulator& simulator, NpyWriter& x_file, NpyWriter& y_file) {
  const SimulateOptions& options = simulator.options();
  const std::size_t width = 4UL * resolve_threads(options.threads);
  std::vector<Block> wave(std::min(width, simulator.blocks()));
  double sum = 0.0;
  for (std::size_t first = 0; first < simulator.blocks(); first += wave.size()) {
    const std::size_t count = std::min(wave.size(), simulator.blocks() - first);
    parallel_for(count, options.threads, [&](std::size_t i) {
      const std::size_t rows = simulator.rows_of(first + i);
      wave[i].x.resize(rows * options.columns);
      wave[i].y.resize(rows);
      simulator.fill(first + i, wave[i].x, wave[i].y);
    });
    for (const Block& block : std::span(wave).first(count)) {
      x_file.append(block.x);
      y_file.append(block.y);
      for (const double y : block.y) {
        sum += y;
      }
    }
  }
  return sum / static_cast<double>(options.rows);
}

// The same number for every row, block by block as the rest.
void write_trials(const Simulator& simulator, const std::string& path) {
  NpyWriter file(path, {simulator.options().rows});
  const std::vector<double> block(simulator.block_rows(),
                                  static_cast<double>(simulator.options().trials));
  for (std::size_t b = 0; b < simulator.blocks(); ++b) {
    file.append(std::span(block).first(simulator.rows_of(b)));
  }
  file.finish();
}

// About the responses, for the line of y.npy.
std::string describe_responses(const SimulateOptions& data, double mean_response) {
  switch (data.model) {
    case SimulatedModel::kLogistic:
    case SimulatedModel::kProbit:
      return fmt::format(", {:.3g} % of class 1", 100.0 * mean_response);
    case SimulatedModel::kBinomial:
      return fmt::format(", {:.3g} % of {} trials a row",
                         100.0 * mean_response / static_cast<double>(data.trials),
                         with_commas(data.trials));
    case SimulatedModel::kSoftmax:
      return fmt::format(", {} classes", data.classes);
    case SimulatedModel::kPoisson:
    case SimulatedModel::kNegativeBinomial:
      return fmt::format(", mean count {:.3g}", mean_response);
    case SimulatedModel::kStudentT:
      break;
  }
  return "";
}

// What `fit` must be told beside the model.
std::string fit_options(const SimulateOptions& data, const fs::path& folder) {
  std::string options;
  if (data.model == SimulatedModel::kStudentT) {
    options = fmt::format(" --nu {} --scale {}", data.nu, data.scale);
  } else if (data.model == SimulatedModel::kBinomial) {
    options = fmt::format(" --trials {}", shell_word((folder / "trials.npy").string()));
  } else if (data.model == SimulatedModel::kNegativeBinomial) {
    options = fmt::format(" --size {}", data.size);
  }
  return options + (data.intercept ? "" : " --no-intercept");
}

std::string report(const SimulateFiles& files, double mean_response) {
  const SimulateOptions& data = files.data;
  const fs::path folder = files.out;
  const char* trials = data.model == SimulatedModel::kBinomial ? ", trials.npy" : "";
  return fmt::format(
      "made {}: X.npy ({} x {}), y.npy ({}{}){}, truth.json\n"
      "try: flymc fit {} --response {} --model {}{} --out run/\n",
      shell_word((folder / "").string()), with_commas(data.rows), with_commas(data.columns),
      name_of(data.model), describe_responses(data, mean_response), trials,
      shell_word((folder / "X.npy").string()), shell_word((folder / "y.npy").string()),
      name_of(data.model), fit_options(data, folder));
}

// The options of one model alone.
void describe_model(const SimulateOptions& o, Json& truth) {
  if (o.model == SimulatedModel::kSoftmax) {
    truth["classes"] = o.classes;
  } else if (o.model == SimulatedModel::kStudentT) {
    truth["nu"] = o.nu;
    truth["scale"] = o.scale;
  } else if (o.model == SimulatedModel::kBinomial) {
    truth["trials"] = o.trials;
  } else if (o.model == SimulatedModel::kNegativeBinomial) {
    truth["size"] = o.size;
  }
}

}  // namespace

std::string describe_truth(const Simulator& simulator) {
  const SimulateOptions& o = simulator.options();
  Json truth{{"model", name_of(o.model)}, {"n", o.rows}, {"d", o.columns}, {"seed", o.seed}};
  truth["predictor_sd"] = *o.predictor_sd;
  truth["intercept"] = o.intercept;
  describe_model(o, truth);
  truth["rare"] = o.rare;
  truth["heavy_tails"] = o.heavy_tails;
  truth["separable"] = o.separable;
  const Vector& alpha = simulator.truth().alpha;
  const Matrix& beta = simulator.truth().beta;
  Json slopes = Json::array();
  for (Index k = 0; k < beta.cols(); ++k) {
    slopes.push_back(std::vector<double>(beta.col(k).begin(), beta.col(k).end()));
  }
  const bool one = o.model != SimulatedModel::kSoftmax;
  truth["alpha"] = one ? Json(alpha[0]) : Json(std::vector<double>(alpha.begin(), alpha.end()));
  truth["beta"] = one ? slopes[0] : slopes;
  return truth.dump(2) + "\n";
}

std::string simulate_to_folder(const SimulateFiles& files) {
  const Simulator simulator(files.data);
  StagedFolder folder(files);
  NpyWriter x_file(folder.staged("X.npy"), {files.data.rows, files.data.columns});
  NpyWriter y_file(folder.staged("y.npy"), {files.data.rows});
  const double mean_response = write_rows(simulator, x_file, y_file);
  x_file.finish();
  y_file.finish();
  if (files.data.model == SimulatedModel::kBinomial) {
    write_trials(simulator, folder.staged("trials.npy"));
  }
  write_text(folder.staged("truth.json"), describe_truth(simulator));
  folder.keep();
  return report(files, mean_response);
}

}  // namespace flymc::app
