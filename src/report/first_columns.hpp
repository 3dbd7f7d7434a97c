// What tells rows apart, such as a number or a name of each: the first columns of the data, whether
// the model uses them or not.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "data/format/data_frame.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// ["id 17, name Ann, age 33", ...]: one a row, as the data have them; the response is left out.
// `rows`: their numbers in the data, from 1. Of LIBSVM the first columns that are not 0 in the row.
// Null where the data do not have the rows. Reads text as far as the last of the rows. THROWS Error
// as load().
[[nodiscard]] nlohmann::ordered_json first_columns(const LoadSpec& data,
                                                   const std::vector<std::size_t>& rows);

// The same of columns in memory; null where they do not have the rows. `response`: the name of
// theirs, or empty.
[[nodiscard]] nlohmann::ordered_json first_columns(const DataFrame& data,
                                                   const std::string& response,
                                                   const std::vector<std::size_t>& rows);

}  // namespace flymc
