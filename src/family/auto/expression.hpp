// A likelihood typed as text, as a log density that every scalar type of the library evaluates.
//
//   const Expression density("r = exp(size); y*mu - (r + y)*softplus(mu - size)",
//                            {"mu", "size"}, {"y"});
//   density.log_density(std::array{Value(0.3), Value(1.0)}, row);
//
// Immutable and cheap to copy; all of it may be called from several threads. Evaluation allocates
// nothing. The language: docs/method/automatic.md, Likelihoods as text.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "family/auto/tape.hpp"

namespace flymc {

class Expression {
 public:
  // One to four predictors; of the columns the first is the response. Throws Error of kind usage
  // that names the place in the text, what was expected there and what to write instead.
  Expression(std::string text, std::vector<std::string> predictors,
             std::vector<std::string> columns);

  [[nodiscard]] const std::string& text() const noexcept { return parts_->text; }
  [[nodiscard]] const std::vector<std::string>& predictors() const noexcept {
    return parts_->predictors;
  }
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return parts_->columns; }
  // Those that enter the density.
  [[nodiscard]] std::vector<std::string> columns_used() const;
  [[nodiscard]] const typed::Program& program() const noexcept { return parts_->program; }

  // The density of one row, as a function of its predictors: what is made of data alone has been
  // computed. Lives no longer than the expression.
  class Row {
   public:
    template <class T, std::size_t P>
    [[nodiscard]] T log_density(const std::array<T, P>& eta) const noexcept {
      return tape_->evaluate<T>(values_.data(), eta);
    }

   private:
    friend class Expression;
    Row(const typed::Program& program, std::span<const double> data) noexcept
        : tape_(&program.tape_of(data)) {
      tape_->row.run(data, values_.data());
    }
    const typed::Tape* tape_;
    std::array<double, typed::RowCode::kMostValues> values_;
  };

  // REQUIRES: data has a number for each of columns(), in their order.
  [[nodiscard]] Row row(std::span<const double> data) const noexcept {
    return {parts_->program, data};
  }
  // REQUIRES: P is the number of predictors.
  template <class T, std::size_t P>
  [[nodiscard]] T log_density(const std::array<T, P>& eta,
                              std::span<const double> data) const noexcept {
    return row(data).log_density(eta);
  }

 private:
  struct Parts {
    std::string text;
    std::vector<std::string> predictors;
    std::vector<std::string> columns;
    typed::Program program;
  };
  std::shared_ptr<const Parts> parts_;
};

}  // namespace flymc
