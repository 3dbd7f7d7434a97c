// A tree as a node of the graph, for one set of answers to its conditions.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "family/auto/graph.hpp"
#include "family/auto/syntax.hpp"

namespace flymc::typed {

using Answers = std::map<Id, bool>;  // to conditions, by their nodes

struct Lowered {
  Id result;
  std::optional<Id> undecided;  // a condition that no answer decides: then the result is void
};

[[nodiscard]] Lowered lower(const Syntax& syntax, const Answers& answers, Graph& graph);

}  // namespace flymc::typed
