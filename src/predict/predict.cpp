#include "predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/parallel.hpp"
#include "core/staged_file.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/error.hpp"
#include "predict/predictor.hpp"
#include "run/run_writer.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

// A field of RFC 4180, control bytes shown.
std::string csv_field(const std::string& text) {
  const std::string shown = escaped(text);
  if (!shown.empty() && shown.find_first_of(",\" ") == std::string::npos) {
    return shown;
  }
  std::string quoted = "\"";
  for (const char c : shown) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string header(const RunDraws& draws, bool log_density) {
  std::vector<std::string> fields(kPredictedColumns.begin(), kPredictedColumns.end());
  if (draws.family->type().one_a_class()) {
    fields.clear();
    std::ranges::transform(draws.run.classes, std::back_inserter(fields), csv_field);
  }
  if (log_density) {
    fields.emplace_back("log_lik");
  }
  return fmt::format("{}\n", fmt::join(fields, ","));
}

void append_lines(const PredictedRows& rows, std::string& text) {
  for (Index i = 0; i < rows.values.rows(); ++i) {
    for (Index j = 0; j < rows.values.cols(); ++j) {
      text += fmt::format("{}{}", j > 0 ? "," : "", rows.values(i, j));
    }
    if (!rows.log_density.empty()) {
      text += fmt::format(",{}", rows.log_density[static_cast<std::size_t>(i)]);
    }
    text += '\n';
  }
}

// Sum and spread of the log densities, in the order of the rows.
class LogDensities {
 public:
  void add(const std::vector<double>& values) {
    for (const double value : values) {
      count_ += 1.0;
      const double shift = value - mean_;
      mean_ += shift / count_;
      squares_ += shift * (value - mean_);
    }
  }
  // The standard error of a sum of independent rows.
  [[nodiscard]] std::string text() const {
    const double variance = squares_ / (count_ - 1.0);
    return fmt::format("log predictive density {:.8g}, standard error {:.3g}, {:.5g} a row",
                       mean_ * count_, std::sqrt(count_ * variance), mean_);
  }

 private:
  double count_ = 0.0;
  double mean_ = 0.0;
  double squares_ = 0.0;
};

struct Block {
  std::string text;
  std::vector<double> log_density;
};

// Rows come in pieces of any size and leave in blocks of predictor.block_rows(), counted from the
// first row of all: what is written does not depend on the pieces.
class PredictionWriter {
 public:
  PredictionWriter(const Predictor& predictor, const NewData& data, StagedFile& file)
      : predictor_(predictor),
        data_(data),
        file_(file),
        wave_(4UL * resolve_threads(data.threads)) {}

  void add(Table rows) {
    if (waiting_.rows == 0) {
      waiting_ = std::move(rows);
    } else {
      append_rows(waiting_, rows);
    }
    const std::size_t whole = waiting_.rows - waiting_.rows % predictor_.block_rows();
    write(whole);
    waiting_ = rows_of(waiting_, {whole, waiting_.rows});
  }

  void finish() { write(waiting_.rows); }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] const LogDensities& densities() const noexcept { return densities_; }

 private:
  // The first rows. Some blocks at a time are predicted in parallel, then written in order.
  void write(std::size_t rows) {
    const std::size_t step = predictor_.block_rows();
    const std::size_t blocks = (rows + step - 1) / step;
    for (std::size_t first = 0; first < blocks; first += wave_.size()) {
      const std::size_t count = std::min(wave_.size(), blocks - first);
      parallel_for(count, data_.threads, [&](std::size_t i) {
        const std::size_t begin = (first + i) * step;
        wave_[i] = predict({begin, std::min(rows, begin + step)});
      });
      for (std::size_t i = 0; i < count; ++i) {
        file_.append(wave_[i].text);
        densities_.add(wave_[i].log_density);
      }
    }
    rows_ += rows;
  }

  [[nodiscard]] Block predict(RowRange range) const {
    PredictedRows rows = predictor_.predict(waiting_, range, data_.with_response);
    Block block;
    append_lines(rows, block.text);
    block.log_density = std::move(rows.log_density);
    return block;
  }

  const Predictor& predictor_;
  const NewData& data_;
  StagedFile& file_;
  std::vector<Block> wave_;
  Table waiting_;
  std::size_t rows_ = 0;  // written
  LogDensities densities_;
};

// Before anything is read: a prediction must not replace what it is made from.
void require_other_file(const PredictOptions& options) {
  if (options.out == "-") {
    return;
  }
  require_absent(options.out, options.overwrite);
  require_outside(options.out, options.folder);
  std::error_code ignored;
  if (fs::is_regular_file(options.out, ignored) &&
      fs::equivalent(options.out, options.data.path, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds the new rows themselves", in_quotes(options.out)),
                message("choose another {}.", Setting{"out"}));
  }
}

// A file of the fit that is not what it was; one that is gone is no reason to worry.
std::optional<std::string> changed_since(const StoredRun& run) {
  try {
    return changed_file(run);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void predict(const PredictOptions& options) {
  const auto say = [&](const std::string& text) {
    if (!options.quiet) {
      print_error(text + "\n");
    }
  };
  require_other_file(options);
  const Predictor predictor(read_run_draws(options.folder, options.draws));
  for (const std::string& note : predictor.draws().notes) {
    say(note);
  }
  if (const auto file = options.quiet ? std::nullopt : changed_since(predictor.draws().run)) {
    say(
        fmt::format("warning: {} has changed since the run, whose draws are of the data as they "
                    "were.",
                    escaped(*file)));
  }
  NewRows new_rows(predictor.draws(), options.data);
  std::optional<Table> rows = new_rows.next();  // what is wrong with these leaves no output at all
  StagedFile file(options.out);
  file.append(header(predictor.draws(), options.data.with_response));
  PredictionWriter writer(predictor, options.data, file);
  for (; rows; rows = new_rows.next()) {
    writer.add(*std::move(rows));
  }
  writer.finish();
  file.keep();
  say(new_rows.note());
  for (const std::string& warning : new_rows.warnings()) {
    say("warning: " + warning);
  }
  say(fmt::format("predicted {} from {}{}", counted(writer.rows(), "row"),
                  counted(predictor.draws().draws(), "draw"),
                  options.out == "-" ? "" : ": " + escaped(options.out)));
  if (options.data.with_response) {
    say(writer.densities().text());
  }
}

}  // namespace flymc
