#include "check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "predict/match_rows.hpp"
#include "predict/row_sample.hpp"
#include "run/holdout.hpp"
#include "run/run_folder.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace {

constexpr double kNormal999 = 3.0902323061678132;
constexpr double kSmallGap = 0.02;  // of probabilities: real, and of no weight

// The 0.999 quantile of chi squared (Wilson and Hilferty).
double chance_of_squares(double count) {
  const double part = 2.0 / (9.0 * count);
  return count * std::pow(1.0 - part + kNormal999 * std::sqrt(part), 3.0);
}

Verdict of_calibration(const std::vector<CalibrationBin>& bins) {
  double squares = 0.0;
  const CalibrationBin* worst = &bins.front();
  for (const CalibrationBin& bin : bins) {
    const double gap = bin.share - bin.given;
    squares += bin.sd > 0.0 ? gap * gap / (bin.sd * bin.sd) : 0.0;
    worst = std::abs(gap) > std::abs(worst->share - worst->given) ? &bin : worst;
  }
  const std::string where =
      fmt::format("where the model gives {:.3g}, {:.3g} came", worst->given, worst->share);
  if (squares <= chance_of_squares(static_cast<double>(bins.size()))) {
    return {true,
            "calibrated: what the model gives 30 % happens in 30 of 100 rows, as far as "
            "these rows can tell."};
  }
  if (std::abs(worst->share - worst->given) < kSmallGap) {
    return {true, "calibrated but for little: " + where + "."};
  }
  return {false, "not calibrated: " + where + "."};
}

Verdict of_residuals(const ResidualCheck& check) {
  const std::string held =
      fmt::format("95 % intervals hold {:.1f} % of the responses", 100.0 * check.within_95);
  if (check.distance <= check.by_chance) {
    return {true, "the responses are spread as the model says: " + held + "."};
  }
  if (check.distance < kSmallGap) {
    return {true, fmt::format("the responses are spread as the model says but for little (its "
                              "quantiles are off by at most {:.1f} %): {}.",
                              100.0 * check.distance, held)};
  }
  const double middle = check.within_50 - 0.5;
  const double most = check.within_95 - 0.95;
  const char* const how =
      middle < -kSmallGap && most <= 0.0  ? "the responses vary more than the model says"
      : middle > kSmallGap && most >= 0.0 ? "the responses vary less than the model says"
                                          : "the responses are not spread as the model says";
  return {false,
          fmt::format("{}: {}, 50 % intervals {:.1f} %; quantiles are off by up to {:.1f} %.", how,
                      held, 100.0 * check.within_50, 100.0 * check.distance)};
}

NewData rows_to_read(const CheckOptions& options) {
  NewData data;
  data.of_fit = options.data.empty();
  data.path = options.data;
  data.format = options.format;
  data.missing = Missing::kDrop;
  data.threads = options.threads;
  data.with_response = true;
  return data;
}

void require_mean(const RunDraws& draws) {
  if (!draws.family->type().says_mean) {
    throw Error(ErrorKind::kUsage,
                "a likelihood as text does not say what a response should be; it cannot be checked "
                "so.");
  }
}

CheckedRows own_rows(const RunOptions& run) {
  return run.holdout > 0.0 ? CheckedRows::kHeldOut : CheckedRows::kFitted;
}

TableSample sample_of(NewRows& rows, CheckedRows which, const RunOptions& run, std::size_t most) {
  return sample_table(rows, most, run.seed, [&](std::size_t row) {
    return which != CheckedRows::kHeldOut || is_held_out(run, row);
  });
}

CheckedRun check_sample(const Predictor& predictor, const TableSample& sample,
                        const CheckOptions& options) {
  const RunDraws& draws = predictor.draws();
  require_mean(draws);
  if (sample.rows.rows == 0) {
    throw Error(ErrorKind::kData, "no row is left to check.");
  }
  CheckedRun result;
  result.which = CheckedRows::kOther;
  result.model = draws.family->type().word;
  result.rows = sample.rows.rows;
  result.rows_of = sample.of;
  result.draws = draws.draws();
  result.prob = options.prob;
  result.check = check_predictions(predictor, sample.rows, options.prob, options.threads);
  result.verdict = verdict_of(result.check);
  result.notes = draws.notes;
  return result;
}

void add_dropped_note(const RowCounts& counts, CheckedRun& result) {
  if (const std::string dropped = dropped_note(counts); !dropped.empty()) {
    result.notes.push_back(dropped.substr(2) + ".");
  }
}

}  // namespace

Verdict verdict_of(const PredictiveCheck& check) {
  return check.calibration.empty() ? of_residuals(check.residuals)
                                   : of_calibration(check.calibration);
}

CheckedRun check_run(const CheckOptions& options) {
  const Predictor predictor(read_run_draws(options.folder, options.draws));
  const RunDraws& draws = predictor.draws();
  require_mean(draws);
  if (options.data.empty()) {
    require_stored_rows(draws.run, options.folder, options.verified);
  }
  const RunOptions& run = draws.run.options;
  const CheckedRows which = options.data.empty() ? own_rows(run) : CheckedRows::kOther;
  NewRows rows(draws, rows_to_read(options));
  const TableSample sample = sample_of(rows, which, run, options.rows);
  CheckedRun result = check_sample(predictor, sample, options);
  result.which = which;
  result.folder = shown_folder(options.folder);
  if (!options.data.empty()) {
    add_dropped_note(rows.counts(), result);
  }
  return result;
}

CheckedRun check_rows(const Predictor& predictor, NewData held, const CheckOptions& options) {
  held.with_response = true;
  held.missing = Missing::kDrop;
  NewRows rows(predictor.draws(), held);
  const RunOptions& run = predictor.draws().run.options;
  const CheckedRows which = held.of_fit ? own_rows(run) : CheckedRows::kOther;
  const TableSample sample = sample_of(rows, which, run, options.rows);
  CheckedRun result = check_sample(predictor, sample, options);
  result.which = which;
  result.folder = "the fit";
  if (!held.of_fit) {
    add_dropped_note(rows.counts(), result);
  }
  return result;
}

CheckedRun check_rows(const Predictor& predictor, const HeldRows& held,
                      const CheckOptions& options) {
  const RunDraws& draws = predictor.draws();
  require_mean(draws);
  TableSample sample;
  sample.of = held.size();
  sample.rows = held.table(sample_numbers(held.size(), options.rows, draws.run.options.seed));
  Table& rows = sample.rows;
  arrange_columns(draws.features, rows);
  LevelCodes levels(draws);
  levels.match(rows.factors, NewLevels::kDraw);
  if (!held.of_fit()) {
    rows.weights.clear();
  }
  encode_known_response(rows, draws);
  CheckedRun result = check_sample(predictor, sample, options);
  result.which = held.of_fit() ? CheckedRows::kFitted : CheckedRows::kOther;
  result.folder = "the fit";
  std::ranges::copy(levels.warnings(), std::back_inserter(result.notes));
  return result;
}

}  // namespace flymc
