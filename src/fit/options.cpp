#include "fit/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/text.hpp"
#include "fit/words.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

[[noreturn]] void bad_prior(const std::string& option, const std::string& text) {
  throw Error(ErrorKind::kUsage,
              fmt::format("{} {}: must be auto, flat, normal:S or laplace:S with a scale S > 0.",
                          option, shortened(text)));
}

void require(bool holds, const std::string& option, double value, const char* rule) {
  if (!holds) {
    throw Error(ErrorKind::kUsage, fmt::format("{} {}: {}.", option, value, rule));
  }
}

// What one model needs and no other takes.
void require_parts_of_model(const FitOptions& options) {
  const bool binomial = options.model == ModelKind::kBinomial;
  const bool sized = options.model == ModelKind::kNegativeBinomial;
  const bool trials = !options.data.trials.empty();
  if (trials != binomial) {
    throw Error(ErrorKind::kUsage,
                binomial ? "--trials is missing: binomial needs the trials of every row, a column "
                           "such as --trials m (of one trial each: use --model logistic)."
                         : "--trials: only binomial takes it; add --model binomial.");
  }
  if (options.size.has_value() != sized) {
    throw Error(ErrorKind::kUsage,
                sized ? "--size is missing: negative-binomial needs it, such as --size 5 (the "
                        "variance is mean + mean^2 / size)."
                      : "--size: only negative-binomial takes it; add --model negative-binomial.");
  }
  if (sized) {
    require(*options.size > 0.0 && std::isfinite(*options.size), "--size", *options.size,
            "must be positive");
  }
  if (options.model == ModelKind::kSoftmax && !options.data.offset.empty()) {
    throw Error(ErrorKind::kUsage,
                "--offset: one offset for all classes of a softmax changes nothing; leave it out.");
  }
  if (options.chosen_bound() != BoundKind::kLocal && !entry_of(options.model).has_global_bound) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--bound {}: {} has no global bound; use --bound local.",
                            name_of(options.chosen_bound()), name_of(options.model)));
  }
}

void require_no_contradiction(const FitOptions& options) {
  if (options.xi && options.chosen_bound() != BoundKind::kUntuned) {
    throw Error(ErrorKind::kUsage, "--xi: only untuned bounds take it; add --bound untuned.");
  }
  if (options.q && options.chosen_z() != ZKind::kImplicit) {
    throw Error(ErrorKind::kUsage, "--q: only the implicit z-update takes it; add --z implicit.");
  }
  if (options.chosen_z() == ZKind::kWeighted && options.chosen_bound() != BoundKind::kLocal) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--z weighted: --bound {} knows no rates; use --bound local, or --z "
                            "implicit.",
                            name_of(options.chosen_bound())));
  }
  if (options.chosen_kernel() == KernelKind::kSplitHmc && options.frame == FrameKind::kPlain) {
    throw Error(ErrorKind::kUsage,
                "--kernel split-hmc: needs --frame whitened; in the plain frame use --kernel hmc.");
  }
  if (options.out.empty()) {
    throw Error(ErrorKind::kUsage, "--out: must name a folder.");
  }
  if (options.select_prior && options.prior.kind == PriorKind::kFlat) {
    throw Error(ErrorKind::kUsage,
                "--select-prior: a flat prior has no scale to choose; use --prior auto, normal:S "
                "or laplace:S.");
  }
  if (options.prior_intercept && !options.intercept) {
    throw Error(ErrorKind::kUsage, "--prior-intercept and --no-intercept contradict each other.");
  }
  if (options.prior_intercept && options.prior_intercept->automatic) {
    throw Error(ErrorKind::kUsage, "--prior-intercept auto: give normal:S, laplace:S or flat.");
  }
  if (options.prior_intercept && options.prior.automatic) {
    throw Error(ErrorKind::kUsage,
                "--prior-intercept needs an explicit --prior (normal:S, laplace:S or flat).");
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

void settle_engine(FitOptions& options) noexcept {
  if (options.engine == EngineKind::kAuto && (options.bound || options.z)) {
    options.engine = EngineKind::kFly;
  }
}

void validate(const FitOptions& options) {
  const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
  require(options.nu > 0.0 && std::isfinite(options.nu), "--nu", options.nu, "must be positive");
  if (options.scale) {
    require(*options.scale > 0.0 && std::isfinite(*options.scale), "--scale", *options.scale,
            "must be positive, or auto");
  }
  if (options.q) {
    require(*options.q > 0.0 && *options.q <= 1.0, "--q", *options.q, "must be in (0, 1], or auto");
  }
  if (options.xi) {
    require(std::isfinite(*options.xi), "--xi", *options.xi, "must be finite");
  }
  require(options.q_bright_to_dark > 0.0 && options.q_bright_to_dark <= 1.0, "--q-bright-to-dark",
          options.q_bright_to_dark, "must be in (0, 1]");
  require(options.z_fraction > 0.0 && options.z_fraction <= 1.0, "--z-fraction", options.z_fraction,
          "must be in (0, 1]");
  require(options.schedule.draws > 0, "--draws", count(options.schedule.draws), "must be positive");
  require(options.schedule.thin > 0, "--thin", count(options.schedule.thin), "must be positive");
  if (options.ess) {
    require(*options.ess > 0.0 && std::isfinite(*options.ess), "--ess", *options.ess,
            "must be positive");
  }
  require(options.chains > 0 && options.chains <= 1000, "--chains", options.chains,
          "must be between 1 and 1000");
  require_parts_of_model(options);
  require_no_contradiction(options);
}

}  // namespace flymc
