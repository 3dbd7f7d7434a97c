// What R asks of a fit beside its draws: effects, checks, comparison, report.
#include "answers.hpp"

#include <cmath>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "flymc/answers.hpp"
#include "glue.hpp"
#include "run.hpp"
#include "wording.hpp"

namespace flymc::r {
namespace {

using namespace cpp11::literals;

// The columns are R's, made by its functions.
class FrameRows final : public HeldRows {
 public:
  explicit FrameRows(const cpp11::list& given)
      : count_(static_cast<std::size_t>(cpp11::as_cpp<double>(element(given, "count")))),
        of_fit_(cpp11::as_cpp<bool>(element(given, "of_fit"))),
        table_(element(given, "table")),
        inputs_(element(given, "inputs")),
        changed_(element(given, "changed")) {}

  [[nodiscard]] std::size_t size() const override { return count_; }
  [[nodiscard]] bool of_fit() const override { return of_fit_; }
  [[nodiscard]] Table table(std::span<const std::size_t> rows) const override {
    return to_table(cpp11::list(table_(numbers_from_one(rows))));
  }
  [[nodiscard]] std::vector<InputVariable> inputs(
      std::span<const std::size_t> rows) const override {
    std::vector<InputVariable> result;
    for (const SEXP one : cpp11::list(inputs_(numbers_from_one(rows)))) {
      const cpp11::list input(one);
      result.push_back({cpp11::as_cpp<std::string>(element(input, "name")),
                        numbers(element(input, "values")), texts(element(input, "levels"))});
    }
    return result;
  }
  [[nodiscard]] Table changed(std::span<const std::size_t> rows,
                              const InputVariable& input) const override {
    const cpp11::list made(changed_(numbers_from_one(rows), input.name, input.values));
    if (const std::vector<std::string> why = texts(element(made, "why_not")); !why.empty()) {
      throw Error(ErrorKind::kUsage, why.front());
    }
    return to_features(made);
  }

 private:
  static cpp11::writable::doubles numbers_from_one(std::span<const std::size_t> rows) {
    cpp11::writable::doubles result(static_cast<R_xlen_t>(rows.size()));
    double* const out = REAL(result.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out[i] = static_cast<double>(rows[i]) + 1.0;
    }
    return result;
  }

  std::size_t count_;
  bool of_fit_;
  cpp11::function table_;
  cpp11::function inputs_;
  cpp11::function changed_;
};

// One number of every element, as a vector of R.
template <class Elements, class Number>
cpp11::writable::doubles each(const Elements& elements, const Number& number) {
  cpp11::writable::doubles values;
  for (const auto& element : elements) {
    values.push_back(number(element));
  }
  return values;
}

// A text of every element; NA where it is empty.
template <class Elements, class Text>
cpp11::writable::strings each_text(const Elements& elements, const Text& text) {
  cpp11::writable::strings values;
  for (const auto& element : elements) {
    const std::string& one = text(element);
    values.push_back(one.empty() ? NA_STRING : Rf_mkCharCE(one.c_str(), CE_UTF8));
  }
  return values;
}

// A line of a data frame: what is said of one outcome.
struct Line {
  std::string column;
  std::string level{};
  std::string reference{};
  double at = NA_REAL;
  std::string outcome{};
  DrawSummary of{};
};

cpp11::writable::list columns_of(const std::vector<Line>& lines) {
  return cpp11::writable::list(
      {"column"_nm = each_text(lines, [](const Line& line) { return line.column; }),
       "level"_nm = each_text(lines, [](const Line& line) { return line.level; }),
       "reference"_nm = each_text(lines, [](const Line& line) { return line.reference; }),
       "at"_nm = each(lines, [](const Line& line) { return line.at; }),
       "outcome"_nm = each_text(lines, [](const Line& line) { return line.outcome; }),
       "mean"_nm = each(lines, [](const Line& line) { return line.of.mean; }),
       "sd"_nm = each(lines, [](const Line& line) { return line.of.sd; }),
       "lower"_nm = each(lines, [](const Line& line) { return line.of.lower; }),
       "upper"_nm = each(lines, [](const Line& line) { return line.of.upper; }),
       "prob_positive"_nm = each(lines, [](const Line& line) { return line.of.prob_positive; })});
}

std::vector<Line> effect_lines(const Effects& found) {
  std::vector<Line> lines;
  for (const AverageEffect& effect : found.effects) {
    for (std::size_t k = 0; k < effect.outcomes.size(); ++k) {
      lines.push_back({effect.column, effect.level, effect.reference, NA_REAL, found.outcomes[k],
                       effect.outcomes[k]});
    }
  }
  return lines;
}

std::vector<Line> curve_lines(const Effects& found) {
  std::vector<Line> lines;
  for (const EffectCurve& curve : found.curves) {
    for (const CurvePoint& point : curve.points) {
      for (std::size_t k = 0; k < point.outcomes.size(); ++k) {
        lines.push_back({curve.column,
                         point.level,
                         {},
                         curve.has_levels ? NA_REAL : point.at,
                         found.outcomes[k],
                         point.outcomes[k]});
      }
    }
  }
  return lines;
}

template <class T>
T given(const cpp11::list& asked, const char* name) {
  return cpp11::as_cpp<T>(element(asked, name));
}

// A count as R holds it, in a double; checked there.
std::size_t count(const cpp11::list& asked, const char* name) {
  return static_cast<std::size_t>(given<double>(asked, name));
}

cpp11::writable::list score_columns(const std::vector<Score>& scores) {
  return cpp11::writable::list(
      {"score"_nm = each_text(scores, [](const Score& score) { return score.name; }),
       "mean"_nm = each(scores, [](const Score& score) { return score.mean; }),
       "lower"_nm = each(scores, [](const Score& score) { return score.lower; }),
       "upper"_nm = each(scores, [](const Score& score) { return score.upper; }),
       "without"_nm = each(scores, [](const Score& score) { return score.without; })});
}

cpp11::writable::list calibration_columns(const std::vector<CalibrationBin>& bins) {
  return cpp11::writable::list(
      {"given"_nm = each(bins, [](const CalibrationBin& bin) { return bin.given; }),
       "share"_nm = each(bins, [](const CalibrationBin& bin) { return bin.share; }),
       "low"_nm = each(bins, [](const CalibrationBin& bin) { return bin.low; }),
       "high"_nm = each(bins, [](const CalibrationBin& bin) { return bin.high; }),
       "weight"_nm = each(bins, [](const CalibrationBin& bin) { return bin.weight; })});
}

cpp11::writable::list residual_parts(const ResidualCheck& residuals) {
  return cpp11::writable::list({"bins"_nm = residuals.bins, "distance"_nm = residuals.distance,
                                "by_chance"_nm = residuals.by_chance,
                                "within_50"_nm = residuals.within_50,
                                "within_95"_nm = residuals.within_95});
}

cpp11::writable::list count_columns(const std::vector<CountBar>& bars) {
  return cpp11::writable::list(
      {"observed"_nm = each(bars, [](const CountBar& bar) { return bar.observed; }),
       "expected"_nm = each(bars, [](const CountBar& bar) { return bar.expected; })});
}

using Compared = std::vector<ComparedFit>;

cpp11::writable::doubles number_of_fits(const Compared& fits, double ComparedNumbers::*number) {
  return each(fits, [&](const ComparedFit& fit) {
    const double value = fit.numbers.*number;
    return std::isnan(value) ? NA_REAL : value;
  });
}

cpp11::writable::list compared_columns(const Compared& fits) {
  using N = ComparedNumbers;
  return cpp11::writable::list(
      {"fit"_nm = each_text(fits, [](const ComparedFit& fit) { return fit.name; }),
       "family"_nm = each_text(fits, [](const ComparedFit& fit) { return fit.model; }),
       "elpd_loo"_nm = number_of_fits(fits, &N::elpd_loo),
       "elpd_loo_se"_nm = number_of_fits(fits, &N::elpd_loo_se),
       "elpd_loo_mcse"_nm = number_of_fits(fits, &N::elpd_loo_mcse),
       "khat_max"_nm = number_of_fits(fits, &N::khat_max),
       "khat_high"_nm = each(fits,
                             [](const ComparedFit& fit) {
                               const auto& high = fit.numbers.khat_high;
                               return high ? static_cast<double>(*high) : NA_REAL;
                             }),
       "log_evidence"_nm = number_of_fits(fits, &N::log_evidence),
       "log_evidence_se"_nm = number_of_fits(fits, &N::log_evidence_se),
       "elpd_diff"_nm = number_of_fits(fits, &N::elpd_diff),
       "elpd_diff_se"_nm = number_of_fits(fits, &N::elpd_diff_se),
       "elpd_diff_mcse"_nm = number_of_fits(fits, &N::elpd_diff_mcse),
       "log_bayes_factor"_nm = number_of_fits(fits, &N::log_bayes_factor),
       "log_bayes_factor_se"_nm = number_of_fits(fits, &N::log_bayes_factor_se),
       "why_not"_nm = each_text(fits, [](const ComparedFit& fit) { return fit.why_not; })});
}

// Of all fits below each other.
cpp11::writable::list coefficient_columns(const Compared& fits) {
  cpp11::writable::strings names;
  std::vector<Coefficient> all;
  for (const ComparedFit& fit : fits) {
    for (const Coefficient& coefficient : fit.coefficients) {
      names.push_back(fit.name);
      all.push_back(coefficient);
    }
  }
  return cpp11::writable::list(
      {"fit"_nm = names,
       "parameter"_nm = each_text(all, [](const Coefficient& one) { return one.label; }),
       "mean"_nm = each(all, [](const Coefficient& one) { return one.mean; }),
       "sd"_nm = each(all, [](const Coefficient& one) { return one.sd; })});
}

}  // namespace

SEXP fit_effects(SEXP pointer, SEXP rows, SEXP asked_list) {
  return called([&]() -> SEXP {
    const cpp11::list asked(asked_list);
    EffectsQuestion question;
    question.of = texts(element(asked, "of"));
    if (element(asked, "rows") != R_NilValue) {
      question.rows = count(asked, "rows");
    }
    question.draws = count(asked, "draws");
    question.prob = given<double>(asked, "prob");
    question.threads = static_cast<unsigned>(count(asked, "cores"));
    const Effects found = effects_of(fit_of(pointer), FrameRows(cpp11::list(rows)), question);
    return cpp11::writable::list(
        {"text"_nm = effects_table(found), "effects"_nm = columns_of(effect_lines(found)),
         "curves"_nm = columns_of(curve_lines(found)), "rows"_nm = static_cast<double>(found.rows),
         "rows_of"_nm = static_cast<double>(found.rows_of),
         "draws"_nm = static_cast<double>(found.draws), "prob"_nm = found.prob,
         "notes"_nm = found.notes});
  });
}

SEXP fit_check(SEXP pointer, SEXP rows, SEXP asked_list) {
  return called([&]() -> SEXP {
    const cpp11::list asked(asked_list);
    CheckQuestion question;
    question.rows = count(asked, "rows");
    question.draws = count(asked, "draws");
    question.prob = given<double>(asked, "prob");
    question.threads = static_cast<unsigned>(count(asked, "cores"));
    const CheckedRun found = check_of(fit_of(pointer), FrameRows(cpp11::list(rows)), question);
    return cpp11::writable::list(
        {"text"_nm = check_table(found), "family"_nm = found.model,
         "which"_nm = name_of(found.which), "rows"_nm = static_cast<double>(found.rows),
         "rows_of"_nm = static_cast<double>(found.rows_of),
         "draws"_nm = static_cast<double>(found.draws), "prob"_nm = found.prob,
         "fits"_nm = found.verdict.fits, "verdict"_nm = found.verdict.words,
         "scores"_nm = score_columns(found.check.scores),
         "calibration"_nm = calibration_columns(found.check.calibration),
         "residuals"_nm = residual_parts(found.check.residuals),
         "counts"_nm = count_columns(found.check.counts), "notes"_nm = found.notes});
  });
}

SEXP compare_runs(SEXP fits, SEXP all) {
  return called([&]() -> SEXP {
    std::deque<FrameRows> rows;  // which stay where they are
    std::vector<HeldFit> held;
    for (const SEXP one : cpp11::list(fits)) {
      const cpp11::list fit(one);
      rows.emplace_back(cpp11::list(element(fit, "rows")));
      held.push_back({given<std::string>(fit, "name"), &fit_of(element(fit, "run")), &rows.back(),
                      given<std::vector<std::string>>(fit, "missing_in")});
    }
    const ComparedFits found = compare_fits(held, cpp11::as_cpp<bool>(all), argument_wording());
    std::vector<std::string> notes;
    for (const ComparedFit& fit : found.fits) {
      for (const std::string& note : fit.notes) {
        notes.push_back(fit.name + ": " + note);
      }
    }
    return cpp11::writable::list({"text"_nm = found.text, "fits"_nm = compared_columns(found.fits),
                                  "coefficients"_nm = coefficient_columns(found.fits),
                                  "notes"_nm = notes});
  });
}

SEXP fit_report(SEXP pointer, SEXP rows) {
  return called([&]() -> SEXP {
    return cpp11::as_sexp(
        report_of(fit_of(pointer), FrameRows(cpp11::list(rows)), argument_wording()));
  });
}

}  // namespace flymc::r
