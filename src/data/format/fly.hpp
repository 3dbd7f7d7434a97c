// A .fly file as a Table whose rows stay in the file: mapped, float64 or float32, never copied.
#pragma once

#include <memory>
#include <string>

#include "data/input/content.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// Response, weights and offset are those that were stored, unless the specification names a feature
// in their place; trials, which only one model takes, are read when they are named. Features are
// chosen without a copy. What was stored and is not used is left out.
// THROWS Error as load() does. The file must not shrink while the table lives.
[[nodiscard]] TableRead read_fly(const LoadSpec& spec, const std::shared_ptr<const FileMap>& file);

// What the offset is called that is stored in a file; empty where there is none, or it is no .fly.
[[nodiscard]] std::string stored_offset(const std::string& path);

}  // namespace flymc
