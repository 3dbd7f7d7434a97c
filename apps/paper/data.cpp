#include "paper/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/format/idx.hpp"
#include "data/input/content.hpp"
#include "data/table/principal_components.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "flymc/random.hpp"

namespace flymc::paper {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kData, escaped(path) + ": " + what);
}

bool is_there(const std::string& path) {
  std::error_code unreadable;  // what cannot be looked at is for the reader to report
  return fs::status(path, unreadable).type() != fs::file_type::not_found;
}

// A part of the data folder, and what to tell a user who lacks one of its files.
struct Part {
  std::string folder;  // with the name of the part
  std::string files;   // that belong into it

  [[nodiscard]] std::string find(const std::string& name, const std::string& other = {}) const {
    for (const std::string& candidate : {name, other}) {
      if (!candidate.empty() && is_there(folder + "/" + candidate)) {
        return folder + "/" + candidate;
      }
    }
    throw Error(ErrorKind::kNoInput,
                fmt::format("{}/{}: no such file; put {} into {}/, or leave --data out for a "
                            "simulated table.",
                            escaped(folder), name, files, escaped(folder)));
  }
};

void require_folder(const std::string& folder) {
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable)) {
    throw Error(ErrorKind::kNoInput,
                fmt::format("{}: no such folder; it holds mnist/, cifar3/ or qm9gap/ with their "
                            "files; or leave --data out for a simulated table.",
                            escaped(folder)));
  }
}

void require_columns(const Table& table, const std::string& path, std::size_t expected) {
  if (table.columns.size() != expected) {
    fail(path, fmt::format("{}; expected {}.", counted(table.columns.size(), "column"), expected));
  }
}

// Returns what to add to the source: nothing where all rows stay.
std::string keep_first(Table& table, std::size_t rows) {
  if (rows == 0 || rows >= table.rows) {
    return {};
  }
  std::string note =
      fmt::format(", the first {} of {} rows", with_commas(rows), with_commas(table.rows));
  table.x.resize(rows * table.columns.size());
  table.response.values.resize(rows);
  table.rows = rows;
  return note;
}

// Training images and labels that belong together.
struct Digits {
  IdxArray images;
  std::vector<std::uint8_t> labels;
};

Digits read_digits(const Part& part) {
  const std::string images_name = "train-images-idx3-ubyte";
  const std::string labels_name = "train-labels-idx1-ubyte";
  const std::string images_path = part.find(images_name + ".gz", images_name);
  const std::string labels_path = part.find(labels_name + ".gz", labels_name);
  Digits digits{read_idx(images_path, 3), read_idx(labels_path, 1).bytes};
  const auto& shape = digits.images.shape;
  constexpr std::size_t kSide = 28;
  if (shape[1] != kSide || shape[2] != kSide) {
    fail(images_path, fmt::format("images of {} x {} pixels; expected {} x {}.", shape[1], shape[2],
                                  kSide, kSide));
  }
  if (digits.labels.size() != shape[0]) {
    fail(labels_path, fmt::format("{}, but {} has {}.", counted(digits.labels.size(), "label"),
                                  escaped(images_path), counted(shape[0], "image")));
  }
  constexpr std::size_t kAll = 60000;
  constexpr std::ptrdiff_t kSevens = 6265;
  constexpr std::ptrdiff_t kNines = 5949;
  const auto sevens = std::count(digits.labels.begin(), digits.labels.end(), 7);
  const auto nines = std::count(digits.labels.begin(), digits.labels.end(), 9);
  if (shape[0] == kAll && (sevens != kSevens || nines != kNines)) {
    fail(labels_path, fmt::format("{} sevens and {} nines; MNIST has {} and {}.", sevens, nines,
                                  kSevens, kNines));
  }
  return digits;
}

// The 7s and 9s, pixels from 0 to 1; the response is 0 for a 7 and 1 for a 9.
RowMatrix sevens_and_nines(const Digits& digits, std::vector<double>& response) {
  const auto pixels = static_cast<Index>(digits.images.shape[1] * digits.images.shape[2]);
  using Bytes = Eigen::Map<const Eigen::Array<std::uint8_t, 1, Eigen::Dynamic>>;
  constexpr double kWhite = 255.0;
  std::vector<Index> chosen;
  for (std::size_t n = 0; n < digits.labels.size(); ++n) {
    if (digits.labels[n] == 7 || digits.labels[n] == 9) {
      chosen.push_back(static_cast<Index>(n));
      response.push_back(digits.labels[n] == 9 ? 1.0 : 0.0);
    }
  }
  RowMatrix x(static_cast<Index>(chosen.size()), pixels);
  for (Index i = 0; i < x.rows(); ++i) {
    const Index n = chosen[static_cast<std::size_t>(i)];
    x.row(i) = Bytes(digits.images.bytes.data() + n * pixels, pixels).cast<double>() / kWhite;
  }
  return x;
}

PaperData load_mnist(const std::string& folder, const PaperDataOptions& options) {
  constexpr std::size_t kComponents = 50;
  const Part part{folder + "/mnist",
                  "MNIST's train-images-idx3-ubyte.gz and train-labels-idx1-ubyte.gz"};
  std::vector<double> response;
  const RowMatrix x = sevens_and_nines(read_digits(part), response);
  const std::size_t all = response.size();
  if (all <= kComponents) {
    fail(part.folder, fmt::format("{} of a 7 or a 9; {} principal components need more.",
                                  counted(all, "image"), kComponents));
  }
  const auto found =
      principal_components({x.data(), x.rows(), x.cols()}, kComponents, options.threads);
  const bool subset = options.rows > 0 && options.rows < all;
  PaperData data;
  data.source =
      fmt::format("MNIST 7 v 9 of {}, {} principal components{}", escaped(folder), kComponents,
                  subset ? fmt::format(", {} of {} rows drawn at random", with_commas(options.rows),
                                       with_commas(all))
                         : "");
  Table& table = data.table;
  table.rows = subset ? options.rows : all;
  for (std::size_t j = 1; j <= kComponents; ++j) {
    table.columns.push_back(fmt::format("pc{}", j));
  }
  table.response = {"digit", {}, {"7", "9"}};
  Stream stream(options.seed, 0, Purpose::kInit, 0);
  const Permutation shuffled(all, stream);
  for (std::size_t i = 0; i < table.rows; ++i) {
    const std::size_t n = subset ? shuffled(i) : i;
    const double* const scores = found.scores.data() + n * kComponents;
    table.x.insert(table.x.end(), scores, scores + kComponents);
    table.response.values.push_back(response[n]);
  }
  return data;
}

// Rows of one's own, to be changed: those of an npy lie in their file.
Table load_copy(const std::string& x_path, const std::string& y_path, unsigned threads) {
  const Table table = load({.path = x_path, .response = y_path, .threads = threads}).table;
  return rows_of(table, {0, table.rows});
}

// Codes 0 and 1, classes 0, 1 and 2, each of them there.
void require_codes(const Table& table, const std::string& x_path, const std::string& y_path) {
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    if (table.x[i] != 0.0 && table.x[i] != 1.0) {
      fail(x_path,
           fmt::format("row {}, column {} is {}; expected 0 or 1.", i / table.columns.size() + 1,
                       i % table.columns.size() + 1, table.x[i]));
    }
  }
  std::array<bool, 3> found{};
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double value = table.response.values[n];
    if (value != 0.0 && value != 1.0 && value != 2.0) {
      fail(y_path, fmt::format("row {} is {}; expected a class 0, 1 or 2.", n + 1, value));
    }
    found[static_cast<std::size_t>(value)] = true;
  }
  if (const auto absent = std::find(found.begin(), found.end(), false); absent != found.end()) {
    fail(y_path,
         fmt::format("no row of class {}; expected classes 0, 1 and 2.", absent - found.begin()));
  }
}

PaperData load_cifar(const std::string& folder, const PaperDataOptions& options) {
  constexpr std::size_t kCodes = 256;
  const Part part{folder + "/cifar3", "X.npy (rows of 256 codes, 0 or 1) and y.npy (0, 1 or 2)"};
  const std::string x_path = part.find("X.npy");
  const std::string y_path = part.find("y.npy");
  Table table = load_copy(x_path, y_path, options.threads);
  require_columns(table, x_path, kCodes);
  require_codes(table, x_path, y_path);
  table.response.name = "class";
  table.response.labels = {"airplane", "automobile", "bird"};
  const std::string note = keep_first(table, options.rows);
  return {std::move(table),
          fmt::format("CIFAR-10 airplane, automobile, bird of {}, {} binary codes{}",
                      escaped(folder), kCodes, note)};
}

std::vector<std::string> read_column_names(const std::string& path, std::size_t expected) {
  const Content content(path);
  const auto json = nlohmann::json::parse(content.bytes(), nullptr, false);
  const auto features = json.is_object() ? json.value("features", nlohmann::json()) : json;
  const bool names = features.is_array() && features.size() == expected &&
                     std::all_of(features.begin(), features.end(),
                                 [](const auto& name) { return name.is_string(); });
  if (!names) {
    fail(path, fmt::format("expected {{\"features\": [...]}} with {} names.", expected));
  }
  return features.get<std::vector<std::string>>();
}

PaperData load_opv(const std::string& folder, const PaperDataOptions& options) {
  constexpr std::size_t kColumns = 57;
  const bool cep = !is_there(folder + "/qm9gap") && is_there(folder + "/cep_pce");
  const Part part{folder + (cep ? "/cep_pce" : "/qm9gap"),
                  "X.npy (rows of 57 descriptors) and y.npy"};
  const std::string x_path = part.find("X.npy");
  const std::string y_path = part.find("y.npy");
  Table table = load_copy(x_path, y_path, options.threads);
  require_columns(table, x_path, kColumns);
  if (const std::string names = part.folder + "/columns.json"; is_there(names)) {
    table.columns = read_column_names(names, kColumns);
  }
  table.response.name = cep ? "pce" : "gap";
  const std::string note = keep_first(table, options.rows);
  standardise(table, options.threads);
  const char* const what = cep ? "Clean Energy Project efficiencies" : "QM9 HOMO-LUMO gaps";
  const char* const why = cep ? "cep_pce, no qm9gap" : "in place of OPV";
  return {std::move(table), fmt::format("{} of {} ({}){}", what, escaped(folder), why, note)};
}

}  // namespace

void standardise(Table& table, unsigned threads) {
  constexpr double kConstant = 1e-12;  // sd beside the mean: rounding, as prepare() sees it
  const ColumnMoments moments = column_moments(table, threads);
  const auto width = static_cast<Index>(table.columns.size());
  const Vector factor = moments.sd.binaryExpr(moments.mean, [](double sd, double mean) {
    return sd <= kConstant * std::abs(mean) ? 0.0 : 1.0 / sd;
  });
  const auto pieces = row_chunks(table.rows, 0);
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    RowMatrixView x(table.x.data() + pieces[i].first * table.columns.size(),
                    static_cast<Index>(pieces[i].size()), width);
    x.rowwise() -= moments.mean.transpose();
    x.array().rowwise() *= factor.transpose().array();
  });
}

PaperData load_experiment(Experiment experiment, const std::string& folder,
                          const PaperDataOptions& options) {
  if (folder.empty()) {
    return simulate_experiment(experiment, options);
  }
  require_folder(folder);
  switch (experiment) {
    case Experiment::kMnist:
      return load_mnist(folder, options);
    case Experiment::kCifar:
      return load_cifar(folder, options);
    case Experiment::kOpv:
      break;
  }
  return load_opv(folder, options);
}

}  // namespace flymc::paper
