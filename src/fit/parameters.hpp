// The parameters of a fit: which columns each linear predictor is made of, and in which order and
// under which names coefficients leave for chain files.
//
//   alpha, beta.j           of the first predictor, in the units of the input; with classes
//                           alpha.k of all, then beta.k.j class by class
//                           (of ordered classes beta.j, then cut.1 .. cut.K-1)
//   sigma                   an auxiliary parameter without a formula, on its natural scale
//   sigma_alpha, sigma_beta.j   with one: coefficients of its linear predictor
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fit/settings.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// One linear predictor.
struct PredictorDesign {
  std::string name{};            // of an auxiliary parameter; empty else
  std::vector<Index> columns{};  // of the table, ascending
  std::vector<Index> offsets{};  // of the table: added without a coefficient
  bool intercept = true;
  bool by_formula = false;  // an auxiliary parameter that is not the same in every row
  Natural natural = Natural::kPredictor;  // the scale on which its intercept is reported
};

// Of every predictor: one a class, or the first and the auxiliary parameters. `columns`: names of
// the table's. THROWS Error(kData) for one that it has not.
[[nodiscard]] std::vector<PredictorDesign> predictor_designs(
    const FitSettings& settings, std::size_t classes, const std::vector<std::string>& columns);

// Where a parameter stands among the coefficients of all predictors.
struct ParameterPlace {
  static constexpr Index kConstant = -1;

  ParameterName name;
  Index predictor = 0;
  Index column = kConstant;  // of the table
  Natural natural = Natural::kPredictor;
};

// In the order of chain files.
[[nodiscard]] std::vector<ParameterPlace> parameter_places(
    const std::vector<PredictorDesign>& predictors, const std::vector<std::string>& classes,
    const std::vector<std::string>& columns);

// What a chain file can name: no separator, no bracket, nothing that is not text.
[[nodiscard]] std::string in_header(const std::string& name);

// Whether this column of a chain file is a level's: u.shop[Oslo].
[[nodiscard]] bool is_of_level(std::string_view column) noexcept;
// Whether it tells how much levels differ: sd.shop, cor.shop.1.2.
[[nodiscard]] bool is_of_levels_spread(std::string_view column) noexcept;

// A level of a coefficient that varies: "shop", "shop.price".
struct LevelName {
  std::string coefficient;
  std::string label;  // untrusted text

  // u.shop[label]
  [[nodiscard]] ParameterName parameter() const;
};

// Of each term coefficient by coefficient. `factors`: those that the terms name, in their order.
[[nodiscard]] std::vector<LevelName> level_names(const std::vector<GroupTerm>& terms,
                                                 const std::vector<Factor>& factors);

}  // namespace flymc
