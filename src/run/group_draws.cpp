#include "run/group_draws.hpp"

#include <algorithm>
#include <limits>

#include "data/table/group_terms.hpp"
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
  // The last of that name: features, which may have it, too, stand before.
  const std::string first = "sd." + coefficient_names(terms.front()).front();
  const auto found = std::find(names.rbegin(), names.rend(), first);
  return static_cast<std::size_t>(found - names.rbegin()) + (found == names.rend() ? 0 : 1);
}

void GroupDraws::add(const std::vector<Factor>& of_table, std::size_t row, const double* x,
                     double* eta) const {
  std::size_t at = 0;
  for (const TermDraws& term : terms) {
    for (const GroupMember& member : term.term.all_members()) {
      term.add(of_table[at++].codes[row], member.sign, x, eta);
    }
  }
}

void TermDraws::add(std::uint32_t level, double sign, const double* row, double* eta) const {
  const auto draws = static_cast<Index>(factors.size());
  if (level == Factor::kNone) {
    std::fill_n(eta, draws, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const auto q = static_cast<Index>(term.size());
  Vector w(q);
  Index at = 0;
  if (term.intercept) {
    w[at++] = sign;
  }
  for (const std::size_t column : columns) {
    w[at++] = sign * row[column];
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
    Stream stream(level, number, Purpose::kSimulate, static_cast<std::uint64_t>(s));
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
  const std::size_t statistics = chains.chains.front().columns.size() - labels.size();
  const std::size_t length = chains.chains.front().draws();
  const auto value = [&](std::size_t parameter, std::size_t draw) {
    return chains.chains[draw / length].values[statistics + parameter][draw % length];
  };
  const auto rows = static_cast<Index>(picked.size());
  GroupDraws groups;
  std::size_t at = labels.size() - group_parameters(terms, labels);
  std::size_t correlation = at;  // behind the standard deviations of all terms
  for (const GroupTerm& term : terms) {
    correlation += term.size();
  }
  for (const GroupTerm& term : terms) {
    const std::size_t q = term.size();
    const std::size_t correlations = term.correlated ? q * (q - 1) / 2 : 0;
    if (term.is_smooth()) {  // its coefficients are those of features
      at += q;
      continue;
    }
    TermDraws draws{.term = term,
                    .number = static_cast<std::uint32_t>(groups.terms.size()),
                    .labels = {},
                    .levels = {},
                    .factors = {},
                    .columns = {}};
    for (const std::string& slope : term.slopes) {
      draws.columns.push_back(
          static_cast<std::size_t>(std::ranges::find(features, slope) - features.begin()));
    }
    for (const std::size_t draw : picked) {
      Vector sds(static_cast<Index>(q));
      Vector cors(static_cast<Index>(correlations));
      for (std::size_t j = 0; j < q; ++j) {
        sds[static_cast<Index>(j)] = value(at + j, draw);
      }
      for (std::size_t j = 0; j < correlations; ++j) {
        cors[static_cast<Index>(j)] = value(correlation + j, draw);
      }
      draws.factors.push_back(covariance_factor(sds, cors));
    }
    at += q;
    correlation += correlations;
    groups.terms.push_back(std::move(draws));
  }
  at = correlation;  // levels come next
  if (groups.terms.empty()) {
    return std::nullopt;
  }
  for (TermDraws& draws : groups.terms) {
    for (const std::string& name : coefficient_names(draws.term)) {
      const std::size_t first = at;
      while (at < labels.size() && labels[at].starts_with("u." + name + "[")) {
        ++at;
      }
      draws.labels.clear();
      Matrix& levels = draws.levels.emplace_back(rows, static_cast<Index>(at - first));
      for (std::size_t i = first; i < at; ++i) {
        draws.labels.push_back(label_of(labels[i]));
        for (std::size_t s = 0; s < picked.size(); ++s) {
          levels(static_cast<Index>(s), static_cast<Index>(i - first)) = value(i, picked[s]);
        }
      }
    }
  }
  return groups;
}

std::optional<GroupDraws> arrange_groups(const Problem& problem, const RunChains& chains,
                                         const std::vector<std::size_t>& picked) {
  if (!problem.groups) {
    return std::nullopt;
  }
  std::vector<std::string> labels;
  for (const ParameterName& parameter : problem.parameters) {
    labels.push_back(parameter.label);
  }
  return arrange_groups(problem.groups->terms, labels, problem.data.names(), chains, picked);
}

}  // namespace flymc
