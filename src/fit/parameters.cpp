#include "fit/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kColumnsListed = 8;

// All columns but those that are offsets of another predictor.
std::vector<Index> other_columns(const FitSettings& settings,
                                 const std::vector<std::string>& columns) {
  std::vector<Index> others;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!is_offset(settings.columns, columns[j])) {
      others.push_back(static_cast<Index>(j));
    }
  }
  return others;
}

std::vector<Index> indices_of(const std::vector<std::string>& names,
                              const std::vector<std::string>& columns,
                              const std::string& predictor) {
  std::vector<Index> indices;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(columns, name);
    if (found == columns.end()) {
      throw Error(ErrorKind::kData,
                  fmt::format("no column {} for {}; columns are {}.", in_quotes(name),
                              predictor.empty() ? "the first predictor" : in_quotes(predictor),
                              listed(columns, ", ", kColumnsListed)));
    }
    indices.push_back(found - columns.begin());
  }
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

PredictorDesign auxiliary_design(const Auxiliary& auxiliary, const FitSettings& settings,
                                 const std::vector<std::string>& columns) {
  const auto found = settings.columns.find(auxiliary.name);
  if (found == settings.columns.end() ||
      (found->second.columns.empty() && found->second.intercept && found->second.offsets.empty())) {
    return {.name = auxiliary.name, .natural = auxiliary.natural};
  }
  return {.name = auxiliary.name,
          .columns = indices_of(found->second.columns, columns, auxiliary.name),
          .offsets = indices_of(found->second.offsets, columns, auxiliary.name),
          .intercept = found->second.intercept,
          .by_formula = true};
}

// "class: column", "sigma: column".
std::string labelled(const std::string& owner, const std::string& name) {
  return owner.empty() ? name : fmt::format("{}: {}", owner, name);
}

// Those that are made of columns but are no auxiliary parameters: intercepts first.
void add_first(const std::vector<PredictorDesign>& predictors,
               const std::vector<std::string>& classes, const std::vector<std::string>& columns,
               std::vector<ParameterPlace>& places) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(predictors, [](const auto& p) { return p.name.empty(); }));
  const bool one = count == 1;
  const auto owner = [&](std::size_t k) { return one ? std::string() : classes[k]; };
  for (std::size_t k = 0; k < count && predictors[k].intercept; ++k) {
    places.push_back({.name = {one ? "alpha" : fmt::format("alpha.{}", k + 1),
                               labelled(owner(k), "(intercept)")},
                      .predictor = static_cast<Index>(k)});
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t j = 0;
    for (const Index column : predictors[k].columns) {
      ++j;
      places.push_back(
          {.name = {one ? fmt::format("beta.{}", j) : fmt::format("beta.{}.{}", k + 1, j),
                    labelled(owner(k), columns[static_cast<std::size_t>(column)])},
           .predictor = static_cast<Index>(k),
           .column = column});
    }
  }
}

void add_auxiliary(const PredictorDesign& design, Index predictor,
                   const std::vector<std::string>& columns, std::vector<ParameterPlace>& places) {
  if (!design.by_formula) {
    places.push_back(
        {.name = {design.name, design.name}, .predictor = predictor, .natural = design.natural});
    return;
  }
  if (design.intercept) {
    places.push_back({.name = {design.name + "_alpha", labelled(design.name, "(intercept)")},
                      .predictor = predictor});
  }
  std::size_t j = 0;
  for (const Index column : design.columns) {
    places.push_back({.name = {fmt::format("{}_beta.{}", design.name, ++j),
                               labelled(design.name, columns[static_cast<std::size_t>(column)])},
                      .predictor = predictor,
                      .column = column});
  }
}

}  // namespace

std::vector<PredictorDesign> predictor_designs(const FitSettings& settings, std::size_t classes,
                                               const std::vector<std::string>& columns) {
  const FamilyType& family = family_type(settings).of_classes(classes);
  const auto first = settings.columns.find("");
  const PredictorDesign linear{.columns = first != settings.columns.end()
                                              ? indices_of(first->second.columns, columns, "")
                                              : other_columns(settings, columns),
                               .intercept = has_intercept(settings)};
  std::vector<PredictorDesign> designs(family.linear_predictors(classes), linear);
  for (const Auxiliary& auxiliary : family.auxiliaries) {
    designs.push_back(auxiliary_design(auxiliary, settings, columns));
  }
  return designs;
}

std::vector<ParameterPlace> parameter_places(const std::vector<PredictorDesign>& predictors,
                                             const std::vector<std::string>& classes,
                                             const std::vector<std::string>& columns) {
  std::vector<ParameterPlace> places;
  add_first(predictors, classes, columns, places);
  for (std::size_t k = 0; k < predictors.size(); ++k) {
    if (!predictors[k].name.empty()) {
      add_auxiliary(predictors[k], static_cast<Index>(k), columns, places);
    }
  }
  return places;
}

std::string in_header(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == ',' || c == '"' || c == '%' || c == '[' || c == ']' || c == '#' ||
        static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

bool is_of_level(std::string_view column) noexcept { return column.starts_with("u."); }

bool is_of_levels_spread(std::string_view column) noexcept {
  return column.starts_with("sd.") || column.starts_with("cor.");
}

ParameterName LevelName::parameter() const {
  return {"u." + in_header(coefficient) + "[" + in_header(label) + "]",
          "u." + coefficient + "[" + label + "]"};
}

std::vector<LevelName> level_names(const std::vector<GroupTerm>& terms,
                                   const std::vector<Factor>& factors) {
  std::vector<LevelName> names;
  std::size_t at = 0;
  for (const GroupTerm& term : terms) {
    if (term.is_smooth()) {
      continue;  // its coefficients are those of columns
    }
    for (const std::string& coefficient : coefficient_names(term)) {
      for (const std::string& label : factors[at].labels) {
        names.push_back({coefficient, label});
      }
    }
    at += term.all_members().size();
  }
  return names;
}

}  // namespace flymc
