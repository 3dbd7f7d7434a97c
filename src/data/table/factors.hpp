// Factors of group terms leave the features of a table: a number a row in place of a column. One
// that the formula also has as a feature, `year + (1 | year)`, stays there with its numbers.
#pragma once

#include "data/table/formula.hpp"
#include "flymc/detail/data/table/row_counts.hpp"

namespace flymc {

// Ranks hold each level whole. THROWS Error(kUsage) where no dealing of the rows does that.
void require_levels_can_be_dealt(const Formula& formula, const Ranks& ranks);

// Takes the factors of the formula's group terms, one a member, out of the columns that were read.
// Codes come with their labels (factor_labels); of numbers the distinct ones are the levels, in
// their order. Collective. THROWS Error: kData for a factor that is no column; kUsage for a feature
// of text that is a factor, too.
void take_factors(const Formula& formula, TableRead& read);

}  // namespace flymc
