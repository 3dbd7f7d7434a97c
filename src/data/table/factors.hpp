// Factors of group terms leave the features of a table: a number a row in place of a column.
#pragma once

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/table.hpp"

namespace flymc {

// Takes the factors of these terms, one a member, out of the columns that were read. Codes come
// with their labels (factor_labels); of numbers the distinct ones are the levels, in their order.
// THROWS Error: kData for a factor of one level, or of as many as there are rows; kUsage where rows
// are split.
void take_factors(const std::vector<GroupTerm>& groups, TableRead& read);

}  // namespace flymc
