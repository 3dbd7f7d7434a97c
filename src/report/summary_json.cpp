#include <cmath>
#include <nlohmann/json.hpp>

#include "report/answers.hpp"
#include "report/summary_text.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_object(const ParameterSummary& parameter) {
  const Estimate& e = parameter.estimate;
  return {{"column", parameter.column},
          {"label", parameter.label},
          {"mean", e.mean},
          {"sd", e.sd},
          {"mcse_mean", e.mcse_mean},
          {"q5", e.q5},
          {"q50", e.q50},
          {"q95", e.q95},
          {"ess_bulk", e.ess_bulk},
          {"ess_tail", e.ess_tail},
          {"ess_coda", e.ess_coda},
          {"rhat", e.rhat}};
}

[[nodiscard]] Json to_object(const Answer& answer) {
  return {{"mean", answer.mean},   {"median", answer.median},
          {"sd", answer.sd},       {"lower", answer.lower},
          {"upper", answer.upper}, {"prob_positive", answer.prob_positive}};
}

// Intervals on the scale of the draws; what was asked beyond that under a key of its own.
void add_answers(const Summary& summary, Json& json) {
  if (summary.answers.empty()) {
    return;
  }
  const Questions& asked = summary.questions;
  for (std::size_t i = 0; i < summary.parameters.size(); ++i) {
    Json& parameter = json["parameters"][i];
    const Answer& answer = summary.answers[i];
    if (!asked.exp && !asked.per_sd) {
      parameter["lower"] = answer.lower;
      parameter["upper"] = answer.upper;
    } else if (is_answered(summary, i)) {
      parameter["answer"] = to_object(answer);
    }
    parameter["prob_positive"] = answer.prob_positive;
  }
  json["prob"] = asked.prob;
  json["exp"] = asked.exp;
  json["per_sd"] = asked.per_sd;
  json["references"] = summary.references;
  json["conversions"] = summary.conversions;
  if (!summary.reference_class.empty()) {
    json["reference_class"] = summary.reference_class;
    json["class_contrasts"] = Json::array();
    for (std::size_t i = 0; i < summary.class_contrasts.size(); ++i) {
      Json object = to_object(summary.class_contrasts[i]);
      const Estimate& e = summary.class_estimates[i].estimate;  // by ranks: of ratios, too
      object["label"] = summary.class_contrasts[i].label;
      object["ess_bulk"] = e.ess_bulk;
      object["ess_tail"] = e.ess_tail;
      object["rhat"] = e.rhat;
      json["class_contrasts"].push_back(std::move(object));
    }
  }
  json["contrasts"] = Json::array();
  for (const Answer& contrast : summary.contrasts) {
    Json object = to_object(contrast);
    object["contrast"] = contrast.label;
    json["contrasts"].push_back(std::move(object));
  }
}

// JSON need not escape DEL and the C1 controls (C2 80 to C2 9F), but a terminal would obey them.
[[nodiscard]] std::string without_controls(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    if (byte == 0x7F) {
      out += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += std::string("\\u00") + kDigits[next / 16] + kDigits[next % 16];
      ++i;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

std::string to_json(const Summary& summary) {
  Json parameters = Json::array();
  for (const ParameterSummary& parameter : summary.parameters) {
    parameters.push_back(to_object(parameter));
  }
  Json json = {{"n", summary.n},
               {"d", summary.d},
               {"exact", summary.exact},
               {"engine", summary.engine},
               {"seconds_setup", summary.cost.seconds_setup},
               {"seconds_sampling", summary.cost.seconds_sampling},
               {"queries_per_iteration", summary.cost.queries_per_iteration},
               {"mean_bright", summary.cost.mean_bright},
               {"parameters", std::move(parameters)},
               {"lp__", to_object(summary.log_density)}};
  add_answers(summary, json);
  if (std::isfinite(summary.cost.seconds_total)) {
    json["seconds"] = summary.cost.seconds_total;
  }
  if (summary.cost.seconds_reanchor > 0.0) {
    json["seconds_reanchor"] = summary.cost.seconds_reanchor;
  }
  return without_controls(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace flymc
