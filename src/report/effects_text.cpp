#include "report/effects_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "report/isolated.hpp"
#include "report/numbers.hpp"
#include "report/text_table.hpp"

namespace flymc {
namespace {

using EffectsJson = nlohmann::ordered_json;

// Digits of one line.
class Digits {
 public:
  Digits(const DrawSummary& of, std::size_t draws)
      : error_(of.sd / std::sqrt(static_cast<double>(draws))),
        known_(error_ > 0.0 && std::isfinite(error_) && of.lower < of.upper &&
               std::isfinite(of.upper - of.lower)),
        decimals_(known_ ? interval_decimals(of.lower, of.upper, error_) : 0) {}

  [[nodiscard]] std::string operator()(double value) const {
    return known_ ? fixed(value, decimals_) : approximate(value);
  }

 private:
  double error_;
  bool known_;
  int decimals_;
};

std::string signed_text(const std::string& text) {
  const bool plain = text.starts_with('-') || text.find_first_of("123456789") == std::string::npos;
  return plain ? text : "+" + text;
}

// So much more of a number.
double step_of(const AverageEffect& effect) {
  return effect.level.empty() ? step_for(effect.column_sd) : 1.0;
}

// "one more", "100 more"
std::string more_words(const AverageEffect& effect) {
  const double step = step_of(effect);
  return step == 1.0 ? "one more" : approximate(step) + " more";
}

// What that does.
DrawSummary effect_of(const AverageEffect& effect, std::size_t k) {
  DrawSummary of = effect.outcomes[k];
  const double step = step_of(effect);
  for (double* const number : {&of.mean, &of.sd, &of.lower, &of.upper}) {
    *number *= step;
  }
  return of;
}

// The one to say aloud: the farthest from zero.
const AverageEffect& surest(const std::vector<AverageEffect>& effects) {
  return *std::ranges::max_element(effects, {}, [](const AverageEffect& effect) {
    const DrawSummary& of = effect.outcomes.front();
    const double distance = std::abs(of.mean) / of.sd;
    return std::isfinite(distance) ? distance : 0.0;
  });
}

// "age: one more", "plan: free, not basic"; `shown`: how names stand among the words.
template <class Shown>
std::string change_words(const AverageEffect& effect, const Shown& shown) {
  const std::string column = shown(escaped(effect.column));
  return effect.level.empty()
             ? column + ": " + more_words(effect)
             : fmt::format("{}: {}, not {}", column, shown(shortened(effect.level)),
                           shown(shortened(effect.reference)));
}

// "+0.013 [0.011, 0.015]"
std::string interval_words(const DrawSummary& of, std::size_t draws) {
  const Digits number(of, draws);
  return fmt::format("{} [{}, {}]", signed_text(number(of.mean)), number(of.lower),
                     number(of.upper));
}

// To be said aloud.
std::string effect_words(const Effects& effects, const AverageEffect& effect, std::size_t k) {
  return fmt::format("{}: {} in {}",
                     effect.level.empty()
                         ? more_words(effect) + " of " + escaped(effect.column)
                         : fmt::format("{} = {} in place of {}", escaped(effect.column),
                                       shortened(effect.level), shortened(effect.reference)),
                     interval_words(effect_of(effect, k), effects.draws), effects.outcomes[k]);
}

// "y = car" of "the probability of y = car": where a headline says the rest.
std::string short_outcome(const std::string& outcome) {
  constexpr std::string_view kHead = "the probability of ";
  return outcome.starts_with(kHead) ? outcome.substr(kHead.size()) : outcome;
}

EffectsJson number_json(double value) {
  return std::isfinite(value) ? EffectsJson(value) : EffectsJson(nullptr);
}

EffectsJson effect_json(const Effects& effects, const AverageEffect& effect, std::size_t k) {
  const DrawSummary& of = effect.outcomes[k];
  EffectsJson object{{"column", effect.column}};
  object["level"] = effect.level.empty() ? EffectsJson(nullptr) : EffectsJson(effect.level);
  object["reference"] = effect.level.empty() ? EffectsJson(nullptr) : EffectsJson(effect.reference);
  object["outcome"] = effects.outcomes[k];
  object["mean"] = number_json(of.mean);
  object["sd"] = number_json(of.sd);
  object["lower"] = number_json(of.lower);
  object["upper"] = number_json(of.upper);
  object["prob_positive"] = of.prob_positive;
  object["step"] = effect.level.empty() ? EffectsJson(step_of(effect)) : EffectsJson(nullptr);
  object["words"] = effect_words(effects, effect, k);
  return object;
}

EffectsJson curve_json(const Effects& effects, const EffectCurve& curve) {
  EffectsJson points = EffectsJson::array();
  for (const CurvePoint& point : curve.points) {
    for (std::size_t k = 0; k < point.outcomes.size(); ++k) {
      EffectsJson object = curve.has_levels ? EffectsJson{{"level", point.level}}
                                            : EffectsJson{{"at", number_json(point.at)}};
      object["outcome"] = effects.outcomes[k];
      object["mean"] = number_json(point.outcomes[k].mean);
      object["lower"] = number_json(point.outcomes[k].lower);
      object["upper"] = number_json(point.outcomes[k].upper);
      points.push_back(std::move(object));
    }
  }
  return {{"column", curve.column}, {"points", std::move(points)}};
}

// The columns of a table, filled line by line. Of one outcome the headline says which it is.
class Lines {
 public:
  Lines(const Effects& effects, std::string first, std::string value, bool has_sign)
      : effects_(effects), has_sign_(has_sign) {
    const double tail = 0.5 * (1.0 - effects.prob);
    columns_ = {{std::move(first), Align::kLeft, {}},        {"probability of", Align::kLeft, {}},
                {std::move(value), Align::kPoint, {}},       {percentile(tail), Align::kPoint, {}},
                {percentile(1.0 - tail), Align::kPoint, {}}, {"P(>0)", Align::kRight, {}}};
  }

  void add(const std::string& first, std::size_t k, const DrawSummary& of) {
    const Digits number(of, effects_.draws);
    columns_[0].cells.push_back(first);
    columns_[1].cells.push_back(short_outcome(effects_.outcomes[k]));
    columns_[2].cells.push_back(has_sign_ ? signed_text(number(of.mean)) : number(of.mean));
    columns_[3].cells.push_back(number(of.lower));
    columns_[4].cells.push_back(number(of.upper));
    columns_[5].cells.push_back(sign_probability(of.prob_positive));
  }
  [[nodiscard]] std::string text() && {
    if (!has_sign_) {
      columns_.pop_back();
    }
    if (effects_.outcomes.size() == 1) {
      columns_.erase(columns_.begin() + 1);
    }
    return render(columns_);
  }

 private:
  const Effects& effects_;
  bool has_sign_;
  std::vector<TextColumn> columns_;
};

std::string what_changes(const Effects& effects) {
  return effects.outcomes.size() == 1 ? effects.outcomes.front() : "the probability of each class";
}

std::string point_name(const EffectCurve& curve, const CurvePoint& point) {
  return curve.has_levels ? escaped(point.level) : fmt::format("{:.4g}", point.at);
}

std::string curve_table(const Effects& effects, const EffectCurve& curve) {
  Lines lines(effects, cut_to_width(escaped(curve.column), 40), "mean", false);
  for (const CurvePoint& point : curve.points) {
    for (std::size_t k = 0; k < point.outcomes.size(); ++k) {
      lines.add(point_name(curve, point), k, point.outcomes[k]);
    }
  }
  return fmt::format("\n{} on average, were {} the same in every row\n{}", what_changes(effects),
                     escaped(curve.column), std::move(lines).text());
}

// {"mean", "lower", "upper"}: a list each.
EffectsJson page_curve(const EffectCurve& curve, std::size_t k) {
  EffectsJson mean = EffectsJson::array();
  EffectsJson lower = mean;
  EffectsJson upper = mean;
  for (const CurvePoint& point : curve.points) {
    mean.push_back(number_json(point.outcomes[k].mean));
    lower.push_back(number_json(point.outcomes[k].lower));
    upper.push_back(number_json(point.outcomes[k].upper));
  }
  return {{"mean", std::move(mean)}, {"lower", std::move(lower)}, {"upper", std::move(upper)}};
}

}  // namespace

std::string averaged_over(const Effects& effects) {
  const std::string rows =
      effects.rows == effects.rows_of
          ? counted(effects.rows, "row")
          : fmt::format("{} of {}, taken at random (the intervals know it),",
                        with_commas(effects.rows), counted(effects.rows_of, "row"));
  return fmt::format("over {} and {}", rows, counted(effects.draws, "draw"));
}

std::string effects_table(const Effects& effects) {
  std::string text = fmt::format("{}: average effects on {}, the other columns as they are\n{}\n",
                                 effects.folder, what_changes(effects), averaged_over(effects));
  if (effects.effects.empty()) {
    return text + "\nthe model has no columns.\n";
  }
  Lines lines(effects, "change", "effect", true);
  for (const AverageEffect& effect : effects.effects) {
    for (std::size_t k = 0; k < effect.outcomes.size(); ++k) {
      lines.add(change_words(effect, std::identity{}), k, effect_of(effect, k));
    }
  }
  text += "\n" + std::move(lines).text();
  for (const EffectCurve& curve : effects.curves) {
    text += curve_table(effects, curve);
  }
  text += fmt::format("\nin words: {}.\n", effect_words(effects, surest(effects.effects), 0));
  for (const std::string& note : effects.notes) {
    text += note + "\n";
  }
  return text;
}

std::string effects_json(const Effects& effects) {
  EffectsJson json{{"run", effects.folder},
                   {"model", effects.model},
                   {"prob", effects.prob},
                   {"rows", effects.rows},
                   {"rows_of", effects.rows_of},
                   {"draws", effects.draws},
                   {"effects", EffectsJson::array()},
                   {"curves", EffectsJson::array()},
                   {"notes", effects.notes}};
  for (const AverageEffect& effect : effects.effects) {
    for (std::size_t k = 0; k < effect.outcomes.size(); ++k) {
      json["effects"].push_back(effect_json(effects, effect, k));
    }
  }
  for (const EffectCurve& curve : effects.curves) {
    json["curves"].push_back(curve_json(effects, curve));
  }
  return json.dump(2, ' ', false, EffectsJson::error_handler_t::replace) + "\n";
}

EffectsJson page_effects(const Effects& effects) {
  EffectsJson lines = EffectsJson::array();
  for (const AverageEffect& effect : effects.effects) {
    for (std::size_t k = 0; k < effect.outcomes.size(); ++k) {
      const DrawSummary of = effect_of(effect, k);
      const Digits number(of, effects.draws);
      lines.push_back({change_words(effect, isolated), short_outcome(effects.outcomes[k]),
                       signed_text(number(of.mean)),
                       fmt::format("[{}, {}]", number(of.lower), number(of.upper))});
    }
  }
  EffectsJson names = EffectsJson::array();
  for (const std::string& outcome : effects.outcomes) {
    names.push_back(short_outcome(outcome));
  }
  EffectsJson curves = EffectsJson::array();
  for (const EffectCurve& curve : effects.curves) {
    EffectsJson levels = EffectsJson::array();
    EffectsJson at = EffectsJson::array();
    for (const CurvePoint& point : curve.points) {
      levels.push_back(escaped(point.level));
      at.push_back(number_json(point.at));
    }
    EffectsJson outcomes = EffectsJson::array();
    for (std::size_t k = 0; k < effects.outcomes.size(); ++k) {
      outcomes.push_back(page_curve(curve, k));
    }
    curves.push_back({{"column", escaped(curve.column)},
                      {"levels", curve.has_levels ? std::move(levels) : EffectsJson::array()},
                      {"at", std::move(at)},
                      {"outcomes", std::move(outcomes)}});
  }
  return {{"words", fmt::format("What changes in {}, on average {}, with the other columns of each "
                                "row as they are. In brackets the {:.6g} % interval.",
                                what_changes(effects), averaged_over(effects), 100 * effects.prob)},
          {"what", what_changes(effects)},
          {"outcomes", std::move(names)},
          {"effects", std::move(lines)},
          {"curves", std::move(curves)},
          {"notes", effects.notes}};
}

}  // namespace flymc
