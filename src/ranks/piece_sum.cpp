#include "flymc/detail/ranks/piece_sum.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "flymc/detail/core/bytes.hpp"

namespace flymc {

void PieceTree::add(double* into, const double* next, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; ++i) {
    into[i] += next[i];
  }
}

void PieceTree::push_node(Node node, const double* sums) {
  nodes_.push_back(node);
  sums_.resize(std::max(sums_.size(), nodes_.size() * width_));
  std::copy_n(sums, width_, sums_.data() + (nodes_.size() - 1) * width_);
  while (nodes_.size() > 1) {
    const Node last = nodes_.back();
    Node& before = nodes_[nodes_.size() - 2];
    if (before.level != last.level || last.index % 2 == 0 || before.index + 1 != last.index) {
      break;
    }
    double* const into = sums_.data() + (nodes_.size() - 2) * width_;
    merge_(into, into + width_, width_);
    before = {last.level + 1, last.index / 2};
    nodes_.pop_back();
  }
}

std::string PieceTree::bytes() const {
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(nodes_.size()));
  for (const Node& node : nodes_) {
    out.put(node.level);
    out.put(node.index);
  }
  out.put_all(std::span<const double>(sums_.data(), nodes_.size() * width_));
  return out.bytes();
}

void PieceTree::push_bytes(const std::string& bytes) {
  if (bytes.empty()) {
    return;
  }
  ByteReader in(bytes);
  std::vector<Node> nodes(in.get<std::uint64_t>());
  for (Node& node : nodes) {
    node.level = in.get<std::uint64_t>();
    node.index = in.get<std::uint64_t>();
  }
  std::vector<double> sums;
  in.get_all(sums);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    push_node(nodes[i], sums.data() + i * width_);
  }
}

std::span<const double> PieceTree::finish(Ranks& ranks) {
  if (ranks.size() > 1) {
    const std::string own = bytes();
    const std::string all = ranks.pass_along([&](std::string& so_far) {
      PieceTree both(width_, merge_);
      both.push_bytes(so_far);
      both.push_bytes(own);
      so_far = both.bytes();
    });
    nodes_.clear();
    push_bytes(all);
  }
  if (nodes_.empty()) {
    sums_.assign(width_, 0.0);
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    merge_(sums_.data(), sums_.data() + i * width_, width_);
  }
  nodes_.clear();
  return {sums_.data(), width_};
}

std::vector<double> sum_pieces(const Shard& shard, std::size_t width, unsigned threads,
                               const PieceWork& work, PieceTree::Merge merge) {
  const auto& pieces = shard.pieces();
  constexpr std::size_t kBudget = std::size_t{1} << 26;  // numbers held at a time
  const std::size_t wave = std::max<std::size_t>(4 * std::size_t{resolve_threads(threads)},
                                                 std::min<std::size_t>(64, kBudget / (width + 1)));
  std::vector<std::vector<double>> partial(std::min(wave, pieces.size()));
  PieceTree tree(width, merge);
  for (std::size_t first = 0; first < pieces.size(); first += wave) {
    const std::size_t count = std::min(wave, pieces.size() - first);
    parallel_for(count, threads, [&](std::size_t i) {
      partial[i].assign(width, 0.0);
      work(pieces[first + i].rows, partial[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      tree.push(pieces[first + i].number, partial[i].data());
    }
  }
  const auto sums = tree.finish(shard.ranks());
  return {sums.begin(), sums.end()};
}

}  // namespace flymc
