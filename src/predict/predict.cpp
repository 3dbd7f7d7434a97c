#include "predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/parallel.hpp"
#include "core/staged_file.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/detail/diagnose/class_answer.hpp"
#include "flymc/error.hpp"
#include "predict/predictor.hpp"
#include "predict/row_ids.hpp"
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

// "q5" and "q95"
std::vector<std::string> ends_of(double tail) {
  return {fmt::format("q{:.6g}", 100.0 * tail), fmt::format("q{:.6g}", 100.0 * (1.0 - tail))};
}

// New responses that are classes come with which, in words.
bool has_class_answers(const RunDraws& draws, const PredictHow& how) {
  return how.predictive && draws.family->type().has_probabilities();
}

std::string header(const RunDraws& draws, const PredictHow& how, const std::string& id) {
  const std::vector<std::string> ends = ends_of(how.tail);
  std::vector<std::string> fields;
  if (!id.empty()) {
    fields.push_back(csv_field(id));
  }
  if (has_class_answers(draws, how)) {
    fields.emplace_back("class");
    if (draws.family->type().is_ordered()) {
      fields.insert(fields.end(), ends.begin(), ends.end());
    } else {
      fields.emplace_back("set");
    }
  }
  if (draws.family->type().has_probabilities()) {
    for (const std::string& label : draws.run.classes) {
      fields.push_back(csv_field(label));
      for (std::size_t i = 0; how.class_intervals && !how.predictive && i < ends.size(); ++i) {
        fields.push_back(csv_field(label + ":" + ends[i]));
      }
    }
  } else {
    fields.insert(fields.end(), {"mean", "sd", ends[0], ends[1]});
  }
  if (how.log_density) {
    fields.emplace_back("log_lik");
  }
  return fmt::format("{}\n", fmt::join(fields, ","));
}

// A row that cannot be predicted has no mean.
bool is_predicted(const PredictedRows& rows, Index row) { return !std::isnan(rows.values(row, 0)); }

std::string number_text(double value, bool predicted) {
  return predicted ? fmt::format("{}", value) : "NA";
}

// "car,car|bus": the class drawn most often and those that hold the asked share; of ordered ones
// "3,2,4", with the ends of their interval.
std::string class_words(const RunDraws& draws, std::span<const double> shares, double tail) {
  const std::vector<std::string>& labels = draws.run.classes;
  const bool ordered = draws.family->type().is_ordered();
  if (std::isnan(shares.front())) {
    return ordered ? "NA,NA,NA" : "NA,NA";
  }
  const ClassAnswer answer = class_answer(shares, tail, ordered);
  const std::string most = csv_field(labels[answer.most]);
  if (ordered) {
    return fmt::format("{},{},{}", most, csv_field(labels[answer.set.front()]),
                       csv_field(labels[answer.set.back()]));
  }
  std::vector<std::string> set;
  for (const std::size_t k : answer.set) {
    set.push_back(labels[k]);
  }
  return most + "," + csv_field(fmt::format("{}", fmt::join(set, "|")));
}

std::vector<std::string> lines_of(const PredictedRows& rows, const RunDraws& draws,
                                  const PredictHow& how) {
  const auto width = static_cast<std::size_t>(rows.values.cols());
  std::vector<std::string> lines;
  for (Index i = 0; i < rows.values.rows(); ++i) {
    const bool predicted = is_predicted(rows, i);
    std::vector<std::string> fields;
    if (has_class_answers(draws, how)) {
      fields.push_back(class_words(draws, {&rows.values(i, 0), width}, how.tail));
    }
    for (Index j = 0; j < rows.values.cols(); ++j) {
      fields.push_back(number_text(rows.values(i, j), predicted));
    }
    if (!rows.log_density.empty()) {
      fields.push_back(number_text(rows.log_density[static_cast<std::size_t>(i)], predicted));
    }
    lines.push_back(fmt::format("{}", fmt::join(fields, ",")));
  }
  return lines;
}

// Sum and spread of the log densities, in the order of the rows.
class LogDensities {
 public:
  void add(const std::vector<double>& values) {
    for (const double value : values) {
      if (std::isnan(value)) {  // a row that cannot be predicted
        continue;
      }
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
  std::vector<std::string> lines;  // empty: left out
  std::vector<std::string> draws;  // as lines, where they were asked for
  std::vector<double> log_density;
  std::size_t missing = 0;
};

// "draw.1,draw.2"
std::string draws_header(const RunDraws& draws, const std::string& id) {
  std::vector<std::string> fields;
  if (!id.empty()) {
    fields.push_back(csv_field(id));
  }
  for (std::size_t s = 1; s <= draws.draws(); ++s) {
    fields.push_back(fmt::format("draw.{}", s));
  }
  return fmt::format("{}\n", fmt::join(fields, ","));
}

// A new response a draw; classes by their labels.
std::string draws_line(const RunDraws& draws, Eigen::Ref<const Eigen::RowVectorXd> responses) {
  const bool classes = draws.family->type().has_probabilities();
  std::string line;
  for (const double value : responses) {
    line += line.empty() ? "" : ",";
    line += std::isnan(value) ? "NA"
            : classes         ? csv_field(draws.run.classes[static_cast<std::size_t>(value)])
                              : fmt::format("{}", value);
  }
  return line;
}

// Where draws of new responses go, too.
struct Outputs {
  StagedFile& file;
  StagedFile* draws = nullptr;
};

// Rows come in pieces of any size and leave in blocks of predictor.block_rows(), counted from the
// first row of all: what is written does not depend on the pieces.
class PredictionWriter {
 public:
  // `gaps`: the rows of the file that never come.
  PredictionWriter(const Predictor& predictor, const PredictHow& how, const PredictOptions& options,
                   const RowGaps& gaps, Outputs outputs)
      : predictor_(predictor),
        how_(how),
        data_(options.data),
        gaps_(gaps),
        outputs_(outputs),
        wave_(4UL * resolve_threads(options.data.threads)) {
    if (!options.id.empty()) {
      ids_.emplace(options.data, options.id);
    }
  }

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
  [[nodiscard]] std::size_t missing() const noexcept { return missing_; }
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
        append(wave_[i], rows_ + (first + i) * step);
        densities_.add(wave_[i].log_density);
        missing_ += wave_[i].missing;
      }
    }
    rows_ += rows;
  }

  [[nodiscard]] Block predict(RowRange range) const {
    PredictHow how = how_;
    how.first_row = rows_;
    PredictedRows rows = predictor_.predict(waiting_, range, how);
    Block block;
    block.lines = lines_of(rows, predictor_.draws(), how);
    for (Index i = 0; i < rows.responses.rows(); ++i) {
      block.draws.push_back(draws_line(predictor_.draws(), rows.responses.row(i)));
    }
    for (Index i = 0; i < rows.values.rows(); ++i) {
      block.missing += is_predicted(rows, i) ? 0 : 1;
      if (data_.missing == Missing::kDrop && !is_predicted(rows, i)) {
        block.lines[static_cast<std::size_t>(i)].clear();
      }
    }
    block.log_density = std::move(rows.log_density);
    return block;
  }

  void append(const Block& block, std::size_t first_row) {
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
      if (block.lines[i].empty()) {
        continue;
      }
      const std::string id = ids_ ? csv_field(ids_->of(gaps_.number_of(first_row + i))) + "," : "";
      outputs_.file.append(id + block.lines[i] + "\n");
      if (outputs_.draws != nullptr) {
        outputs_.draws->append(id + block.draws[i] + "\n");
      }
    }
  }

  const Predictor& predictor_;
  PredictHow how_;
  const NewData& data_;
  const RowGaps& gaps_;
  Outputs outputs_;
  std::optional<RowIds> ids_{};
  std::vector<Block> wave_;
  Table waiting_;
  std::size_t rows_ = 0;     // written
  std::size_t missing_ = 0;  // of them
  LogDensities densities_;
};

// Before anything is read: a prediction must not replace what it is made from.
void require_other_file(const std::string& out, const char* setting,
                        const PredictOptions& options) {
  if (out == "-") {
    return;
  }
  require_absent(out, options.overwrite);
  require_outside(out, options.folder);
  std::error_code ignored;
  if (fs::is_regular_file(out, ignored) && fs::equivalent(out, options.data.path, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds the new rows themselves", in_quotes(out)),
                message("choose another {}.", Setting{setting}));
  }
}

void require_draws_out(const PredictOptions& options) {
  if (options.draws_out.empty()) {
    return;
  }
  const Setting asked{"draws_out", shortened(options.draws_out)};
  if (!options.predictive) {
    throw Error(ErrorKind::kUsage, message("{}: draws are of new responses", asked),
                message("add {}.", Setting{"predictive"}));
  }
  if (options.draws_out == options.out) {
    throw Error(ErrorKind::kUsage, message("{} is {}, too", asked, Setting{"out"}),
                "choose another file.");
  }
  require_other_file(options.draws_out, "draws_out", options);
}

PredictHow how_to(const PredictOptions& options) {
  return {.tail = options.prob ? 0.5 * (1.0 - *options.prob) : PredictHow{}.tail,
          .class_intervals = options.prob.has_value(),
          .log_density = options.data.with_response,
          .predictive = options.predictive,
          .keeps_responses = !options.draws_out.empty()};
}

// Rows that are to be left out are read as those that stay NA, so that a level that was not in the
// fit, or a function without an answer, is a reason, too. Only those that miss a response, which
// must be there for a density, are left out by who reads them.
NewData as_read(const PredictOptions& options) {
  NewData data = options.data;
  data.with_trials = options.predictive;
  if (data.missing == Missing::kDrop) {
    data.missing = Missing::kKeep;
    data.drops_unanswered = data.with_response;
  }
  return data;
}

// Which may have no number for a row.
bool has_functions(const LoadSpec& fit) {
  return !fit.formula.empty() &&
         std::ranges::any_of(parse_formula(fit.formula).variables,
                             [](const auto& variable) { return variable.value.size() > 1; });
}

// Of rows that cannot be predicted; empty where there are none. THROWS Error where none is left.
std::string left_out_note(const PredictionWriter& writer, const PredictOptions& options,
                          bool has_functions) {
  const std::string why = std::string("missing values or levels that were not in the fit") +
                          (has_functions ? ", or without a number of a function" : "");
  const std::size_t missing = writer.missing();
  if (missing > 0 && missing == writer.rows() && options.data.missing == Missing::kDrop) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: no rows are left of {}: all have {}.", escaped(options.data.path),
                            with_commas(missing), why));
  }
  if (missing == 0) {
    return "";
  }
  if (options.data.missing == Missing::kDrop) {
    return fmt::format("dropped {} with {}.", counted(missing, "row"), why);
  }
  return fmt::format(
      "warning: {} of {} cannot be predicted and {} NA: a value is missing, {}a level was not in "
      "the fit{}.",
      with_commas(missing), counted(writer.rows(), "row"), missing == 1 ? "is" : "are",
      has_functions ? "" : "or ",
      has_functions ? ", or a function of the formula has no number" : "");
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
  require_other_file(options.out, "out", options);
  require_draws_out(options);
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
  const PredictHow how = how_to(options);
  NewRows new_rows(predictor.draws(), as_read(options));
  std::optional<Table> rows = new_rows.next();  // what is wrong with these leaves no output at all
  StagedFile file(options.out);
  file.append(header(predictor.draws(), how, options.id));
  std::optional<StagedFile> draws_file;
  if (how.keeps_responses) {
    draws_file.emplace(options.draws_out).append(draws_header(predictor.draws(), options.id));
  }
  PredictionWriter writer(predictor, how, options, new_rows.gaps(),
                          {file, draws_file ? &*draws_file : nullptr});
  for (; rows; rows = new_rows.next()) {
    writer.add(*std::move(rows));
  }
  writer.finish();
  const std::string left_out =
      left_out_note(writer, options, has_functions(predictor.draws().run.options.data));
  file.keep();
  if (draws_file) {
    draws_file->keep();
  }
  say(new_rows.note());
  for (const std::string& warning : new_rows.warnings()) {
    say("warning: " + warning);
  }
  if (!left_out.empty()) {
    say(left_out);
  }
  const std::size_t dropped = options.data.missing == Missing::kDrop ? writer.missing() : 0;
  say(fmt::format("predicted {} from {}{}", counted(writer.rows() - dropped, "row"),
                  counted(predictor.draws().draws(), "draw"),
                  options.out == "-" ? "" : ": " + escaped(options.out)));
  if (options.data.with_response) {
    say(writer.densities().text());
  }
}

}  // namespace flymc
