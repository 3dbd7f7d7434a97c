#include "flymc/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
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

constexpr std::array<const char*, 3> kNames = {"X.npy", "y.npy", "truth.json"};

// The files under temporary names until all are whole; the destructor removes what was not kept,
// and the folder with it, if that was made here.
class StagedFolder {
 public:
  StagedFolder(fs::path folder, bool overwrite) : folder_(std::move(folder)) {
    std::error_code ignored;  // where nothing can be seen, nothing can be made: said below
    for (const char* name : kNames) {
      if (!overwrite && fs::exists(folder_ / name, ignored)) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("{} is there already; use --overwrite or another --out.",
                                in_quotes((folder_ / name).string())));
      }
    }
    made_folder_ = make_folder(folder_);
  }
  ~StagedFolder() {
    std::error_code ignored;
    for (const char* name : kNames) {
      fs::remove(staged(name), ignored);
    }
    if (made_folder_ && !kept_) {
      fs::remove(folder_, ignored);  // only if empty
    }
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  [[nodiscard]] std::string staged(const std::string& name) const {
    return (folder_ / (name + ".part")).string();
  }

  void keep() {
    for (const char* name : kNames) {
      std::error_code error;
      fs::rename(staged(name), folder_ / name, error);
      if (error) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("cannot create {}: {}; choose another --out.",
                                in_quotes((folder_ / name).string()), error.message()));
      }
      kept_ = true;
    }
  }

 private:
  fs::path folder_;
  bool made_folder_ = false;
  bool kept_ = false;
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

const char* name_of(SimulatedModel model) noexcept {
  return model == SimulatedModel::kLogistic  ? "logistic"
         : model == SimulatedModel::kSoftmax ? "softmax"
                                             : "student-t";
}

std::string report(const SimulateFiles& files, double mean_response) {
  const SimulateOptions& data = files.data;
  const fs::path folder = files.out;
  std::string extra;
  std::string fit_options;
  if (data.model == SimulatedModel::kLogistic) {
    extra = fmt::format(", {:.3g} % of class 1", 100.0 * mean_response);
  } else if (data.model == SimulatedModel::kSoftmax) {
    extra = fmt::format(", {} classes", data.classes);
  } else {
    fit_options = fmt::format(" --nu {} --scale {}", data.nu, data.scale);
  }
  fit_options += data.intercept ? "" : " --no-intercept";
  return fmt::format(
      "made {}: X.npy ({} x {}), y.npy ({}{}), truth.json\n"
      "try: flymc fit {} --response {} --model {}{} --out run/\n",
      shell_word(folder / ""), with_commas(data.rows), with_commas(data.columns),
      name_of(data.model), extra, shell_word(folder / "X.npy"), shell_word(folder / "y.npy"),
      name_of(data.model), fit_options);
}

}  // namespace

std::string describe_truth(const Simulator& simulator) {
  const SimulateOptions& o = simulator.options();
  Json truth{{"model", name_of(o.model)}, {"n", o.rows}, {"d", o.columns}, {"seed", o.seed}};
  truth["predictor_sd"] = o.predictor_sd;
  truth["intercept"] = o.intercept;
  if (o.model == SimulatedModel::kSoftmax) {
    truth["classes"] = o.classes;
  } else if (o.model == SimulatedModel::kStudentT) {
    truth["nu"] = o.nu;
    truth["scale"] = o.scale;
  }
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
  StagedFolder folder(files.out, files.overwrite);
  NpyWriter x_file(folder.staged("X.npy"), {files.data.rows, files.data.columns});
  NpyWriter y_file(folder.staged("y.npy"), {files.data.rows});
  const double mean_response = write_rows(simulator, x_file, y_file);
  x_file.finish();
  y_file.finish();
  write_text(folder.staged("truth.json"), describe_truth(simulator));
  folder.keep();
  return report(files, mean_response);
}

}  // namespace flymc::app
