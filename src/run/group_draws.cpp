#include "run/group_draws.hpp"

#include <algorithm>
#include <limits>

#include "fit/draw_values.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// "u.shop[Oslo]" -> "Oslo".
std::string label_of(const std::string& name) {
  const std::size_t open = name.find('[');
  return name.substr(open + 1, name.size() - open - 2);
}

Matrix covariance_factor(const Vector& sds, const Vector& correlations) {
  const Index q = sds.size();
  Matrix covariance = sds.cwiseAbs2().asDiagonal();
  Index at = 0;
  for (Index i = 1; i < q && correlations.size() > 0; ++i) {
    for (Index j = 0; j < i; ++j) {
      covariance(i, j) = covariance(j, i) = correlations[at++] * sds[i] * sds[j];
    }
  }
  const Eigen::LLT<Matrix> llt(covariance);
  return llt.matrixL();
}

}  // namespace

std::size_t group_parameters(const std::vector<GroupTerm>& terms,
                             const std::vector<std::string>& names) {
  if (terms.empty()) {
    return 0;
  }
  const GroupTerm& term = terms.front();
  const std::string first = "sd." + term.factor + (term.intercept ? "" : "." + term.slopes.front());
  return static_cast<std::size_t>(names.end() - std::ranges::find(names, first));
}

void GroupDraws::add(std::uint32_t level, const double* row, double* eta) const {
  const auto draws = static_cast<Index>(factors.size());
  if (level == Factor::kNone) {
    std::fill_n(eta, draws, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const auto q = static_cast<Index>(term.size());
  Vector w(q);
  Index at = 0;
  if (term.intercept) {
    w[at++] = 1.0;
  }
  for (const std::size_t column : columns) {
    w[at++] = row[column];
  }
  if (level < labels.size()) {
    for (Index j = 0; j < q; ++j) {
      const auto of_level = levels[static_cast<std::size_t>(j)].col(static_cast<Index>(level));
      Eigen::Map<Vector>(eta, draws) += w[j] * of_level;
    }
    return;
  }
  Vector normals(q);
  for (Index s = 0; s < draws; ++s) {
    Stream stream(level, 0, Purpose::kSimulate, static_cast<std::uint64_t>(s));
    for (double& normal : normals) {
      normal = stream.normal();
    }
    eta[s] += w.dot(factors[static_cast<std::size_t>(s)].triangularView<Eigen::Lower>() * normals);
  }
}

std::optional<GroupDraws> arrange_groups(const std::vector<GroupTerm>& terms,
                                         const std::vector<std::string>& labels,
                                         const std::vector<std::string>& features,
                                         const RunChains& chains,
                                         const std::vector<std::size_t>& picked) {
  if (terms.empty()) {
    return std::nullopt;
  }
  GroupDraws groups{
      .term = terms.front(), .labels = {}, .levels = {}, .factors = {}, .columns = {}};
  const std::size_t q = groups.term.size();
  const std::size_t correlations = groups.term.correlated ? q * (q - 1) / 2 : 0;
  const std::vector<std::string>& names = chains.chains.front().columns;
  const std::size_t first = names.size() - group_parameters(terms, names);
  const std::size_t first_level = first + q + correlations;
  const std::size_t count = (names.size() - first_level) / q;
  for (std::size_t level = 0; level < count; ++level) {  // labels have no statistics before them
    groups.labels.push_back(label_of(labels[labels.size() - count * q + level]));
  }
  for (const std::string& slope : groups.term.slopes) {
    groups.columns.push_back(
        static_cast<std::size_t>(std::ranges::find(features, slope) - features.begin()));
  }
  const std::size_t length = chains.chains.front().draws();
  const auto value = [&](std::size_t column, std::size_t draw) {
    return chains.chains[draw / length].values[column][draw % length];
  };
  const auto rows = static_cast<Index>(picked.size());
  groups.levels.assign(q, Matrix(rows, static_cast<Index>(count)));
  for (std::size_t s = 0; s < picked.size(); ++s) {
    Vector sds(static_cast<Index>(q));
    Vector cors(static_cast<Index>(correlations));
    for (std::size_t j = 0; j < q; ++j) {
      sds[static_cast<Index>(j)] = value(first + j, picked[s]);
    }
    for (std::size_t j = 0; j < correlations; ++j) {
      cors[static_cast<Index>(j)] = value(first + q + j, picked[s]);
    }
    groups.factors.push_back(covariance_factor(sds, cors));
    for (std::size_t j = 0; j < q; ++j) {
      for (std::size_t level = 0; level < count; ++level) {
        groups.levels[j](static_cast<Index>(s), static_cast<Index>(level)) =
            value(first_level + j * count + level, picked[s]);
      }
    }
  }
  return groups;
}

}  // namespace flymc
