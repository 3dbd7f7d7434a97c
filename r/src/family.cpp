// What a family makes of linear predictors that R computed: means, log densities, new responses.
#include "family.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "flymc/detail/diagnose/class_answer.hpp"
#include "flymc/family/family.hpp"
#include "flymc/random.hpp"
#include "glue.hpp"

namespace flymc::r {
namespace {

const char* name_of(ResponseKind kind) {
  switch (kind) {
    case ResponseKind::kTwoClasses:
      return "two classes";
    case ResponseKind::kSuccesses:
    case ResponseKind::kTallies:
      return "successes";
    case ResponseKind::kClasses:
      return "classes";
    case ResponseKind::kOrdered:
      return "ordered";
    case ResponseKind::kCounts:
      return "counts";
    case ResponseKind::kPositive:
      return "positive";
    case ResponseKind::kShares:
      return "shares";
    default:
      return "numbers";
  }
}

std::shared_ptr<const Family> to_family(SEXP given) {
  const cpp11::list parts(given);
  const Settings settings = to_settings(cpp11::doubles(element(parts, "settings")));
  if (element(parts, "likelihood") != R_NilValue) {
    return own_family_type(cpp11::as_cpp<std::string>(element(parts, "likelihood")),
                           texts(element(parts, "predictors")), {})
        .make({}, 0);
  }
  const auto classes = static_cast<std::size_t>(cpp11::as_cpp<double>(element(parts, "classes")));
  const auto word = cpp11::as_cpp<std::string>(element(parts, "family"));
  return find_family(word).with(settings).make(settings, classes);
}

// All predictors of one row after another, draws x predictors, those of auxiliary parameters after
// the linear ones. Of an auxiliary parameter there are values, one a draw, or, where it has a
// formula, its linear predictor, draws x rows.
class Predictors {
 public:
  Predictors(const Family& family, SEXP eta, SEXP auxiliaries)
      : draws_(dimension(eta, 0)),
        rows_(dimension(eta, 1)),
        eta_(REAL(eta)),
        row_(Eigen::ArrayXXd::Zero(draws_, family.predictors())) {
    const auto own = family.type().auxiliaries;
    linear_ = row_.cols() - static_cast<Index>(own.size());
    const cpp11::list given(auxiliaries);
    for (std::size_t k = 0; k < own.size(); ++k) {
      const SEXP values = given[static_cast<R_xlen_t>(k)];
      if (Rf_isMatrix(values)) {
        by_row_.push_back(REAL(values));
        continue;
      }
      by_row_.push_back(nullptr);
      double* const column = row_.col(linear_ + static_cast<Index>(k)).data();
      for (Index s = 0; s < draws_; ++s) {
        column[s] = to_predictor(own[k].natural, REAL(values)[s]);
      }
    }
    constant_ = row_.rightCols(row_.cols() - linear_);
  }

  [[nodiscard]] Index draws() const noexcept { return draws_; }
  [[nodiscard]] Index rows() const noexcept { return rows_; }
  [[nodiscard]] Index linear() const noexcept { return linear_; }

  // Valid, and to be overwritten, until the next call.
  [[nodiscard]] DrawsView of(Index row) {
    for (Index k = 0; k < linear_; ++k) {
      std::copy_n(eta_ + (k * rows_ + row) * draws_, draws_, row_.col(k).data());
    }
    row_.rightCols(constant_.cols()) = constant_;
    for (std::size_t k = 0; k < by_row_.size(); ++k) {
      if (by_row_[k] != nullptr) {
        std::copy_n(by_row_[k] + row * draws_, draws_,
                    row_.col(linear_ + static_cast<Index>(k)).data());
      }
    }
    return {row_.data(), draws_, row_.cols(), Eigen::OuterStride<>(draws_)};
  }

 private:
  static Index dimension(SEXP array, int which) {
    return INTEGER(Rf_getAttrib(array, R_DimSymbol))[which];
  }

  Index draws_;
  Index rows_;
  Index linear_ = 1;
  const double* eta_;
  std::vector<const double*> by_row_{};  // of auxiliary parameters; null: the same in every row
  Eigen::ArrayXXd constant_;             // those that are
  Eigen::ArrayXXd row_;
};

cpp11::writable::doubles array_of(Index draws, Index rows, Index classes) {
  cpp11::writable::doubles values(static_cast<R_xlen_t>(draws * rows * classes));
  cpp11::writable::integers shape({static_cast<int>(draws), static_cast<int>(rows)});
  if (classes > 1) {
    shape.push_back(static_cast<int>(classes));
  }
  values.attr("dim") = shape;
  return values;
}

}  // namespace

SEXP list_families() {
  return called([]() -> SEXP {
    using namespace cpp11::literals;
    cpp11::writable::strings words;
    cpp11::writable::strings responses;
    cpp11::writable::strings links;
    cpp11::writable::strings settings;
    cpp11::writable::strings parameters;
    for (const FamilyType* family : families()) {
      words.push_back(family->word);
      responses.push_back(name_of(family->response));
      links.push_back(family->link);
      std::string names;
      for (const OwnSetting& setting : family->settings) {
        names += (names.empty() ? "" : ", ") + std::string(setting.name);
      }
      settings.push_back(names);
      names.clear();
      for (const Auxiliary& auxiliary : family->auxiliaries) {
        names += (names.empty() ? "" : ", ") + std::string(auxiliary.name);
      }
      parameters.push_back(names);
    }
    return cpp11::writable::list({"family"_nm = words, "response"_nm = responses, "link"_nm = links,
                                  "settings"_nm = settings, "parameters"_nm = parameters});
  });
}

SEXP family_means(SEXP family, SEXP eta, SEXP auxiliaries) {
  return called([&]() -> SEXP {
    const auto model = to_family(family);
    Predictors predictors(*model, eta, auxiliaries);
    const Index outcomes = model->type().has_probabilities() ? model->predictors() : 1;
    cpp11::writable::doubles means = array_of(predictors.draws(), predictors.rows(), outcomes);
    double* const out = REAL(means.data());
    for (Index i = 0; i < predictors.rows(); ++i) {
      const DrawsView row = predictors.of(i);
      model->means(row);
      for (Index k = 0; k < outcomes; ++k) {
        std::copy_n(row.col(k).data(), row.rows(), out + (k * predictors.rows() + i) * row.rows());
      }
    }
    return means;
  });
}

SEXP family_log_lik(SEXP family, SEXP eta, SEXP auxiliaries, SEXP y, SEXP trials) {
  return called([&]() -> SEXP {
    const auto model = to_family(family);
    Predictors predictors(*model, eta, auxiliaries);
    cpp11::writable::doubles values = array_of(predictors.draws(), predictors.rows(), 1);
    double* out = REAL(values.data());
    const bool tallies = model->type().response == ResponseKind::kTallies;
    for (Index i = 0; i < predictors.rows(); ++i, out += predictors.draws()) {
      const std::span row(out, static_cast<std::size_t>(predictors.draws()));
      const double trials_here = REAL(trials)[i];
      const double response =
          tallies ? Tally{std::round(REAL(y)[i] * trials_here), trials_here}.code() : REAL(y)[i];
      model->log_likelihoods(predictors.of(i), response, trials_here, row);
      const double constant = model->log_constant(response, trials_here);
      for (double& value : row) {
        value += constant;
      }
    }
    return values;
  });
}

SEXP family_sample(SEXP family, SEXP eta, SEXP auxiliaries, SEXP trials, SEXP address) {
  return called([&]() -> SEXP {
    const auto model = to_family(family);
    Predictors predictors(*model, eta, auxiliaries);
    cpp11::writable::doubles values = array_of(predictors.draws(), predictors.rows(), 1);
    double* out = REAL(values.data());
    const auto seed = static_cast<std::uint64_t>(REAL(address)[0]);
    const auto first_row = static_cast<std::uint64_t>(REAL(address)[1]);
    std::vector<double> one(static_cast<std::size_t>(model->predictors()));
    for (Index i = 0; i < predictors.rows(); ++i) {
      const DrawsView row = predictors.of(i);
      Stream stream(seed, 0, Purpose::kSimulate, first_row + static_cast<std::uint64_t>(i));
      for (Index s = 0; s < row.rows(); ++s) {
        for (std::size_t k = 0; k < one.size(); ++k) {
          one[k] = row(s, static_cast<Index>(k));
        }
        const bool missing = std::ranges::any_of(one, [](double eta) { return std::isnan(eta); });
        *out++ = missing ? NA_REAL : model->sample(stream, one, {.trials = REAL(trials)[i]});
      }
    }
    return values;
  });
}

SEXP class_set(SEXP shares, SEXP tail, SEXP ordered) {
  return called([&]() -> SEXP {
    const ClassAnswer answer =
        class_answer(numbers(shares), cpp11::as_cpp<double>(tail), cpp11::as_cpp<bool>(ordered));
    cpp11::writable::integers places;
    for (const std::size_t k : answer.set) {
      places.push_back(static_cast<int>(k) + 1);
    }
    return places;
  });
}

}  // namespace flymc::r
