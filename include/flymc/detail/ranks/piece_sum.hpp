// Sums over all rows that do not depend on threads or ranks: every piece of rows (shard.hpp) makes
// a partial sum, and partial sums are merged in a binary tree over the numbers of pieces,
//   node(level, i) = node(level - 1, 2i) + node(level - 1, 2i + 1).
// Each rank merges what lies whole in its own pieces, at most two nodes a level; those travel from
// rank to rank and merge on the way. Pairwise sums also lose the fewest digits.
// See docs/method/engine.md, Threads and ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "flymc/detail/ranks/shard.hpp"

namespace flymc {

class PieceTree {
 public:
  // Of two partial sums that follow each other; `width` numbers each.
  using Merge = void (*)(double* into, const double* next, std::size_t width);
  static void add(double* into, const double* next, std::size_t width) noexcept;

  explicit PieceTree(std::size_t width, Merge merge = add) : width_(width), merge_(merge) {}

  // Pieces come in ascending order. Allocates nothing once as many have been pushed before.
  void push(std::size_t piece, const double* sums) { push_node({0, piece}, sums); }

  // Forgets what was pushed: for a sum that was given up.
  void restart() noexcept { nodes_.clear(); }

  // The sum over all pieces of all ranks; collective where there are several. Lives until the
  // next push, which starts anew.
  [[nodiscard]] std::span<const double> finish(Ranks& ranks);

 private:
  struct Node {
    std::uint64_t level;
    std::uint64_t index;
  };
  void push_node(Node node, const double* sums);
  [[nodiscard]] std::string bytes() const;
  void push_bytes(const std::string& bytes);

  std::size_t width_;
  Merge merge_;
  std::vector<Node> nodes_;
  std::vector<double> sums_;  // node after node; may be longer
};

// Fills `sums` (zeros at first) from the rows of one piece, maybe none; called from several
// threads.
using PieceWork = std::function<void(RowRange rows, std::span<double> sums)>;

[[nodiscard]] std::vector<double> sum_pieces(const Shard& shard, std::size_t width,
                                             unsigned threads, const PieceWork& work,
                                             PieceTree::Merge merge = PieceTree::add);

}  // namespace flymc
