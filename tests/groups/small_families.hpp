// The likelihoods of small problems by name: a model, responses drawn from it, and its logarithm
// written down again, up to a constant.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/random.hpp"
#include "groups/row_model.hpp"

namespace flymc::test {

using LogLikelihood = std::function<double(double eta, double response)>;

inline constexpr double kNu = 4.0;
inline constexpr double kScaleOfT = 0.6;

struct SmallFamily {
  std::unique_ptr<RowModel> model;
  std::function<double(Stream&, double)> respond;  // of (stream, eta)
  LogLikelihood log_likelihood;
};

template <class M>
SmallFamily small_family_of(const M& model, LogLikelihood log_likelihood) {
  return {std::make_unique<RowModelOf<M>>(model),
          [=](Stream& stream, double eta) {
            const double drawn = model.sample(stream, eta, Sampling{});
            return std::same_as<M, Logistic> ? (drawn > 0.0 ? 1.0 : -1.0) : drawn;
          },
          std::move(log_likelihood)};
}

inline SmallFamily small_family(const std::string& name) {
  if (name == "logistic") {
    return small_family_of(Logistic{},
                           [](double eta, double y) { return -std::log1p(std::exp(-y * eta)); });
  }
  if (name == "poisson") {
    return small_family_of(Poisson{}, [](double eta, double y) { return y * eta - std::exp(eta); });
  }
  if (name == "student-t") {
    return small_family_of(StudentT(kNu, kScaleOfT), [](double eta, double y) {
      const double off = (y - eta) / kScaleOfT;
      return -0.5 * (kNu + 1.0) * std::log1p(off * off / kNu);
    });
  }
  return small_family_of(NegativeBinomial{2.0}, [](double eta, double y) {
    return y * eta - (y + 2.0) * std::log(2.0 + std::exp(eta));
  });
}

}  // namespace flymc::test
