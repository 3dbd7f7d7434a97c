#include "report/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/message.hpp"
#include "core/text.hpp"
#include "fit/parameters.hpp"
#include "flymc/error.hpp"
#include "report/numbers.hpp"
#include "report/summary_parts.hpp"

namespace flymc {
namespace {

bool is_coefficient(const std::string& column) {
  return column.starts_with("alpha") || column.starts_with("beta");
}

// Coefficients, also of other predictors (zi_beta.1) and of levels (u.city[Oslo]): 0 is no effect.
bool may_be_negative(const std::string& column) {
  return is_coefficient(column) || is_of_level(column) ||
         column.find("_beta.") != std::string::npos;
}

// As many digits as the Monte Carlo error supports.
std::string number(const Answer& answer, double value) {
  if (answer.mcse_mean > 0.0 && std::isfinite(answer.mcse_mean)) {
    return fixed(value, supported_decimals(answer.mcse_mean));
  }
  return approximate(value);
}

TextColumn column(std::string title, Align align, const std::vector<AnswerLine>& lines,
                  const std::function<std::string(const AnswerLine&)>& cell) {
  TextColumn result{.title = std::move(title), .align = align, .cells = {}};
  for (const AnswerLine& line : lines) {
    result.cells.push_back(cell(line));
  }
  return result;
}

const std::map<std::string, std::string>& ratio_names() {
  static const std::map<std::string, std::string> kNames = {{"logistic", "odds ratio"},
                                                            {"binomial", "odds ratio"},
                                                            {"beta-binomial", "odds ratio"},
                                                            {"softmax", "odds ratio"},
                                                            {"ordinal", "odds ratio"},
                                                            {"beta", "odds ratio"},
                                                            {"poisson", "rate ratio"},
                                                            {"negative-binomial", "rate ratio"},
                                                            {"zip", "rate ratio"},
                                                            {"zinb", "rate ratio"},
                                                            {"hurdle-poisson", "rate ratio"},
                                                            {"cloglog", "hazard ratio"},
                                                            {"gamma", "ratio"},
                                                            {"lognormal", "ratio"},
                                                            {"exponential", "ratio"},
                                                            {"weibull", "ratio"},
                                                            {"log-logistic", "ratio"},
                                                            {"own", "exp"}};
  return kNames;
}

}  // namespace

bool has_ratios(const std::string& model) { return ratio_names().contains(model); }

std::string ratio_name(const std::string& model) {
  const auto found = ratio_names().find(model);
  if (found == ratio_names().end()) {
    throw Error(ErrorKind::kUsage,
                message("{}: the coefficients of a {} regression are no logarithms; they make no "
                        "ratios.",
                        Setting{"exp"}, escaped(model)));
  }
  return found->second;
}

bool is_answered(const Summary& summary, std::size_t parameter) {
  return parameter < summary.answers.size() &&
         (!summary.questions.exp || is_coefficient(summary.parameters[parameter].column));
}

std::vector<AnswerLine> answer_lines(const Summary& summary, std::size_t most) {
  std::vector<AnswerLine> lines;
  for (const Answer& difference : summary.class_contrasts) {
    lines.push_back({&difference});
  }
  if (summary.class_contrasts.empty()) {
    for (const std::size_t i : reading_order(summary)) {
      if (is_answered(summary, i)) {
        lines.push_back({&summary.answers[i], may_be_negative(summary.parameters[i].column)});
      }
    }
  }
  lines.resize(std::min(lines.size(), most));
  for (const Answer& contrast : summary.contrasts) {
    lines.push_back({&contrast});
  }
  return lines;
}

std::vector<TextColumn> answer_columns(const Summary& summary,
                                       const std::vector<AnswerLine>& lines) {
  const Questions& asked = summary.questions;
  const double tail = 0.5 * (1.0 - asked.prob);
  const auto shown = [&](std::string title, double Answer::*field) {
    return column(std::move(title), Align::kPoint, lines, [field](const AnswerLine& line) {
      return number(*line.answer, line.answer->*field);
    });
  };
  const std::string unit = asked.per_sd ? " per sd" : "";
  return {column("label", Align::kLeft, lines,
                 [](const AnswerLine& line) { return escaped(line.answer->label); }),
          asked.exp ? shown(ratio_name(summary.model) + unit, &Answer::median)
                    : shown("mean" + unit, &Answer::mean),
          shown(percentile(tail), &Answer::lower), shown(percentile(1.0 - tail), &Answer::upper),
          column(asked.exp ? "P(>1)" : "P(>0)", Align::kRight, lines, [](const AnswerLine& line) {
            return line.has_sign ? sign_probability(line.answer->prob_positive) : "";
          })};
}

}  // namespace flymc
