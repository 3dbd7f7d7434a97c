#include "fit/select_prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "fit/family_engine.hpp"
#include "fit/make_family.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "tune/held_out.hpp"

namespace flymc {
namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();

// Powers of a ratio.
struct Grid {
  double ratio;
  int first;
  int last;
};
constexpr Grid kPriorGrid{2.0, -10, 4};
constexpr Grid kNoiseGrid{std::numbers::sqrt2, -4, 4};

struct Trial {
  FitSettings options;
  double score = kWorst;
  int power = 0;
};

class PriorScorer {
 public:
  PriorScorer(const HeldOut& data, const ResponseScale& response, std::size_t classes)
      : data_(data), response_(response), classes_(classes) {}

  [[nodiscard]] std::shared_ptr<const Family> family(const FitSettings& options) const {
    return make_family(options, data_.training, classes_).family;
  }
  [[nodiscard]] PriorSetup prior(const FitSettings& options) const {
    return set_up_prior(options, predictor_designs(options, classes_, data_.training.names()),
                        *family(options), response_);
  }

  [[nodiscard]] std::string describe(const FitSettings& options) const {
    const std::string slopes = prior(options).used.slopes;
    const OwnSetting* noise = family_type(options).chosen_setting();
    return noise != nullptr
               ? fmt::format("{}, {} {:.6g}", slopes, noise->name, options.own.at(noise->name))
               : slopes;
  }

  [[nodiscard]] double score(const FitSettings& options, Vector& theta) const {
    if (!std::isnormal(options.prior.scale)) {
      return kWorst;  // a power of an extreme --prior that has left the range of a double
    }
    const auto made = family(options);
    return engine_of(*made).held_out_score(*made, prior(options).prior, data_, options.threads,
                                           theta);
  }

  // `centre` with one number multiplied by each power in turn: the best. Where others are as good,
  // the nearest to `centre`: above the spread of the coefficients the curve is flat, and its
  // highest point may be anywhere. Upwards, so that every search starts at the mode of a slightly
  // stronger prior.
  template <class Multiply>
  [[nodiscard]] Trial best(const FitSettings& centre, const Grid& grid, Multiply multiply) const {
    constexpr double kTieNats = 0.5;  // of all held-out rows together: less says nothing
    std::vector<Trial> trials;
    Vector theta;
    for (int power = grid.first; power <= grid.last; ++power) {
      Trial& trial = trials.emplace_back(Trial{centre, kWorst, power});
      multiply(trial.options, std::pow(grid.ratio, power));
      trial.score = score(trial.options, theta);
    }
    const double top = std::ranges::max_element(trials, {}, &Trial::score)->score;
    const double tie = kTieNats / static_cast<double>(data_.held_out.rows());
    std::erase_if(trials, [&](const Trial& trial) { return trial.score < top - tie; });
    return *std::ranges::min_element(trials, {},
                                     [](const Trial& trial) { return std::abs(trial.power); });
  }

 private:
  const HeldOut& data_;
  const ResponseScale& response_;
  std::size_t classes_;
};

Trial best_prior(const PriorScorer& scorer, const FitSettings& centre) {
  return scorer.best(centre, kPriorGrid,
                     [](FitSettings& options, double factor) { options.prior.scale *= factor; });
}

Trial best_noise(const PriorScorer& scorer, const FitSettings& centre, const OwnSetting& noise) {
  return scorer.best(centre, kNoiseGrid, [&](FitSettings& options, double factor) {
    options.own.at(noise.name) *= factor;
  });
}

const char* end_of_grid(int power) {
  return power == kPriorGrid.first  ? "the smallest of "
         : power == kPriorGrid.last ? "the largest of "
                                    : "";
}

std::string compared(const PriorScorer& scorer, const Trial& best, const FitSettings& given) {
  const bool whole = !family_type(given).leaves_out_constant;
  Vector theta;
  return fmt::format("{} on held-out rows (mean log likelihood{} {:.5g} against {:.5g} with {}",
                     scorer.describe(best.options), whole ? "" : " up to a constant", best.score,
                     scorer.score(given, theta), scorer.describe(given));
}

}  // namespace

PriorChoice select_prior(const Table& table, const Dataset::Options& design,
                         const FitSettings& options, const ResponseScale& response,
                         std::size_t classes) {
  constexpr std::size_t kFewest = 5;
  const std::size_t rows = table.sharding().rows();
  if (rows < kFewest) {
    throw Error(ErrorKind::kData,
                message("{}: {} {} too few to hold some out", Setting{"select_prior"},
                        counted(rows, "row"), rows == 1 ? "is" : "are"),
                message("choose the scale of {} yourself.", Setting{"prior"}));
  }
  const HeldOut data = hold_out(table, design, options.seed, options.threads);
  const PriorScorer scorer(data, response, classes);
  const OwnSetting* const noise = family_type(options).chosen_setting();
  const bool both = noise != nullptr && options.own.at(noise->name) == kChoose;
  FitSettings given = options;
  if (both) {
    given.own[noise->name] = scorer.family(options)->settings().at(noise->name);
  }
  const Trial prior = best_prior(scorer, both ? best_noise(scorer, given, *noise).options : given);
  const Trial best = both ? best_noise(scorer, prior.options, *noise) : prior;
  if (best.score == kWorst) {
    throw Error(
        ErrorKind::kData,
        message("{}: no scale gives the held-out rows a finite likelihood",
                Setting{"select_prior"}),
        message("rescale the columns, or choose the scale of {} yourself.", Setting{"prior"}));
  }
  return {best.options,
          message("{}: {}; {}{} scales tried, {} held out)", Setting{"select_prior"},
                  compared(scorer, best, given), end_of_grid(prior.power),
                  kPriorGrid.last - kPriorGrid.first + 1, counted(data.held_out.rows(), "row"))};
}

}  // namespace flymc
