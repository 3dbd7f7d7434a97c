// Columns in which the paper's kernels can walk: a random walk, MALA and slices in the plain frame
// step the same length everywhere, and a chain from a draw of the prior has to arrive.
#pragma once

#include <string>

#include "paper/data.hpp"

namespace flymc::paper {

// MNIST: as they are, principal components. CIFAR: codes 0, 1 become -1, 1, which takes their
// common mean, by far the narrowest direction of the posterior, out of the slopes. OPV: principal
// axes of the descriptors, each of variance 1 (their correlations have a condition number of 800;
// slices would need some 30,000 iterations to arrive), and the gap less its median. Rows beyond 20
// standard deviations on an axis are left out: the two there are in the QM9 gaps are nearly all of
// the variance of theirs, and along such an axis a slice drifts for 10,000 iterations.
// Returns what was done, in words; empty where nothing was.
std::string choose_columns(Experiment experiment, Table& table, unsigned threads);

}  // namespace flymc::paper
