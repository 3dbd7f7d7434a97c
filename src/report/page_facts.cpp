#include "report/page_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "flymc/family/family.hpp"
#include "report/checks.hpp"
#include "report/numbers.hpp"
#include "report/summary_parts.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReferencesShown = 20;

// run.json may be of another version, or half a run's: what is not there is not said.
[[nodiscard]] const nlohmann::json* find(const nlohmann::json& object, const char* key) {
  const bool there = object.is_object() && object.contains(key) && !object.at(key).is_null();
  return there ? &object.at(key) : nullptr;
}
[[nodiscard]] std::string text_at(const nlohmann::json& object, const char* key) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_string() ? escaped(value->get<std::string>()) : "";
}
[[nodiscard]] double number_at(const nlohmann::json& object, const char* key) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : RunRecord::kUnknown;
}
[[nodiscard]] nlohmann::json object_at(const nlohmann::json& object, const char* key) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_object() ? *value : nlohmann::json::object();
}

[[nodiscard]] std::string model_words(const Summary& s, const nlohmann::json& run) {
  const nlohmann::json config = object_at(run, "config");
  std::string words = escaped(s.model) + " regression";
  if (const std::string response = text_at(config, "response"); !response.empty()) {
    words += " of " + in_quotes(response);
  }
  words += fmt::format(" on {}, {}", counted(s.d, "column"), counted(s.n, "row"));
  if (const auto* classes = find(run, "classes"); classes != nullptr && classes->size() > 2) {
    words += fmt::format("; {} classes", classes->size());
  }
  return words;
}

// Whose probability is modelled.
[[nodiscard]] std::string positive_words(const nlohmann::json& run) {
  const auto* classes = find(run, "classes");
  return classes != nullptr && classes->size() == 2 && classes->at(1).is_string()
             ? fmt::format("{}, against {}", in_quotes(classes->at(1).get<std::string>()),
                           in_quotes(classes->at(0).get<std::string>()))
             : "";
}

// "low < mid < high"
[[nodiscard]] std::string order_words(const Summary& s, const nlohmann::json& run) {
  constexpr std::size_t kClassesShown = 30;
  const auto* classes = find(run, "classes");
  if (s.model != "ordinal" || classes == nullptr) {
    return "";
  }
  std::vector<std::string> names;
  for (const auto& name : *classes) {
    names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  }
  return listed(names, " < ", kClassesShown) + "; odds are of a higher class against a lower one";
}

// "413 of 8,000 left out: a value is missing"
[[nodiscard]] std::string left_out_words(const Summary& s, const nlohmann::json& run) {
  const double left = number_at(run, "rows_left_out");
  if (!(left > 0.0)) {
    return "";
  }
  const nlohmann::json config = object_at(run, "config");
  std::vector<std::string> reasons;
  if (const std::string missing = text_at(config, "missing");
      missing == "drop" || missing == "indicator") {
    reasons.emplace_back("a value is missing");
  }
  if (!text_at(config, "weights").empty()) {
    reasons.emplace_back("their weight is 0");
  }
  if (number_at(config, "holdout") > 0.0) {
    reasons.emplace_back("they are held out");
  }
  return fmt::format("{} of {} left out{}{}", rounded_count(left),
                     rounded_count(left + static_cast<double>(s.n)), reasons.empty() ? "" : ": ",
                     fmt::join(reasons, ", or "));
}

[[nodiscard]] std::string error_words(const nlohmann::json& run) {
  for (const FamilyType* family : families()) {
    const nlohmann::json settings = object_at(run, family->key().c_str());
    std::string words = settings.empty() ? "" : family->settings_words;
    for (const OwnSetting& setting : family->settings) {
      if (const auto gap = words.find("{}"); gap != std::string::npos) {
        words.replace(gap, 2, approximate(number_at(settings, setting.name)));
      }
    }
    if (!words.empty()) {
      return words;
    }
  }
  return "";
}

[[nodiscard]] std::string prior_words(const nlohmann::json& run) {
  const nlohmann::json prior = object_at(run, "prior");
  std::string words;
  if (const std::string slopes = text_at(prior, "slopes"); !slopes.empty()) {
    words = "slopes " + slopes;
  }
  if (const std::string intercept = text_at(prior, "intercept"); !intercept.empty()) {
    words += (words.empty() ? "" : "; ") + std::string("intercept ") + intercept;
  }
  for (const auto& [name, law] : prior.items()) {
    if (name != "slopes" && name != "intercept" && law.is_string()) {
      words += (words.empty() ? "" : "; ") + name + " " + law.get<std::string>();
    }
  }
  const auto* standardised = find(prior, "standardised");
  const bool holds = standardised != nullptr && standardised->is_boolean();
  return words + (holds && standardised->get<bool>() ? "; columns standardised" : "");
}

[[nodiscard]] std::string engine_words(const Summary& s, const nlohmann::json& run) {
  std::string words = s.engine == "regular" ? "regular MCMC: every row, every time"
                                            : "FlyMC: a few rows an iteration";
  words += s.exact ? "; draws from the exact posterior of all rows" : "";
  const nlohmann::json forecast = object_at(run, "forecast");
  const auto prices = [&](const char* of, const char* words_of) {
    const double fly = number_at(object_at(forecast, "fly"), of);
    const double regular = number_at(object_at(forecast, "regular"), of);
    return std::isfinite(fly) && std::isfinite(regular)
               ? fmt::format("; forecast {} queries {} with FlyMC, {} without", approximate(fly),
                             words_of, approximate(regular))
               : std::string();
  };
  const std::string of_draws = prices("queries_per_effective_draw", "an effective draw");
  return words + (of_draws.empty() ? prices("queries_per_iteration", "an iteration") : of_draws);
}

[[nodiscard]] std::string setup_words(const nlohmann::json& run) {
  const nlohmann::json setup = object_at(run, "setup");
  if (setup.empty()) {
    return "";
  }
  std::string words =
      fmt::format("{} s, {} over the data, {} queries", approximate(number_at(setup, "seconds")),
                  approximate_count(number_at(setup, "passes"), "pass"),
                  rounded_count(number_at(setup, "queries")));
  if (const double beacons = number_at(setup, "beacons"); beacons > 0.0) {
    words +=
        fmt::format("; {}, evaluated in every iteration", approximate_count(beacons, "beacon"));
  }
  if (const double merged = number_at(setup, "merged_rows"); merged > 0.0) {
    words += fmt::format("; {} merged into an equal one", approximate_count(merged, "row"));
  }
  return words;
}

[[nodiscard]] std::string chain_words(const Summary& s) {
  return fmt::format("{} of {}, after {} of warm-up each", counted(s.chains, "chain"),
                     counted(s.draws, "draw"), approximate_count(s.warmup, "iteration"));
}

[[nodiscard]] std::string verdict_words(const Summary& s, bool passed) {
  if (passed && s.status == "complete") {
    return "The checks pass: chains agree and the draws are enough. These numbers can be used.";
  }
  if (passed) {
    return "The checks pass for the draws so far; the run itself is not complete.";
  }
  return s.status == "complete" ? "A check fails: do not rely on these numbers yet."
                                : "The run is not complete and a check fails: do not rely on "
                                  "these numbers yet.";
}

}  // namespace

Json page_verdict(const Summary& summary, const Wording& wording) {
  Json checks = Json::array();
  bool passed = true;
  for (const Check& check : run_checks(summary)) {
    passed = passed && check.passed();
    const std::string worst = fmt::format("worst {}, of {}", check.worst, check.worst_label);
    const std::string failed = fmt::format("fails for {} of {}; ", with_commas(check.failures),
                                           with_commas(checked_parameters(summary).size()));
    checks.push_back({{"claim", check.claim},
                      {"passed", check.passed()},
                      {"words", (check.passed() ? "" : failed) + worst}});
  }
  return {{"passed", passed},
          {"words", verdict_words(summary, passed)},
          {"checks", std::move(checks)},
          {"next", next_step(summary).in(wording)}};
}

Json page_facts(const Summary& summary, const nlohmann::json& run) {
  Json facts = Json::array();
  const auto add = [&](const char* title, const std::string& words) {
    if (!words.empty()) {
      facts.push_back({title, words});
    }
  };
  add("model", model_words(summary, run));
  add("errors", error_words(run));
  add("positive class", positive_words(run));
  add("order of classes", order_words(summary, run));
  add("rows", left_out_words(summary, run));
  add("compared with", listed(summary.references, ", ", kReferencesShown));
  add("columns", fmt::format("{}", fmt::join(summary.conversions, "; ")));
  add("prior", prior_words(run));
  return facts;
}

Json page_engine(const Summary& summary, const nlohmann::json& run) {
  Json facts = Json::array();
  const auto add = [&](const char* title, const std::string& words) {
    if (!words.empty()) {
      facts.push_back({title, words});
    }
  };
  add("engine", engine_words(summary, run));
  add("chains", chain_words(summary));
  add("set-up", setup_words(run));
  for (const SummaryLine& line : cost_lines(summary)) {
    add(line.title, line.words);
  }
  return facts;
}

}  // namespace flymc
