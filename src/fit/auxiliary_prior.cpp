#include "fit/auxiliary_prior.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

struct LawWords {
  std::string_view name;
  std::size_t numbers;
  // Of its numbers, which are finite and positive but for the m of a normal.
  PriorTerm (*term)(std::span<const double> numbers);
};

constexpr LawWords kNormalLaw{"normal", 2, [](std::span<const double> x) {
                                return PriorTerm{PriorKind::kNormal, x[0], x[1]};
                              }};
constexpr std::array<LawWords, 7> kPositiveLaws = {
    {{"half_normal", 1,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kHalfNormal, 0.0, x[0]};
      }},
     {"half_cauchy", 1,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kHalfT, 0.0, x[0], 1.0};
      }},
     {"half_t", 2,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kHalfT, 0.0, x[1], x[0]};
      }},
     {"exponential", 1,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kExponential, 0.0, 1.0 / x[0]};
      }},
     {"gamma", 2,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kGamma, 0.0, 1.0 / x[1], x[0]};
      }},
     {"inv_gamma", 2,
      [](std::span<const double> x) {
        return PriorTerm{PriorKind::kInverseGamma, 0.0, x[1], x[0]};
      }},
     kNormalLaw}};

std::span<const LawWords> laws_of(Natural scale) {
  return scale == Natural::kPositive ? std::span<const LawWords>(kPositiveLaws)
                                     : std::span<const LawWords>(&kNormalLaw, 1);
}

const char* words_of_laws(Natural scale) {
  switch (scale) {
    case Natural::kPositive:
      return "flat, half_normal(s), half_cauchy(s), half_t(df, s), exponential(rate), gamma(a, "
             "rate), inv_gamma(a, b), or normal(m, s) of its logarithm";
    case Natural::kShare:
      return "flat, or normal(m, s) of its logit";
    default:
      return "normal(m, s)";
  }
}

// A law as it was written, of what, and in which setting.
struct WrittenLaw {
  const std::string& text;
  const char* setting;
  std::string_view name;
  Natural natural;

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::kUsage,
                message("{}: must be {}, with numbers > 0.",
                        Setting{setting, fmt::format("{} ~ {}", name, shortened(text))},
                        words_of_laws(natural)));
  }
};

// "a, b" as numbers; none where one is not.
std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    one = one.substr(0, one.find_last_not_of(' ') + 1);
    double value = 0.0;
    const auto [stop, error] = std::from_chars(one.data(), one.data() + one.size(), value);
    if (one.empty() || error != std::errc{} || stop != one.data() + one.size() ||
        !std::isfinite(value)) {
      return {};
    }
    numbers.push_back(value);
    if (comma == std::string_view::npos) {
      return numbers;
    }
    text.remove_prefix(comma + 1);
  }
}

PriorTerm flat_law(const Auxiliary& auxiliary) {
  if (auxiliary.natural == Natural::kShare) {
    return auxiliary.prior;  // uniform
  }
  if (auxiliary.limit != nullptr) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior of '{}' has no proper posterior: as it grows the "
                            "likelihood tends to that of {}, and stays there",
                            auxiliary.name, auxiliary.limit),
                "use a proper prior.");
  }
  return {.kind = PriorKind::kUniform};
}

// All but flat ones.
PriorTerm parse_proper(const WrittenLaw& written) {
  const std::string& text = written.text;
  const std::size_t open = text.find('(');
  if (open == std::string::npos || !text.ends_with(')')) {
    written.fail();
  }
  const std::string_view name = std::string_view(text).substr(0, open);
  const std::vector<double> numbers =
      numbers_in(std::string_view(text).substr(open + 1, text.size() - open - 2));
  for (const LawWords& law : laws_of(written.natural)) {
    if (law.name != name || law.numbers != numbers.size()) {
      continue;
    }
    const std::size_t first = law.name == kNormalLaw.name ? 1 : 0;
    for (std::size_t i = first; i < numbers.size(); ++i) {
      if (!(numbers[i] > 0.0) || !std::isfinite(1.0 / numbers[i])) {
        written.fail();
      }
    }
    return law.term(numbers);
  }
  written.fail();
}

}  // namespace

PriorTerm parse_law(const std::string& text, const Auxiliary& auxiliary) {
  if (text == "flat" && auxiliary.natural != Natural::kPredictor) {
    return flat_law(auxiliary);
  }
  return parse_proper({text, "prior_aux", auxiliary.name, auxiliary.natural});
}

PriorTerm parse_sd_law(const std::string& text, const std::string& name) {
  if (text == "flat") {
    throw Error(ErrorKind::kUsage,
                message("{}: with few levels a flat prior has no proper posterior; use a wide one, "
                        "such as half_t(3, 10).",
                        Setting{"prior_sd", name + " ~ flat"}));
  }
  return parse_proper({text, "prior_sd", name, Natural::kPositive});
}

std::string to_text(const PriorTerm& term) {
  switch (term.kind) {
    case PriorKind::kNormal:
      return fmt::format("normal({:.6g}, {:.6g})", term.location, term.scale);
    case PriorKind::kLaplace:
      return fmt::format("laplace({:.6g}, {:.6g})", term.location, term.scale);
    case PriorKind::kFlat:
    case PriorKind::kUniform:
      return "flat";
    case PriorKind::kExponential:
      return fmt::format("exponential({:.6g})", 1.0 / term.scale);
    case PriorKind::kHalfNormal:
      return fmt::format("half_normal({:.6g})", term.scale);
    case PriorKind::kHalfT:
      return fmt::format("half_t({:.6g}, {:.6g})", term.shape, term.scale);
    case PriorKind::kGamma:
      return fmt::format("gamma({:.6g}, {:.6g})", term.shape, 1.0 / term.scale);
    case PriorKind::kInverseGamma:
      return fmt::format("inv_gamma({:.6g}, {:.6g})", term.shape, term.scale);
    case PriorKind::kUniformShare:
      return "uniform(0, 1)";
  }
  return "";
}

}  // namespace flymc
