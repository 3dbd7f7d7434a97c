// The numbers of an experiment of the paper, for the terminal and for programs.
#pragma once

#include <string>
#include <string_view>

#include "paper/result.hpp"

namespace flymc::paper {

// Title, table, the comparison that counts and the notes, for the terminal.
[[nodiscard]] std::string paper_table(const PaperResult& result);

// All of it but the curves; a number that is not finite is null.
[[nodiscard]] std::string paper_json(const PaperResult& result);

// flymc against the best sampler on all data, in a sentence or two of plain text; empty where one
// of them is missing. The paper compares with a slow baseline: a reader wants the fast one.
[[nodiscard]] std::string paper_comparison(const PaperResult& result);

// The row of that algorithm, or null.
[[nodiscard]] const PaperRow* find_row(const PaperResult& result, std::string_view algorithm);

// Three significant digits, "-" where there is no number.
[[nodiscard]] std::string paper_number(double value);

// A posterior mean does not differ from itself: "-" in the row that the others are held against.
[[nodiscard]] std::string largest_z_text(const PaperRow& row);

}  // namespace flymc::paper
