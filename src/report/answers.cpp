#include "report/answers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

bool is_coefficient(const std::string& column) {
  return column.starts_with("alpha") || column.starts_with("beta");
}

// As many digits as the Monte Carlo error supports.
std::string number(const Answer& answer, double value) {
  if (answer.mcse_mean > 0.0 && std::isfinite(answer.mcse_mean)) {
    return fixed(value, supported_decimals(answer.mcse_mean));
  }
  return approximate(value);
}

// No draw on one side says little more than that.
std::string sign_probability(double prob) {
  return prob > 0.999 ? "> 0.999" : prob < 0.001 ? "< 0.001" : fixed(prob, 3);
}

// "2.5 %"
std::string percentile(double prob) { return fmt::format("{:.6g} %", 100.0 * prob); }

// An answer, and whether its sign is a question.
struct Line {
  const Answer* answer;
  bool has_sign = true;
};

TextColumn column(std::string title, Align align, const std::vector<Line>& lines,
                  const std::function<std::string(const Line&)>& cell) {
  TextColumn result{.title = std::move(title), .align = align, .cells = {}};
  for (const Line& line : lines) {
    result.cells.push_back(cell(line));
  }
  return result;
}

}  // namespace

std::string ratio_name(const std::string& model) {
  static const std::map<std::string, std::string> kNames = {{"logistic", "odds ratio"},
                                                            {"binomial", "odds ratio"},
                                                            {"softmax", "odds ratio"},
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
  const auto found = kNames.find(model);
  if (found == kNames.end()) {
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

std::vector<TextColumn> answer_columns(const Summary& summary,
                                       const std::vector<std::size_t>& parameters) {
  std::vector<Line> lines;
  for (const std::size_t i : parameters) {
    lines.push_back({&summary.answers[i], is_coefficient(summary.parameters[i].column)});
  }
  for (const Answer& contrast : summary.contrasts) {
    lines.push_back({&contrast});
  }
  const Questions& asked = summary.questions;
  const double tail = 0.5 * (1.0 - asked.prob);
  const auto shown = [&](std::string title, double Answer::*field) {
    return column(std::move(title), Align::kPoint, lines,
                  [field](const Line& line) { return number(*line.answer, line.answer->*field); });
  };
  return {column("label", Align::kLeft, lines,
                 [](const Line& line) { return escaped(line.answer->label); }),
          asked.exp ? shown(ratio_name(summary.model), &Answer::median)
                    : shown(asked.per_sd ? "mean per sd" : "mean", &Answer::mean),
          shown(percentile(tail), &Answer::lower), shown(percentile(1.0 - tail), &Answer::upper),
          column(asked.exp ? "P(>1)" : "P(>0)", Align::kRight, lines, [](const Line& line) {
            return line.has_sign ? sign_probability(line.answer->prob_positive) : "";
          })};
}

}  // namespace flymc
