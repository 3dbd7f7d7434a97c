// The grammar of typed-in likelihoods, and a text as a tree.
//
//     text        name = value; ...; value
//     value       disjunction
//     disjunction conjunction or ...           conditions, on data alone
//     conjunction negation and ...
//     negation    not negation, or comparison
//     comparison  sum, or sum < sum with any of < <= == != > >=
//     sum         product + - ...
//     product     unary * / ...
//     unary       - unary, or power
//     power       primary ^ unary              the exponent is a number
//     primary     number, name, `name`, function(value, ...), if(condition, value, value), (value)
//
// See docs/method/automatic.md, Likelihoods as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "family/auto/op.hpp"

namespace flymc::typed {

enum class Type : std::uint8_t { kNumber, kSmooth, kCondition };

enum class Form : std::uint8_t {
  kLiteral,
  kColumn,
  kPredictor,
  kDefined,     // index: of the definition
  kSum,         // operands that are reversed are subtracted
  kProduct,     // and divided by
  kFunction,    // op, of one operand or of two
  kLogSigmoid,  // two operations, not one
  kCompare,     // op: kLess, kLessEqual or kEqual
  kAnd,
  kOr,
  kNot,
  kIf,
};

struct Operand {
  std::size_t tree;
  bool is_reversed = false;
};

struct Tree {
  Form form;
  Type type = Type::kNumber;
  Op op = Op::kLiteral;
  double literal = 0.0;
  std::size_t index = 0;
  std::vector<Operand> operands{};
};

struct Definition {
  std::string name;
  std::size_t tree;
};

// Trees refer to those before them, definitions to those before them.
struct Syntax {
  std::vector<Tree> trees{};
  std::vector<Definition> definitions{};
  std::size_t result = 0;
};

struct Names {
  std::vector<std::string> predictors;
  std::vector<std::string> columns;
};

// Limits that no likelihood written by a person meets.
inline constexpr std::size_t kLongestText = 10'000;
inline constexpr std::size_t kDeepestNesting = 64;

// Throws Error, of kind usage, that names the place.
[[nodiscard]] Syntax parse(std::string_view text, const Names& names);

// A problem of the text that has no place in it.
[[noreturn]] void fail_text(std::string_view text, std::string_view problem,
                            std::string_view remedy);

}  // namespace flymc::typed
