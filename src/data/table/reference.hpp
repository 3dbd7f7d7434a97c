// The level of a category that the others are compared with: "city=Oslo" puts Oslo first.
#pragma once

#include <string>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// The levels of a column with the one first that `references` name; as they are where they name
// none of them.
[[nodiscard]] std::vector<std::string> with_reference(const std::vector<std::string>& references,
                                                      const std::string& column,
                                                      std::vector<std::string> levels);

// THROWS Error kUsage where one is of no categorical column, kData where its level does not occur.
void require_references(const std::vector<std::string>& references, const Levels& levels);

}  // namespace flymc
