#include "flymc/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/dependence.hpp"
#include "flymc/response.hpp"
#include "flymc/tune/separation.hpp"
#include "flymc/tune/student_scale.hpp"

namespace flymc::app {
namespace {

constexpr std::size_t kNamesShown = 8;

bool never_changes(const Table& table, std::size_t column) {
  const std::size_t width = table.columns.size();
  for (std::size_t n = 1; n < table.rows; ++n) {
    if (table.x[n * width + column] != table.x[column]) {
      return false;
    }
  }
  return true;
}

// Squares of numbers beyond these bounds, summed over rows, leave the range of a double.
void require_squares(const std::string& column, double size) {
  constexpr double kLargest = 1e145;
  if (!(size < kLargest)) {
    throw Error(ErrorKind::kData,
                fmt::format("column {} holds numbers too large to square (beyond 1e145); rescale "
                            "it.",
                            in_quotes(column)));
  }
}

// What to say of a column whose standard deviation vanishes beside its mean.
std::string why_dropped(const Table& table, std::size_t column) {
  const std::string name = in_quotes(table.columns[column]);
  return never_changes(table, column)
             ? fmt::format("column {} is constant; dropped.", name)
             : fmt::format(
                   "column {} varies too little for its size; dropped. Subtract its mean "
                   "and rescale it to keep it.",
                   name);
}

// A column that never changes says nothing that the intercept does not.
ColumnMoments drop_constant_columns(Table& table, const FitOptions& options,
                                    std::vector<std::string>& warnings) {
  ColumnMoments moments = column_moments(table, options.threads);
  std::vector<std::size_t> constant;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto j = static_cast<Index>(column);
    require_squares(table.columns[column], std::abs(moments.mean[j]) + moments.sd[j]);
    if (options.intercept && moments.sd[j] <= 1e-12 * std::abs(moments.mean[j])) {
      constant.push_back(column);
      warnings.push_back(why_dropped(table, column));
    }
  }
  if (!constant.empty()) {
    drop_columns(table, constant);
    moments = column_moments(table, options.threads);
  }
  return moments;
}

Dataset::Options design(const FitOptions& options, const ColumnMoments& moments) {
  Dataset::Options result;
  result.intercept = options.intercept;
  if (options.prior.automatic) {
    result.scale = moments.sd.unaryExpr([](double sd) { return sd > 0.0 ? sd : 1.0; });
    if (options.intercept) {
      result.center = moments.mean;
    }
  }
  return result;
}

std::vector<ParameterName> parameter_names(const Dataset& data,
                                           const std::vector<std::string>& classes,
                                           ModelKind model) {
  std::vector<ParameterName> names;
  const std::size_t groups = model == ModelKind::kSoftmax ? classes.size() : 1;
  const auto of_class = [&](std::size_t k, const std::string& name) {
    return groups == 1 ? name : fmt::format("{}: {}", classes[k], name);
  };
  for (std::size_t k = 0; data.intercept() && k < groups; ++k) {
    names.push_back(
        {groups == 1 ? "alpha" : fmt::format("alpha.{}", k + 1), of_class(k, "(intercept)")});
  }
  for (std::size_t k = 0; k < groups; ++k) {
    for (std::size_t j = 0; j < data.names().size(); ++j) {
      names.push_back(
          {groups == 1 ? fmt::format("beta.{}", j + 1) : fmt::format("beta.{}.{}", k + 1, j + 1),
           of_class(k, data.names()[j])});
    }
  }
  return names;
}

// Offsets taken off.
bool has_one_response(const Dataset& data) {
  for (std::size_t n = 1; n < data.rows(); ++n) {
    if (data.response(n) - data.offset(n) != data.response(0) - data.offset(0)) {
      return false;
    }
  }
  return true;
}

AnyModel make_model(const FitOptions& options, const Dataset& data,
                    const std::vector<std::string>& classes, std::vector<std::string>& notes) {
  switch (options.model) {
    case ModelKind::kLogistic:
      notes.push_back(fmt::format("logistic: {} is the positive class, {} the negative",
                                  in_quotes(classes[1]), in_quotes(classes[0])));
      return Logistic{};
    case ModelKind::kSoftmax:
      notes.push_back(fmt::format("softmax: {} classes: {}", classes.size(),
                                  listed(classes, ", ", kNamesShown)));
      return Softmax(static_cast<int>(classes.size()));
    default:
      break;
  }
  if (!options.scale && has_one_response(data)) {
    throw Error(ErrorKind::kData,
                fmt::format("the response is always {:.6g}: it tells no scale; give --scale.",
                            data.response(0) - data.offset(0)));
  }
  const double scale = options.scale.value_or(0.0) > 0.0
                           ? *options.scale
                           : estimate_scale(data, options.nu, options.seed);
  notes.push_back(fmt::format("student-t: nu {:.6g}, scale {:.6g}{}", options.nu, scale,
                              options.scale ? "" : " (chosen from the data, now fixed)"));
  return StudentT(options.nu, scale);
}

std::vector<std::string> names_at(const Dataset& data, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    names.push_back(data.names()[column]);
  }
  return names;
}

// A flat prior is allowed only where the likelihood alone has a finite integral.
void require_proper(const Problem& problem, const FitOptions& options,
                    const std::vector<std::string>& dependent) {
  if (!problem.prior.has_flat()) {
    return;
  }
  if (options.model == ModelKind::kSoftmax) {
    throw Error(ErrorKind::kData,
                "a flat prior with softmax has no proper posterior (a shift of all classes changes "
                "nothing); use a proper prior.");
  }
  if (options.prior.kind != PriorKind::kFlat) {
    return;  // a flat intercept alone: both classes occur, and a proper prior holds every slope
  }
  if (!dependent.empty()) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with linearly dependent columns has no proper posterior; "
                            "columns: {}; drop them or use a proper prior.",
                            listed(dependent, ", ", kNamesShown)));
  }
  if (options.model != ModelKind::kLogistic) {
    return;
  }
  auto columns = separating_columns(problem.data, options.threads);
  if (!columns.empty()) {
    for (std::size_t& column : columns) {
      column -= problem.data.intercept() ? 1 : 0;
    }
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with separable data has no proper posterior; columns: "
                            "{}; use a proper prior.",
                            listed(names_at(problem.data, columns), ", ", kNamesShown)));
  }
}

void warn(Problem& problem, const std::vector<std::string>& dependent) {
  const auto rows = problem.data.rows();
  const auto columns = static_cast<std::size_t>(problem.data.columns());
  if (rows < columns) {
    problem.warnings.push_back(
        fmt::format("fewer rows ({}) than columns ({}): the prior decides much of the posterior.",
                    with_commas(rows), with_commas(columns)));
  } else if (!dependent.empty()) {
    problem.warnings.push_back(fmt::format(
        "linearly dependent columns: {}; only the prior tells their coefficients apart.",
        listed(dependent, ", ", kNamesShown)));
  }
}

}  // namespace

int Problem::predictors() const noexcept {
  const auto* softmax = std::get_if<Softmax>(&model);
  return softmax != nullptr ? softmax->predictors() : 1;
}

Problem prepare(Table table, const FitOptions& options) {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  auto classes = encode_response(table.response, options.model);
  const ResponseScale scale = response_scale(table.response, options.model);
  require_squares(table.response.name, std::abs(scale.median) + scale.sd);
  const ColumnMoments moments = drop_constant_columns(table, options, warnings);
  const PriorSetup setup = set_up_prior(options, table.columns.size(), scale);
  Dataset data(std::move(table), design(options, moments));
  AnyModel model = make_model(options, data, classes, notes);
  notes.push_back(setup.note);
  std::vector<PriorTerm> terms;
  const std::size_t groups = options.model == ModelKind::kSoftmax ? classes.size() : 1;
  for (std::size_t k = 0; k < groups; ++k) {
    terms.insert(terms.end(), setup.terms.begin(), setup.terms.end());
  }
  auto names = parameter_names(data, classes, options.model);
  Problem problem{std::move(model), std::move(data), Prior(std::move(terms)), std::move(classes),
                  std::move(names), setup.used,      std::move(notes),        std::move(warnings)};
  const auto dependent = names_at(problem.data, dependent_columns(problem.data));
  require_proper(problem, options, dependent);
  warn(problem, dependent);
  return problem;
}

}  // namespace flymc::app
