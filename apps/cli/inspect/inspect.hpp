// What a table holds, before a model is chosen: columns, response, equal rows, and what to fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/inspect/proposal.hpp"
#include "fit/time_estimate.hpp"
#include "flymc/load.hpp"

namespace flymc::cli {

// At most this many different values are counted, and called classes.
constexpr std::size_t kMostDistinct = 50;

struct ColumnFacts {
  std::string name;
  const char* type = "number";          // 0/1, categorical (an indicator of one), constant
  std::optional<std::size_t> distinct;  // none: more than kMostDistinct
  double min = 0.0;
  double mean = 0.0;
  double sd = 0.0;
  double max = 0.0;
};

struct ClassCount {
  std::string label;
  std::size_t rows = 0;
};

// Classes for text and for few whole numbers, else empty; the numbers mean nothing for text.
struct ResponseSummary {
  std::string name;
  bool text = false;
  std::vector<ClassCount> classes;
  ColumnFacts numbers;
  double median = 0.0;
};

// A column that those before it explain; `equals`: the one of them that is the same, if any.
struct DependentColumn {
  std::string name;
  std::string equals;
};

// A feature that says nearly what the response says: was it known before the response was?
struct Leak {
  std::string name;
  double correlation = 0.0;
};

struct Suggestion {
  std::string model;  // empty: none
  std::string why;
};

struct Inspection {
  std::string path;
  std::string note;  // what was read, in words
  Format format = Format::kAuto;
  RowCounts counts;
  std::size_t rows = 0;
  std::vector<ColumnFacts> columns;
  std::optional<ResponseSummary> response;
  std::vector<DependentColumn> dependent;
  std::string dependence_unknown;  // why `dependent` is empty, where nobody looked
  std::size_t equal_rows = 0;      // that fit merges into others
  double memory_bytes = 0.0;       // of fit with its default chains
  TimeEstimate time{};             // measured: not the same twice
  Suggestion suggestion;
  std::string command;                 // to try next; empty without a suggestion
  std::optional<Proposal> proposal{};  // of separated text that can be read twice
  std::vector<Leak> leaks{};
};

// Takes the table apart, without a copy of it. All but the time is the same for any number of
// threads.
[[nodiscard]] Inspection inspect(Loaded loaded, const LoadSpec& spec);

// For people; `all`: every column and class, else the first 20. Valid UTF-8 without controls.
[[nodiscard]] std::string to_table(const Inspection& inspection, bool all);

// {"data","format","rows","features","response","columns","constant","dependent","missing",
// "equal_rows","memory_bytes","pass_seconds","setup_seconds","model","command","leaks"} and, of
// separated text, "file": {"name","seems","missing","values","example","use","why"} a column;
// ASCII, numbers to the last bit.
[[nodiscard]] std::string to_json(const Inspection& inspection);

}  // namespace flymc::cli
