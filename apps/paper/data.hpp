// The tables of the paper's three experiments: from a data folder, or simulated in their shape.
//
//   FOLDER/mnist/train-images-idx3-ubyte[.gz], train-labels-idx1-ubyte[.gz]
//   FOLDER/cifar3/X.npy, y.npy                  256 columns of 0 and 1; classes 0, 1, 2
//   FOLDER/qm9gap/X.npy, y.npy[, columns.json]  57 columns; else the same in FOLDER/cep_pce
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "flymc/table.hpp"

namespace flymc::paper {

enum class Experiment { kMnist, kCifar, kOpv };

struct PaperData {
  Table table;         // as prepare() takes it
  std::string source;  // a phrase for every output: what was read, or that it was simulated
  bool simulated = false;
};

struct PaperDataOptions {
  std::size_t rows = 0;    // 0: all, or as many as the paper; of a folder at most what it has
  std::uint64_t seed = 1;  // of simulated tables and of a subset of MNIST
  unsigned threads = 0;    // 0: all cores; never changes the data
};

// An empty folder name asks for a simulated table.
//   MNIST: 7s and 9s, 50 principal components of their pixels / 255, in those units; a subset is
//     drawn at random after that. Response "digit", 9 positive.
//   CIFAR, OPV: the first rows. OPV's columns have mean 0 and standard deviation 1.
// THROWS Error with a message of one line: kNoInput names what is missing and where it belongs,
// kData what was expected and found.
[[nodiscard]] PaperData load_experiment(Experiment experiment, const std::string& folder,
                                        const PaperDataOptions& options);

// OPV at the paper's scale (rows = 0: 1.8 million): x ~ N(mean, covariance of the given columns),
// y = least squares fit of the given table at x + one of its residuals, drawn with replacement.
[[nodiscard]] PaperData enlarge(const PaperData& opv, const PaperDataOptions& options);

// What load_experiment() gives without a folder.
[[nodiscard]] PaperData simulate_experiment(Experiment experiment, const PaperDataOptions& options);

// Columns to mean 0 and standard deviation 1; one that never changes becomes 0.
void standardise(Table& table, unsigned threads);

}  // namespace flymc::paper
