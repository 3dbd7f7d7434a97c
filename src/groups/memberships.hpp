// Several factors of a table, or a row's membership of several levels of one:
//
//   eta_i = offset_i + x_i.beta + sum over members m of s_m w_im u_(level of m in row i),
//
// s_m = 1 or -1, w = 1 or a column as it was read. Levels of all terms have one numbering, those of
// a term together. Rows are visited as they lie. A smooth term has no levels: coefficients of some
// columns of x are its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "groups/crossed_prior.hpp"

namespace flymc {

// Of one row: a level and the weight of its coefficient.
struct Member {
  std::uint32_t level = 0;
  double weight = 0.0;
};

// Immutable.
class Memberships {
 public:
  // Factors in the order of the terms, one a member. REQUIRES: one scale a term; columns of a
  // smooth one lie together. THROWS Error(kUsage) where the table lacks the column of a slope.
  Memberships(const Dataset& data, const std::vector<Factor>& factors,
              const std::vector<GroupTerm>& terms);

  [[nodiscard]] std::size_t terms() const noexcept { return first_.size() - 1; }
  [[nodiscard]] std::size_t levels() const noexcept { return first_.back(); }
  [[nodiscard]] std::size_t levels(std::size_t term) const noexcept {
    return first_[term + 1] - first_[term];
  }
  [[nodiscard]] std::size_t first(std::size_t term) const noexcept { return first_[term]; }
  [[nodiscard]] const Coefficients& coefficients(std::size_t term) const noexcept {
    return coefficients_[term];
  }
  [[nodiscard]] std::size_t term_of(std::size_t level) const noexcept { return term_of_[level]; }
  // At most so many levels a row.
  [[nodiscard]] std::size_t most() const noexcept { return members_.size(); }

  // Writes the levels of a row, each once, none of weight zero; returns how many.
  std::size_t copy(std::size_t row, const double* raw_row, Member* out) const noexcept;

  // Rows that belong to a level, ascending.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t level) const noexcept {
    return {rows_.data() + starts_[level], starts_[level + 1] - starts_[level]};
  }

 private:
  struct Column {
    std::span<const std::uint32_t> codes;
    std::uint32_t first = 0;
    double sign = 1.0;
    std::ptrdiff_t slope = -1;  // column of the table; -1: an intercept
  };

  std::vector<Column> members_;
  std::vector<std::size_t> first_{0};
  std::vector<Coefficients> coefficients_;
  Buffer<std::uint32_t> term_of_;
  std::vector<std::size_t> starts_;
  Buffer<std::uint32_t> rows_;
};

// One row at a time, for one thread: x standardised, with its intercept, and its levels.
class MemberReader {
 public:
  MemberReader(const Dataset& data, const Memberships& memberships)
      : data_(data),
        memberships_(memberships),
        raw_(static_cast<std::size_t>(data.columns())),
        x_(static_cast<std::size_t>(data.columns())),
        members_(memberships.most()) {}

  void read(std::size_t n) noexcept {
    const double* const raw = data_.row(n, raw_.data()).raw;
    data_.standardise(raw, x_.data());
    count_ = memberships_.copy(n, raw, members_.data());
  }
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }
  [[nodiscard]] std::span<const Member> members() const noexcept {
    return {members_.data(), count_};
  }

 private:
  const Dataset& data_;
  const Memberships& memberships_;
  Buffer<double> raw_;
  Buffer<double> x_;
  Buffer<Member> members_;
  std::size_t count_ = 0;
};

// A level whose rows are those of others: of a school, and of its classes. Moving the one up and
// all others down by as much changes no row.
struct Nest {
  std::uint32_t outer = 0;
  std::vector<std::uint32_t> inner{};
};
// Of every pair of terms in which each level of one belongs to one of the other.
[[nodiscard]] std::vector<Nest> find_nests(const Dataset& data, const Memberships& memberships);

// x.beta + sum of weights times levels, of coefficients (beta, levels).
[[nodiscard]] inline double predict_row(std::span<const double> x, std::span<const Member> members,
                                        const double* coefficients) noexcept {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    sum += x[j] * coefficients[j];
  }
  const double* const levels = coefficients + x.size();
  for (const Member& member : members) {
    sum += member.weight * levels[member.level];
  }
  return sum;
}

}  // namespace flymc
