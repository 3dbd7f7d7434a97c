#include "fit/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "data/table/group_terms.hpp"
#include "family/own_family.hpp"
#include "fit/auxiliary_prior.hpp"
#include "fit/words.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"

namespace flymc {
namespace {

[[noreturn]] void bad_prior(const std::string& option, const std::string& text) {
  throw Error(ErrorKind::kUsage,
              fmt::format("{} {}: must be auto, flat, normal:S or laplace:S with a scale S > 0.",
                          option, shortened(text)));
}

void require(bool holds, const char* setting, double value, const std::string& rule) {
  if (!holds) {
    throw Error(ErrorKind::kUsage, message("{} {}: {}.", Setting{setting}, value, rule));
  }
}

// REQUIRES: there is one.
[[noreturn]] void fail_for_others(const char* setting, const std::vector<std::string>& families) {
  throw Error(ErrorKind::kUsage,
              message("{}: only {} takes it", Setting{setting},
                      fmt::format("{}", fmt::join(families, " or "))),
              message("add {}.", Setting{"model", families.front()}));
}

// As a user writes it.
std::string written(double value) { return value == kChoose ? "auto" : fmt::format("{}", value); }

void require_setting(const OwnSetting& setting, double value) {
  const bool is_word =
      (setting.takes_infer() && std::isnan(value)) || (setting.may_be_chosen && value == kChoose);
  if (is_word || setting.holds(value)) {
    return;
  }
  const char* const words = setting.may_be_chosen ? ", auto or infer"
                            : setting.may_be_inferred && setting.absent == Absent::kInferred
                                ? ", or infer"
                                : "";
  throw Error(ErrorKind::kUsage,
              message("{} {}: {}{}.", Setting{setting.name}, written(value), setting.rule, words));
}

// Of its own, or one that fixes an auxiliary parameter.
bool has_setting(const FamilyType& family, const char* name) {
  const auto is_named = [&](const auto& one) { return std::string_view(one.name) == name; };
  return std::ranges::any_of(family.settings, is_named) ||
         std::ranges::any_of(family.auxiliaries, is_named);
}

// The families that have a setting, joined by "or".
std::vector<std::string> families_with(const char* name) {
  std::vector<std::string> words;
  for (const FamilyType* family : families()) {
    if (has_setting(*family, name)) {
      words.emplace_back(family->word);
    }
  }
  return words;
}

// Those that know what a censored time is.
std::string families_of_times() {
  std::vector<std::string> words;
  for (const FamilyType* family : families()) {
    if (family->takes_censored) {
      words.emplace_back(family->word);
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// An error for a family that does not have it.
bool is_of_one_family(const OwnSetting& setting) {
  return setting.absent == Absent::kRequired ||
         (setting.absent == Absent::kInferred && !setting.may_be_chosen);
}

// The others are checked whatever the family: they may be part of every run's configuration.
void require_optional_settings(const Settings& own) {
  for (const OwnSetting* setting : all_settings()) {
    const auto given = own.find(setting->name);
    if (given != own.end() && !is_of_one_family(*setting)) {
      require_setting(*setting, given->second);
    }
  }
}

void require_needed_settings(const FamilyType& family, const Settings& own) {
  for (const OwnSetting* setting : all_settings()) {
    if (!is_of_one_family(*setting)) {
      continue;
    }
    const char* const name = setting->name;
    const bool needed = has_setting(family, name);
    if (own.contains(name) && !needed) {
      fail_for_others(name, families_with(name));
    }
    if (needed && setting->absent == Absent::kRequired && !own.contains(name)) {
      throw Error(
          ErrorKind::kUsage,
          message("{} is missing: {} needs it, such as {} ({}).", Setting{name}, family.word,
                  Setting{name, fmt::format("{}", setting->usual)}, setting->meaning));
    }
    if (needed && own.contains(name)) {
      require_setting(*setting, own.at(name));
    }
  }
}

// Of settings that every run.json may have a line of, an option of that run: what they are where
// they are not given is taken.
void require_taken_settings(const FitSettings& options) {
  for (const OwnSetting* setting : all_settings()) {
    const auto given = options.own.find(setting->name);
    const bool chosen = given != options.own.end() && !is_of_one_family(*setting) &&
                        given->second != kChoose &&
                        !(setting->absent == Absent::kDefault && given->second == setting->usual);
    if (chosen && !takes_setting(options, setting->name)) {
      fail_for_others(setting->name, families_with(setting->name));
    }
  }
}

// A number for what the variant that infers samples under another name.
void require_no_number(const FitSettings& options) {
  if (!options.likelihood.empty()) {
    return;
  }
  const FamilyType& family = family_type(options);
  for (const auto& [name, value] : options.own) {
    const Setting setting{name, written(value)};
    const bool sampled = std::ranges::any_of(
        family.auxiliaries, [&wanted = name](const Auxiliary& one) { return one.name == wanted; });
    const bool lost = has_setting(find_family(options.family), name.c_str()) &&
                      !has_setting(family, name.c_str());
    if (!std::isnan(value) && (lost || sampled)) {
      const OwnSetting* const same = find_family(options.family).chosen_setting();
      const bool others = std::ranges::any_of(options.own, [&](const auto& own) {
        return std::isnan(own.second) && (same == nullptr || own.first != same->name);
      });
      if (sampled && same != nullptr && !others) {
        throw Error(ErrorKind::kUsage, message("{}: it is sampled; to fix it use {}.", setting,
                                               Setting{same->name, written(value)}));
      }
      throw Error(ErrorKind::kUsage,
                  message("{}: it is sampled where others are inferred; leave it out.", setting));
    }
  }
}

Message no_such_parameter(const Setting& setting, const FamilyType& family, const char* what) {
  std::vector<std::string> names;
  for (const Auxiliary& auxiliary : family.auxiliaries) {
    if (names.empty() || names.back() != auxiliary.law()) {
      names.emplace_back(auxiliary.law());
    }
  }
  return names.empty() ? message("{}: {} has no parameters beside its coefficients that could {}.",
                                 setting, family.word, what)
                       : message("{}: {} has no parameter of that name; these may {}: {}.", setting,
                                 family.word, what, fmt::format("{}", fmt::join(names, ", ")));
}

// Laws of auxiliary parameters, and of none that the likelihood does not have.
void require_laws(const FitSettings& options) {
  const FamilyType& known = family_type(options);
  const FamilyType& family = known.is_ordered() ? known.of_classes(3) : known;  // some cut points
  for (const auto& [name, law] : options.prior_aux) {
    const auto found = std::ranges::find_if(
        family.auxiliaries, [&wanted = name](const Auxiliary& one) { return one.law() == wanted; });
    if (found == family.auxiliaries.end()) {
      throw Error(ErrorKind::kUsage,
                  no_such_parameter(
                      Setting{"prior_aux", fmt::format("{} ~ {}", shortened(name), shortened(law))},
                      family, "have a prior"));
    }
    std::ignore = parse_law(law, *found);
  }
}

// Columns of a predictor that the likelihood does not have.
void require_predictors(const FitSettings& options, const TableParts& parts) {
  std::vector<std::string> asked = parts.predictors;
  for (const auto& [name, columns] : options.columns) {
    asked.insert(asked.end(), name.empty() ? 0 : 1, name);
  }
  if (const auto first = options.columns.find("");
      first != options.columns.end() && !first->second.offsets.empty()) {
    throw Error(ErrorKind::kUsage,
                message("columns of the first predictor: its offset is that of the table"),
                "move it there.");
  }
  const FamilyType& family = family_type(options);
  for (const std::string& name : asked) {
    if (std::ranges::none_of(family.auxiliaries,
                             [&](const Auxiliary& one) { return one.name == name; })) {
      throw Error(ErrorKind::kUsage, no_such_predictor(family, name));
    }
  }
}

// What one family needs and no other takes.
void require_parts_of_family(const FitSettings& options, const TableParts& parts) {
  const FamilyType& family = family_type(options);
  const bool needs_trials = are_of_trials(family.response) || options.data_columns.size() > 1;
  if (needs_trials && !parts.trials) {
    throw Error(ErrorKind::kUsage,
                message("{} is missing: {} needs the trials of every row, a column such as {} (of "
                        "one trial each: use {}).",
                        Setting{"trials"}, family.word, Setting{"trials", "m"},
                        Setting{"model", "logistic"}));
  }
  if (parts.censored && !family.takes_censored && !(needs_trials && parts.trials)) {
    throw Error(ErrorKind::kUsage,
                message("{}: only {} take it", Setting{"censored"}, families_of_times()),
                message("add {}.", Setting{"model", "weibull"}));
  }
  if (!needs_trials && parts.trials && !(family.takes_censored && parts.censored)) {
    fail_for_others("trials", families_of(ResponseKind::kSuccesses));
  }
  if (!options.order.empty() && !family.is_ordered()) {
    fail_for_others("order", families_of(ResponseKind::kOrdered));
  }
  require_taken_settings(options);
  require_needed_settings(family, options.own);
  require_no_number(options);
  require_predictors(options, parts);
  require_laws(options);
  if (family.one_a_class() && parts.offset) {
    throw Error(ErrorKind::kUsage,
                message("{}: one offset for all classes of a {} changes nothing", Setting{"offset"},
                        family.word),
                "leave it out.");
  }
  if (options.chosen_bound() != BoundKind::kLocal && !family.has_global_bound) {
    const OwnSetting* const chosen = sampled_choice(options);
    const Setting bound{"bound", name_of(options.chosen_bound())};
    throw Error(ErrorKind::kUsage,
                chosen != nullptr ? message("{}: {} has no global bound where {} is sampled", bound,
                                            family.word, chosen->name)
                                  : message("{}: {} has no global bound", bound, family.word),
                chosen != nullptr ? message("use {}, or {}.", Setting{"bound", "local"},
                                            Setting{chosen->name, "auto"})
                                  : message("use {}.", Setting{"bound", "local"}));
  }
}

// Laws of standard deviations that a group term has.
void require_sd_laws(const FitSettings& options) {
  std::vector<std::string> known;
  for (const GroupTerm& term : options.groups) {
    const std::vector<std::string> names = coefficient_names(term);
    known.insert(known.end(), names.begin(), names.end());
  }
  for (const auto& [name, law] : options.prior_sd) {
    const Setting setting{"prior_sd", fmt::format("{} ~ {}", shortened(name), shortened(law))};
    if (known.empty()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the formula has no group terms, such as (1 | g).", setting));
    }
    if (std::ranges::find(known, name) == known.end()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: no group term has such coefficients; these vary: {}.", setting,
                          fmt::format("{}", fmt::join(known, ", "))));
    }
    std::ignore = parse_sd_law(law, name);
  }
}

// The engine for groups has bounds, moves and sweeps of its own.
void require_group_settings(const FitSettings& options) {
  require_sd_laws(options);
  if (options.groups.empty()) {
    return;
  }
  const std::string text = to_text(options.groups.front());
  std::set<std::string> varying;
  for (const GroupTerm& term : options.groups) {
    if (std::ranges::count(options.groups, term) > 1) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the term is there twice.", Setting{"formula", to_text(term)}));
    }
    for (const std::string& name : coefficient_names(term)) {
      if (!varying.insert(name).second) {
        throw Error(ErrorKind::kUsage, message("{}: {} varies twice; keep one of the terms.",
                                               Setting{"formula", to_text(term)}, in_quotes(name)));
      }
    }
  }
  const auto refuse = [&](bool given, const Setting& setting) {
    if (given) {
      throw Error(ErrorKind::kUsage, message("{}: not with group terms ({}).", setting, text));
    }
  };
  refuse(options.chosen_bound() != BoundKind::kLocal, Setting{"bound"});
  refuse(options.chosen_z() != ZKind::kWeighted, Setting{"z"});
  refuse(options.frame != FrameKind::kWhitened, Setting{"frame"});  // first: it chooses a kernel
  refuse(options.chosen_kernel() != KernelKind::kSplitHmc, Setting{"kernel"});
  refuse(options.init != InitKind::kLaplace, Setting{"init"});
  refuse(options.anchor != AnchorSearch::kNewton, Setting{"anchor"});
  refuse(options.select_prior, Setting{"select_prior"});
  const auto require_normal = [](const PriorSpec& prior, const char* name) {
    if (prior.kind == PriorKind::kLaplace) {
      throw Error(ErrorKind::kUsage,
                  message("{}: with group terms the prior of coefficients is normal or flat.",
                          Setting{name, "laplace"}));
    }
  };
  require_normal(options.prior, "prior");
  require_normal(options.prior_intercept.value_or(options.prior), "prior_intercept");
  for (const auto& [name, value] : options.own) {
    if (value == kChoose) {
      throw Error(ErrorKind::kUsage,
                  message("{}: it is chosen without group terms, and would take what they explain "
                          "for noise; leave it out to sample it, or give a number.",
                          Setting{name, written(value)}));
    }
  }
}

void require_no_contradiction(const FitSettings& options) {
  require_group_settings(options);
  if (options.xi && options.chosen_bound() != BoundKind::kUntuned) {
    throw Error(ErrorKind::kUsage, message("{}: only untuned bounds take it", Setting{"xi"}),
                message("add {}.", Setting{"bound", "untuned"}));
  }
  if (options.q && options.chosen_z() != ZKind::kImplicit) {
    throw Error(ErrorKind::kUsage, message("{}: only the implicit z-update takes it", Setting{"q"}),
                message("add {}.", Setting{"z", "implicit"}));
  }
  if (options.chosen_z() == ZKind::kWeighted && options.chosen_bound() != BoundKind::kLocal) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} knows no rates", Setting{"z", "weighted"},
                        Setting{"bound", name_of(options.chosen_bound())}),
                message("use {}, or {}.", Setting{"bound", "local"}, Setting{"z", "implicit"}));
  }
  if (options.chosen_kernel() == KernelKind::kSplitHmc && options.frame == FrameKind::kPlain) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: needs {}", Setting{"kernel", "split-hmc"}, Setting{"frame", "whitened"}),
        message("in the plain frame use {}.", Setting{"kernel", "hmc"}));
  }
  if (options.select_prior && options.prior.kind == PriorKind::kFlat) {
    throw Error(ErrorKind::kUsage,
                message("{}: a flat prior has no scale to choose", Setting{"select_prior"}),
                message("use {}, {} or {}.", Setting{"prior", "auto"},
                        OtherValue{"prior", "normal:S"}, OtherValue{"prior", "laplace:S"}));
  }
  const Setting own{"prior_intercept"};
  if (options.prior_intercept && options.intercept && !has_intercept(options)) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} has cut points in place of an intercept", own, options.family),
                message("use {}.", Setting{"prior_aux", "cut ~ normal(0, 5)"}));
  }
  if (options.prior_intercept && !options.intercept) {
    throw Error(ErrorKind::kUsage,
                message("{} and {} contradict each other.", own, Setting{"intercept", "false"}));
  }
  if (options.prior_intercept && options.prior_intercept->automatic) {
    throw Error(ErrorKind::kUsage,
                message("{}: give normal:S, laplace:S or flat.", Setting{own.name, "auto"}));
  }
  if (options.prior_intercept && options.prior.automatic) {
    throw Error(ErrorKind::kUsage, message("{} needs an explicit {} (normal:S, laplace:S or flat).",
                                           own, Setting{"prior"}));
  }
}

}  // namespace

PriorSpec parse_prior(const std::string& text, const std::string& option) {
  if (text == "auto") {
    return {};
  }
  if (text == "flat") {
    return {.automatic = false, .kind = PriorKind::kFlat, .scale = 1.0};
  }
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon == std::string::npos || (kind != "normal" && kind != "laplace")) {
    bad_prior(option, text);
  }
  double scale = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, scale);
  if (error != std::errc{} || stop != end || !(scale > 0.0) || !std::isfinite(scale)) {
    bad_prior(option, text);
  }
  const PriorKind prior_kind = kind == "normal" ? PriorKind::kNormal : PriorKind::kLaplace;
  return {.automatic = false, .kind = prior_kind, .scale = scale};
}

std::string to_text(const PriorSpec& spec) {
  if (spec.automatic) {
    return "auto";
  }
  switch (spec.kind) {
    case PriorKind::kNormal:
      return fmt::format("normal:{}", spec.scale);
    case PriorKind::kLaplace:
      return fmt::format("laplace:{}", spec.scale);
    default:
      return "flat";
  }
}

void require_own_likelihood(const FitSettings& options) {
  if (options.likelihood.empty()) {
    if (!options.predictors.empty()) {
      throw Error(
          ErrorKind::kUsage,
          message("{}: names the predictors of a likelihood of your own", Setting{"predictors"}),
          message("add {}.", Setting{"likelihood"}));
    }
    if (!options.data_columns.empty()) {
      throw Error(
          ErrorKind::kUsage,
          message("{}: names the data of a likelihood of your own", Setting{"data_columns"}),
          message("add {}.", Setting{"likelihood"}));
    }
    return;
  }
  if (options.data_columns.size() > kMostOwnColumns) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: the response and one more column at most",
                Setting{"data_columns", fmt::format("{}", fmt::join(options.data_columns, ","))}),
        "make one column of the others first.");
  }
  if (options.predictors.empty() || options.predictors.size() > kMostOwnPredictors) {
    throw Error(
        ErrorKind::kUsage,
        message("{} is missing: the names of the one to {} linear predictors in {}, the "
                "one with the columns first",
                Setting{"predictors"}, std::to_string(kMostOwnPredictors), Setting{"likelihood"}),
        message("add {}.", Setting{"predictors", "mu"}));
  }
  if (options.select_prior) {
    throw Error(ErrorKind::kUsage,
                message("{}: not with {}", Setting{"select_prior"}, Setting{"likelihood"}),
                "choose a prior yourself.");
  }
}

Message no_such_predictor(const FamilyType& family, const std::string& name) {
  return no_such_parameter(Setting{"formula", fmt::format("{} ~ ...", shortened(name))}, family,
                           "have a formula");
}

const FamilyType& family_type(const FitSettings& settings) {
  if (!settings.likelihood.empty()) {
    return own_family_type(settings.likelihood, settings.predictors, settings.data_columns);
  }
  return find_family(settings.family).with(settings.own);
}

const OwnSetting* sampled_choice(const FitSettings& settings) {
  return settings.likelihood.empty() && family_type(settings).chosen_setting() == nullptr
             ? find_family(settings.family).chosen_setting()
             : nullptr;
}

bool has_intercept(const FitSettings& settings) {
  return settings.intercept && !family_type(settings).is_ordered();
}

TableParts parts_of(const LoadSpec& spec) {
  const bool in_formula = !spec.formula.empty() && !parse_formula(spec.formula).offsets.empty();
  TableParts parts{!spec.trials.empty(), !spec.offset.empty() || in_formula,
                   !spec.censored.empty()};
  for (const auto& [name, formula] : spec.formulas) {
    parts.predictors.push_back(name);
  }
  return parts;
}

TableParts parts_of(const Table& table) {
  return {!table.trials.empty(), !table.offset.empty(), !table.trials.empty()};
}

bool takes_setting(const FitSettings& options, const char* name) {
  return has_setting(family_type(options), name) ||
         (options.likelihood.empty() && has_setting(find_family(options.family), name));
}

void settle(FitSettings& options) {
  if (options.engine == EngineKind::kAuto && (options.bound || options.z)) {
    options.engine = EngineKind::kFly;
  }
  if (options.likelihood.empty()) {
    const OwnSetting* const chosen = find_family(options.family).chosen_setting();
    if (chosen != nullptr && chosen->absent == Absent::kInferred) {
      options.own.try_emplace(chosen->name, kInfer);  // in words, as it might be chosen
    }
  }
}

void validate(const FitSettings& options, const TableParts& parts) {
  const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
  require_own_likelihood(options);
  require_optional_settings(options.own);
  if (options.q) {
    require(*options.q > 0.0 && *options.q <= 1.0, "q", *options.q, "must be in (0, 1], or auto");
  }
  if (options.xi) {
    require(std::isfinite(*options.xi), "xi", *options.xi, "must be finite");
  }
  require(options.q_bright_to_dark > 0.0 && options.q_bright_to_dark <= 1.0, "q_bright_to_dark",
          options.q_bright_to_dark, "must be in (0, 1]");
  require(options.z_fraction > 0.0 && options.z_fraction <= 1.0, "z_fraction", options.z_fraction,
          "must be in (0, 1]");
  require(options.schedule.draws > 0, "draws", count(options.schedule.draws), "must be positive");
  require(options.schedule.thin > 0, "thin", count(options.schedule.thin), "must be positive");
  if (options.ess) {
    require(*options.ess > 0.0 && std::isfinite(*options.ess), "ess", *options.ess,
            "must be positive");
  }
  require(options.chains > 0 && options.chains <= 1000, "chains", options.chains,
          "must be between 1 and 1000");
  require_parts_of_family(options, parts);
  require_no_contradiction(options);
}

}  // namespace flymc
