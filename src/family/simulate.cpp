#include "family/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "data/table/columns.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/error.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {
namespace {

// Stream iterations: 0 for the coefficients, 1 + block for the rows. Chain 0 has columns and
// responses, chain 1 + factor its levels: the columns are the same with factors and without.
constexpr std::uint64_t kCoefficients = 0;

Stream factor_stream(std::uint64_t seed, std::size_t factor, std::uint64_t iteration) {
  return {seed, static_cast<std::uint32_t>(1 + factor), Purpose::kSimulate, iteration};
}

template <class T>
void require(bool holds, const char* setting, const T& value, const Message& rule) {
  if (!holds) {
    throw Error(ErrorKind::kUsage, message("{} {}: {}.", Setting{setting}, value, rule));
  }
}

// Every setting is checked, whatever the family.
void validate_settings(const SimulateOptions& o) {
  constexpr std::size_t kMaxClasses = 1000;
  constexpr std::size_t kMaxTrials = 1'000'000;  // each is drawn by itself
  for (const FamilyType* family : families()) {
    if (family->response == ResponseKind::kClasses) {
      require(o.classes >= 2 && o.classes <= kMaxClasses, "classes", o.classes,
              "must be between 2 and 1000");
    }
    if (are_of_trials(family->response)) {
      require(o.trials > 0 && o.trials <= kMaxTrials, "trials", o.trials,
              "must be between 1 and 1000000");
    }
    for (const OwnSetting& setting : family->settings) {
      const double value = value_of(setting, o.own);
      require(setting.holds(value), setting.name, value, setting.rule);
    }
  }
}

void validate(const SimulateOptions& o) {
  constexpr std::size_t kMaxNumbers = std::size_t{1} << 50;
  constexpr std::size_t kMostLevels = 10'000'000;
  const ResponseKind response = find_family(o.family).response;
  if (response == ResponseKind::kOrdered) {
    require(o.classes >= 3 && o.classes <= kMostPredictors, "classes", o.classes,
            message("of {} must be between 3 and {}", o.family, std::to_string(kMostPredictors)));
  }
  require(o.rows > 0, "rows", o.rows, "must be positive");
  require(o.columns > 0, "columns", o.columns, "must be positive");
  require(o.rows <= kMaxNumbers / o.columns, "rows", o.rows, "too many numbers for any disk");
  const double predictor_sd = o.predictor_sd.value_or(default_predictor_sd(response));
  require(predictor_sd >= 0.0 && std::isfinite(predictor_sd), "predictor_sd", predictor_sd,
          "must be 0 or more");
  validate_settings(o);
  require(o.rare <= o.columns, "rare", o.rare,
          message("must be at most {}, the number of columns", Setting{"columns"}));
  if (o.separable && are_numbers(response)) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} has no classes to separate.", Setting{"separable"}, o.family));
  }
  for (const std::size_t levels : o.groups) {
    require(levels >= 2 && levels <= kMostLevels, "groups", levels,
            message("a factor has between 2 and {} levels", std::to_string(kMostLevels)));
  }
  require(o.group_sd >= 0.0 && std::isfinite(o.group_sd), "group_sd", o.group_sd,
          "must be 0 or more");
}

// As `fit` does: one linear predictor that columns and levels add to, whatever stands beside it.
void require_group_terms(const SimulateOptions& options, const Family& family) {
  const FamilyType& type = family.type();
  const bool has_terms =
      type.response != ResponseKind::kClasses && type.response != ResponseKind::kOrdered;
  if (!options.groups.empty() && !has_terms) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} has no group terms.", Setting{"groups"}, options.family));
  }
}

SimulateOptions completed(SimulateOptions options) {
  validate(options);
  options.predictor_sd =
      options.predictor_sd.value_or(default_predictor_sd(find_family(options.family).response));
  return options;
}

// Auxiliary parameters have their usual values.
SimulatedTruth draw_truth(const SimulateOptions& options, const Family& family) {
  Stream stream(options.seed, 0, Purpose::kSimulate, kCoefficients);
  const auto auxiliaries = family.type().auxiliaries;
  const auto k = static_cast<Index>(family.predictors()) - static_cast<Index>(auxiliaries.size());
  const auto d = static_cast<Index>(options.columns);
  SimulatedTruth truth{Vector::Zero(k), Matrix(d, k)};
  for (Index c = 0; c < k; ++c) {
    truth.alpha[c] = options.intercept && !family.type().is_ordered() ? stream.normal() : 0.0;
    for (Index j = 0; j < d; ++j) {
      truth.beta(j, c) = stream.normal();
    }
    truth.beta.col(c) *= *options.predictor_sd / truth.beta.col(c).norm();
  }
  if (k > 1) {
    truth.alpha.array() -= truth.alpha.mean();
    const Vector centre = truth.beta.rowwise().mean();
    truth.beta.colwise() -= centre;
  }
  truth.alpha.conservativeResize(family.predictors());
  truth.beta.conservativeResize(d, family.predictors());
  for (Index a = 0; a < truth.alpha.size() - k; ++a) {
    const Auxiliary& auxiliary = auxiliaries[static_cast<std::size_t>(a)];
    truth.alpha[k + a] = to_predictor(auxiliary.natural, auxiliary.usual);
    truth.beta.col(k + a).setZero();
  }
  for (std::size_t factor = 0; factor < options.groups.size(); ++factor) {
    Stream of_levels = factor_stream(options.seed, factor, kCoefficients);
    Vector& levels = truth.levels.emplace_back(static_cast<Index>(options.groups[factor]));
    for (double& level : levels) {
      level = options.group_sd * of_levels.normal();
    }
  }
  return truth;
}

// Evenly spaced on the log scale.
Vector rare_prevalence(std::size_t count) {
  constexpr double kRarest = 1e-4;
  constexpr double kCommonest = 1e-2;
  const auto last = static_cast<double>(std::max<std::size_t>(count, 2) - 1);
  Vector prevalence(static_cast<Index>(count));
  for (Index j = 0; j < prevalence.size(); ++j) {
    prevalence[j] = kRarest * std::pow(kCommonest / kRarest, static_cast<double>(j) / last);
  }
  return prevalence;
}

// About a megabyte a block: enough to keep a thread busy, little enough to hold several.
std::size_t rows_a_block(std::size_t columns) {
  constexpr std::size_t kNumbers = std::size_t{1} << 17;
  return std::max<std::size_t>(1, kNumbers / columns);
}

}  // namespace

Simulator::Simulator(const SimulateOptions& options)
    : options_(completed(options)),
      family_(find_family(options.family).make(options.own, options.classes)),
      truth_(draw_truth(options_, *family_)),
      prevalence_(rare_prevalence(options_.rare)),
      block_rows_(rows_a_block(options_.columns)) {
  require_group_terms(options_, *family_);
}

std::size_t Simulator::blocks() const noexcept {
  return (options_.rows + block_rows_ - 1) / block_rows_;
}

std::size_t Simulator::rows_of(std::size_t block) const noexcept {
  return std::min(block_rows_, options_.rows - block * block_rows_);
}

void Simulator::fill(std::size_t block, std::span<double> x, std::span<double> y) const {
  Stream stream(options_.seed, 0, Purpose::kSimulate, 1 + block);
  std::vector<std::vector<std::uint32_t>> levels;
  for (std::size_t factor = 0; factor < options_.groups.size(); ++factor) {
    levels.push_back(levels_of(block, factor));
  }
  Vector eta(truth_.alpha.size());
  for (std::size_t i = 0; i < rows_of(block); ++i) {
    const auto row = x.subspan(i * options_.columns, options_.columns);
    draw_row(stream, row);
    const ConstVectorView features(row.data(), static_cast<Index>(row.size()));
    eta.noalias() = truth_.beta.transpose() * features;
    eta += truth_.alpha;
    for (std::size_t factor = 0; factor < levels.size(); ++factor) {
      eta[0] += truth_.levels[factor][levels[factor][i]];
    }
    y[i] = draw_response(stream, {eta.data(), static_cast<std::size_t>(eta.size())});
  }
}

std::vector<std::uint32_t> Simulator::levels_of(std::size_t block, std::size_t factor) const {
  Stream stream = factor_stream(options_.seed, factor, 1 + block);
  std::vector<std::uint32_t> levels(rows_of(block));
  for (std::uint32_t& level : levels) {
    level = static_cast<std::uint32_t>(stream.below(options_.groups[factor]));
  }
  return levels;
}

void Simulator::draw_row(Stream& stream, std::span<double> row) const noexcept {
  const std::size_t common = row.size() - options_.rare;
  constexpr double kNu = 3.0;
  constexpr double kVariance = kNu / (kNu - 2.0);
  for (std::size_t j = 0; j < common; ++j) {
    row[j] = options_.heavy_tails ? sample_t(stream, kNu) / std::sqrt(kVariance) : stream.normal();
  }
  for (std::size_t j = common; j < row.size(); ++j) {
    const double p = prevalence_[static_cast<Index>(j - common)];
    const double indicator = stream.uniform() < p ? 1.0 : 0.0;
    row[j] = (indicator - p) / std::sqrt(p * (1.0 - p));
  }
}

double Simulator::draw_response(Stream& stream, std::span<double> eta) const {
  try {
    return family_->sample(stream, eta, {static_cast<double>(options_.trials), options_.separable});
  } catch (const Error& error) {
    throw Error(
        error.kind(),
        message("{} {}: {}", Setting{"predictor_sd"}, *options_.predictor_sd, error.problem()),
        "use a smaller one.");
  }
}

std::vector<std::string> factor_names(const SimulateOptions& options) {
  std::vector<std::string> names;
  for (std::size_t factor = 1; factor <= options.groups.size(); ++factor) {
    names.push_back(fmt::format("g{}", factor));
  }
  return names;
}

Table simulate(const SimulateOptions& options) {
  const Simulator simulator(options);
  Table table;
  table.rows = options.rows;
  table.columns = numbered_names(options.columns);
  table.response.name = "y";
  table.response.values.resize(options.rows);
  table.x.resize(options.rows * options.columns);
  for (std::size_t factor = 0; factor < options.groups.size(); ++factor) {
    Factor& of_rows = table.factors.emplace_back();
    of_rows.name = factor_names(options)[factor];
    for (std::size_t level = 1; level <= options.groups[factor]; ++level) {
      of_rows.labels.push_back(std::to_string(level));
    }
    of_rows.codes.resize(options.rows);
  }
  const std::span<double> x(table.x);
  const std::span<double> y(table.response.values);
  parallel_for(simulator.blocks(), options.threads, [&](std::size_t block) {
    const std::size_t first = block * simulator.block_rows();
    const std::size_t rows = simulator.rows_of(block);
    simulator.fill(block, x.subspan(first * options.columns, rows * options.columns),
                   y.subspan(first, rows));
    for (std::size_t factor = 0; factor < table.factors.size(); ++factor) {
      std::ranges::copy(simulator.levels_of(block, factor),
                        table.factors[factor].codes.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return table;
}

}  // namespace flymc
