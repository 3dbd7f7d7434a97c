// Whether there is a posterior at all: a flat prior is allowed only where the likelihood alone has
// a finite integral.
//
// For a log-concave likelihood and columns of full rank that is so unless some direction d exists
// along which no row's log likelihood falls and one rises: x_n.d on the open side of every row (see
// separation.hpp). A d that is found is checked row by row, so that a refusal is a proof; that none
// is found is the word of a Newton search that converged. Student-t: the rank alone is checked.
// See docs/method/families.md, Priors.
#pragma once

#include <string>
#include <vector>

#include "fit/prepare.hpp"

namespace flymc {

// THROWS Error(kData) where the posterior is not proper, a likelihood of one's own is no number
// where a search for its mode begins, or one response in all rows tells no scale. `dependent`:
// columns that others explain.
void require_proper(const Problem& problem, const FitSettings& options,
                    const std::vector<std::string>& dependent);

// "response 'y' is always 0" where every row is open on the same side; else empty.
[[nodiscard]] std::string one_sided(const Problem& problem);

}  // namespace flymc
