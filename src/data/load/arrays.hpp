// NumPy arrays (npy files, one npz archive) into a Table; columns are called x1, x2, ...
#pragma once

#include <string_view>
#include <vector>

#include "data/input/content.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load.hpp"

namespace flymc {

// spec.path is X, with this content; the response, weights, offset and trials are files of their
// own, whose checksums are added to `checksums`, where the specification asks for them. THROWS
// Error as load() does.
[[nodiscard]] TableRead read_npy(const LoadSpec& spec, const Content& content,
                                 std::vector<FileChecksum>& checksums);

// One archive with arrays X, y (or the one spec.response names), and those of weights, offset and
// trials.
[[nodiscard]] TableRead read_npz(const LoadSpec& spec, std::string_view bytes);

}  // namespace flymc
