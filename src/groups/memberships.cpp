#include "groups/memberships.hpp"

#include <algorithm>

#include "groups/grouping.hpp"

namespace flymc {

Memberships::Memberships(const Dataset& data, const std::vector<Factor>& factors,
                         const std::vector<GroupTerm>& terms) {
  std::size_t at = 0;
  for (const GroupTerm& term : terms) {
    if (term.is_smooth()) {
      const std::ptrdiff_t column = slope_column(data, term, term.splines.front());
      coefficients_.push_back(
          {column + (data.intercept() ? 1 : 0), static_cast<Index>(term.splines.size())});
      first_.push_back(first_.back());
      continue;
    }
    require_few_varying(term);
    std::vector<std::ptrdiff_t> varying(term.intercept ? 1 : 0, -1);
    for (const std::string& slope : term.slopes) {
      varying.push_back(slope_column(data, term, slope));
    }
    const std::vector<GroupMember> members = term.all_members();
    const std::size_t levels = factors[at].labels.size();
    for (const std::ptrdiff_t slope : varying) {
      for (std::size_t m = 0; m < members.size(); ++m) {
        members_.push_back({factors[at + m].codes, static_cast<std::uint32_t>(first_.back()),
                            members[m].sign, slope});
      }
      coefficients_.push_back(
          {data.columns() + static_cast<Index>(first_.back()), static_cast<Index>(levels)});
      first_.push_back(first_.back() + levels);
      term_of_.resize(first_.back(), static_cast<std::uint32_t>(first_.size() - 2));
    }
    at += members.size();
  }
  starts_.assign(levels() + 1, 0);
  const auto visit = [&](const auto& take) {
    MemberReader reader(data, *this);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      reader.read(row);
      for (const Member& member : reader.members()) {
        take(row, member.level);
      }
    }
  };
  visit([&](std::size_t /*row*/, std::uint32_t level) { ++starts_[level + 1]; });
  for (std::size_t level = 0; level < levels(); ++level) {
    starts_[level + 1] += starts_[level];
  }
  rows_.resize(starts_.back());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  visit([&](std::size_t row, std::uint32_t level) {
    rows_[next[level]++] = static_cast<std::uint32_t>(row);
  });
}

std::size_t Memberships::copy(std::size_t row, const double* raw_row, Member* out) const noexcept {
  std::size_t count = 0;
  for (const Column& member : members_) {
    const std::uint32_t level = member.first + member.codes[row];
    const double weight = member.sign * (member.slope < 0 ? 1.0 : raw_row[member.slope]);
    const auto found =
        std::find_if(out, out + count, [&](const Member& other) { return other.level == level; });
    if (found != out + count) {
      found->weight += weight;
    } else {
      out[count++] = {level, weight};
    }
  }
  return static_cast<std::size_t>(
      std::remove_if(out, out + count, [](const Member& m) { return m.weight == 0.0; }) - out);
}

std::vector<Nest> find_nests(const Dataset& data, const Memberships& memberships) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const std::size_t terms = memberships.terms();
  // one for each pair: the outer level of each inner one, where that is so
  std::vector<std::vector<std::uint32_t>> outer_of(terms * terms);
  std::vector<char> nested(terms * terms, 1);
  for (std::size_t pair = 0; pair < nested.size(); ++pair) {
    nested[pair] = static_cast<char>(pair / terms != pair % terms);
    outer_of[pair].assign(memberships.levels(pair % terms), kNone);
  }
  MemberReader row(data, memberships);
  std::vector<const Member*> of_term(terms);
  for (std::size_t n = 0; n < data.rows(); ++n) {
    row.read(n);
    std::ranges::fill(of_term, nullptr);
    for (const Member& member : row.members()) {
      const Member*& of = of_term[memberships.term_of(member.level)];
      of = of == nullptr ? &member : row.members().data() + row.members().size();  // several
    }
    const Member* const several = row.members().data() + row.members().size();
    for (std::size_t outer = 0; outer < terms; ++outer) {
      for (std::size_t inner = 0; inner < terms; ++inner) {
        const std::size_t pair = outer * terms + inner;
        const Member* const a = of_term[outer];
        const Member* const b = of_term[inner];
        if (nested[pair] == 0 || (a == nullptr && b == nullptr)) {
          continue;
        }
        if (a == nullptr || b == nullptr || a == several || b == several ||
            a->weight != b->weight) {
          nested[pair] = 0;
          continue;
        }
        std::uint32_t& of = outer_of[pair][b->level - memberships.first(inner)];
        nested[pair] = static_cast<char>(of == kNone || of == a->level);
        of = a->level;
      }
    }
  }
  std::vector<Nest> nests;
  for (std::size_t pair = 0; pair < nested.size(); ++pair) {
    if (nested[pair] == 0) {
      continue;
    }
    const std::size_t first = memberships.first(pair / terms);
    const std::size_t from = nests.size();
    for (std::size_t level = 0; level < memberships.levels(pair / terms); ++level) {
      nests.push_back({static_cast<std::uint32_t>(first + level), {}});
    }
    for (std::size_t i = 0; i < outer_of[pair].size(); ++i) {
      if (outer_of[pair][i] != kNone) {
        nests[from + outer_of[pair][i] - first].inner.push_back(
            static_cast<std::uint32_t>(memberships.first(pair % terms) + i));
      }
    }
  }
  return nests;
}

}  // namespace flymc
