#include "flymc/make_model.hpp"

#include <fmt/format.h>

#include "flymc/core/error.hpp"
#include "flymc/tune/student_scale.hpp"

namespace flymc::app {
namespace {

// Offsets taken off.
bool has_one_response(const Dataset& data) {
  Buffer<double> record;
  const std::size_t any = 0;
  const Dataset::Row first = data.fetch({&any, 1}, record)[0];
  const RowRange held = data.shard().mine();
  bool same = true;
  for (std::size_t n = held.first; same && n < held.last; ++n) {
    same = data.response(n) - data.offset(n) == first.response - first.offset;
  }
  return holds_everywhere(data.shard().ranks(), same);
}

double student_scale(const FitOptions& options, const Dataset& data,
                     std::vector<std::string>& notes) {
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
  return scale;
}

}  // namespace

int predictors_of(const AnyModel& model) noexcept {
  const auto* softmax = std::get_if<Softmax>(&model);
  return softmax != nullptr ? softmax->predictors() : 1;
}

AnyModel make_model(const FitOptions& options, std::size_t classes) {
  switch (options.model) {
    case ModelKind::kLogistic:
      return Logistic{};
    case ModelKind::kSoftmax:
      return Softmax(static_cast<int>(classes));
    case ModelKind::kPoisson:
      return Poisson{};
    case ModelKind::kProbit:
      return Probit{};
    case ModelKind::kBinomial:
      return Binomial{};
    case ModelKind::kNegativeBinomial:
      return NegativeBinomial(options.size.value());
    case ModelKind::kStudentT:
      break;
  }
  return StudentT(options.nu, options.scale.value());
}

AnyModel make_model(const FitOptions& asked, const Dataset& data, std::size_t classes,
                    std::vector<std::string>& notes) {
  FitOptions options = asked;
  if (options.model == ModelKind::kStudentT) {
    options.scale = student_scale(asked, data, notes);
  }
  return make_model(options, classes);
}

}  // namespace flymc::app
