#include "report/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/answers.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

// "odds" of "odds ratio"; empty: the coefficients of the model are no logarithms.
std::string ratio_of(const std::string& model) {
  if (!has_ratios(model)) {
    return "";
  }
  const std::string name = ratio_name(model);
  const std::size_t space = name.find(' ');
  return space == std::string::npos ? "mean" : name.substr(0, space);
}

// "1.78 [1.66, 1.92]"
std::string with_interval(double value, double lower, double upper, double error) {
  constexpr double kUnwieldy = 1e6;
  constexpr double kTiny = 1e-4;  // of a ratio, with an interval wider than itself
  const double half = 0.5 * (upper - lower);
  const bool known = error > 0.0 && std::isfinite(error) && half > 0.0 && std::isfinite(half);
  const auto number = [&](double x) {
    const bool tiny = lower > 0.0 && upper > 10.0 * lower && x < kTiny;
    return std::abs(x) >= kUnwieldy || tiny ? fmt::format("{:.2g}", x)
           : known                          ? fixed(x, interval_decimals(lower, upper, error))
                                            : approximate(x);
  };
  return fmt::format("{} [{}, {}]", number(value), number(lower), number(upper));
}

// The coefficient times `unit` of its column.
std::string change(const Answer& a, double unit, bool ratio) {
  if (!ratio) {
    const double size = std::abs(unit);
    return with_interval(a.mean * unit, a.lower * unit, a.upper * unit, a.mcse_mean * size);
  }
  const auto power = [&](double x) { return std::exp(unit * x); };
  return "\u00d7 " + with_interval(power(a.median), power(a.lower), power(a.upper),
                                   power(a.median) * a.mcse_mean * std::abs(unit));
}

// A ratio beyond this says that no two rows are a unit apart.
constexpr double kLargestRatio = 1e4;

// Over this many orders of magnitude, or this far away, the prior ends the interval, not the data.
constexpr double kMostOrders = 10.0;
constexpr double kFarthestOrder = 20.0;

bool is_unbounded(const Answer& a, double unit) {
  const double orders = unit / std::log(10.0);
  return (a.upper - a.lower) * orders > kMostOrders ||
         std::max(-a.lower, a.upper) * orders > kFarthestOrder;
}

// What is left to say of it. `per`: of what, where not of a level.
std::string unbounded_words(const Answer& a, double unit, const std::string& per) {
  const auto tells = [&](double end, const char* more) {
    return fmt::format(
        "\u00d7 {:.2g} or {}{}; how much {} the data do not tell, as where all rows that have it "
        "share one response (separation)",
        std::exp(unit * end), more, per, more);
  };
  return a.upper < 0.0   ? tells(a.upper, "less")
         : a.lower > 0.0 ? tells(a.lower, "more")
                         : "open by more than ten orders of magnitude" + per +
                               ": the data hardly tell, as where few rows have it";
}

// Where the interval holds both.
std::string sign_words(const Answer& a, bool is_ratio) {
  return a.lower < 0.0 && a.upper > 0.0
             ? fmt::format("; the sign is open: {} with probability {}",
                           is_ratio ? "above 1" : "positive", fixed(a.prob_positive, 2))
             : "";
}

std::string slope_words(const Answer& a, double spread, const std::string& ratio) {
  const bool is_ratio = !ratio.empty();
  const bool known = std::isfinite(spread);
  const double step = step_for(spread);
  const std::string per_sd =
      known ? fmt::format(" a standard deviation ({})", approximate(spread)) : "";
  std::string words = is_ratio ? ratio + " " : "";
  if (is_ratio && is_unbounded(a, known ? spread : 1.0)) {
    return words + unbounded_words(a, known ? spread : 1.0, per_sd);
  }
  const bool far = is_ratio && step * std::max(-a.lower, a.upper) > std::log(kLargestRatio);
  if (known && !far && approximate(step) != approximate(spread)) {
    words += change(a, step, is_ratio) +
             (step == 1.0 ? " a unit; " : fmt::format(" per {}; ", approximate(step)));
  }
  words += change(a, known ? spread : 1.0, is_ratio) + per_sd;
  return words + sign_words(a, is_ratio);
}

// "plan=pro against plan=basic"
std::string subject(const Summary& summary, const std::string& label) {
  const std::size_t equals = label.find('=');
  if (equals == std::string::npos || label.find(':') != std::string::npos) {
    return label;
  }
  const std::string column = label.substr(0, equals + 1);
  const auto same = std::ranges::find_if(
      summary.references, [&](const std::string& level) { return level.starts_with(column); });
  return same == summary.references.end() ? label : label + " against " + *same;
}

// Of s(x), or x beside it: a curve is no number a unit.
bool is_of_curve(const Summary& summary, const std::string& label) {
  return std::ranges::any_of(summary.parameters, [&](const ParameterSummary& parameter) {
    if (!parameter.label.starts_with("sd.s(")) {
      return false;
    }
    const std::string curve = parameter.label.substr(3);
    return label.starts_with(curve + ".") || curve == "s(" + label + ")";
  });
}

// Behind "poly(" or "bs(" where a part of a product starts so; npos: nowhere.
std::size_t find_basis(const std::string& label) {
  constexpr std::string_view kBefore = " :.";
  for (const std::string_view name : {"poly(", "bs("}) {
    const std::size_t at = label.find(name);
    if (at == 0 || (at != std::string::npos && kBefore.find(label[at - 1]) != kBefore.npos)) {
      return at + name.size();
    }
  }
  return std::string::npos;
}

// "poly(age, 2)" of its column "poly(age, 2)1", also as a part of a product; empty: of no basis.
std::string basis_of(const std::string& label) {
  std::size_t at = find_basis(label);
  if (at == std::string::npos) {
    return "";
  }
  for (int depth = 1; at < label.size() && depth > 0; ++at) {
    depth += static_cast<int>(label[at] == '(') - static_cast<int>(label[at] == ')');
  }
  const std::size_t rest = std::min(label.find_first_not_of("0123456789", at), label.size());
  return label.substr(0, at) + label.substr(rest);
}

// Once, however many columns it has.
void add_curve(std::vector<Sentence>& curves, std::size_t parameter, const std::string& basis) {
  if (std::ranges::find(curves, basis, &Sentence::about) == curves.end()) {
    curves.push_back(
        {parameter, basis, "a curve, which has no number a unit: see Average effects"});
  }
}

}  // namespace

std::vector<Sentence> sentences(const Summary& summary,
                                const std::function<double(const std::string&)>& spread) {
  const std::string ratio = ratio_of(summary.model);
  std::vector<Sentence> slopes;
  std::vector<Sentence> curves;
  std::vector<Sentence> scales;
  for (std::size_t i = 0; i < std::min(summary.parameters.size(), summary.answers.size()); ++i) {
    const std::string& column = summary.parameters[i].column;
    const Answer& answer = summary.answers[i];
    if (is_of_curve(summary, answer.label)) {
      continue;
    }
    if (const std::string basis = basis_of(answer.label); !basis.empty()) {
      add_curve(curves, i, basis);
    } else if (column.starts_with("beta") && std::isfinite(answer.mean)) {
      slopes.push_back(
          {i, subject(summary, answer.label), slope_words(answer, spread(column), ratio)});
    } else if (column.starts_with("sd.") && std::isfinite(answer.mean)) {
      scales.push_back(
          {i, answer.label,
           (column.starts_with("sd.s(") ? "standard deviation of the curve about a straight line "
                                        : "standard deviation between levels ") +
               with_interval(answer.mean, answer.lower, answer.upper, answer.mcse_mean)});
    }
  }
  const auto distance = [&](const Sentence& s) {
    const Answer& answer = summary.answers[s.parameter];
    return answer.sd > 0.0 ? std::abs(answer.mean) / answer.sd : 0.0;
  };
  std::ranges::stable_sort(slopes, std::greater<>(), distance);
  slopes.insert(slopes.end(), curves.begin(), curves.end());
  slopes.insert(slopes.end(), scales.begin(), scales.end());
  return slopes;
}

}  // namespace flymc
