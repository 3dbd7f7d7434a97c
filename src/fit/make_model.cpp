#include "fit/make_model.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/message.hpp"
#include "flymc/error.hpp"
#include "tune/student_scale.hpp"

namespace flymc {
namespace {

// The response that all rows have, offsets taken off; none where they differ.
std::optional<double> only_response(const Dataset& data) {
  Buffer<double> record;
  const std::size_t any = 0;
  const Dataset::Row first = data.fetch({&any, 1}, record)[0];
  const RowRange held = data.shard().mine();
  bool same = true;
  for (std::size_t n = held.first; same && n < held.last; ++n) {
    same = data.response(n) - data.offset(n) == first.response - first.offset;
  }
  if (!holds_everywhere(data.shard().ranks(), same)) {
    return std::nullopt;
  }
  return first.response - first.offset;
}

MadeModel make_student(const FitOptions& options, const Dataset& data) {
  if (const auto only = options.scale ? std::nullopt : only_response(data)) {
    throw Error(ErrorKind::kData,
                fmt::format("the response is always {:.6g}: it tells no scale", *only),
                message("give {}.", Setting{"scale"}));
  }
  const NoiseScale noise = options.scale.value_or(0.0) > 0.0
                               ? NoiseScale{*options.scale, false}
                               : estimate_scale(data, options.nu, options.seed);
  const Message why = options.scale ? ""
                      : noise.noise_free
                          ? message(
                                " (a millionth of the response's spread: the rows have no "
                                "noise; {} chooses another)",
                                Setting{"scale"})
                          : " (chosen from the data, now fixed)";
  return {StudentT(options.nu, noise.scale),
          message("student-t: nu {:.6g}, scale {:.6g}{}", options.nu, noise.scale, why),
          noise.noise_free};
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

MadeModel make_model(const FitOptions& options, const Dataset& data, std::size_t classes) {
  if (options.model == ModelKind::kStudentT) {
    return make_student(options, data);
  }
  return {make_model(options, classes)};
}

}  // namespace flymc
