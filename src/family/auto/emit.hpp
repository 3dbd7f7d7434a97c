// From nodes of the graph to code: the numbers of a row, and the steps and registers of a tape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "family/auto/graph.hpp"
#include "family/auto/row_code.hpp"
#include "family/auto/tape.hpp"

namespace flymc::typed {

// Thrown where code would be longer than evaluation has room for.
struct TooLong {
  std::string_view what;
  std::size_t limit;
};

// The numbers that some nodes need, and what those are made of.
class RowCoder {
 public:
  explicit RowCoder(const Graph& graph) : graph_(graph) {}

  void need(Id id);
  // All of them, each in its place: which value it is.
  using Places = std::map<Id, std::uint8_t>;
  [[nodiscard]] RowCode code(Places& places) const;

 private:
  [[nodiscard]] RowCode::Step step(const Node& node, const Places& places) const;

  const Graph& graph_;
  std::set<Id> needed_{};  // in an order of evaluation
};

// Nothing that the result does not need.
[[nodiscard]] Tape make_tape(const Graph& graph, std::size_t predictors, Id result);

}  // namespace flymc::typed
