// Rows of separated text whose header is known: any piece of it into the numbers of a table.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "data/csv/csv_table.hpp"

namespace flymc::csv {

class Parser {
 public:
  // REQUIRES: the specification outlives the parser. THROWS Error as choose_columns() does.
  Parser(const LoadSpec& spec, Header header, char separator);

  // Collective. Two parallel passes over the texts, which are cut into chunks of this size: count
  // the rows, parse them; a third where the response turns out to be text, at any rank, which is
  // then remembered.
  [[nodiscard]] Parsed parse(std::span<const std::string_view> bodies, std::size_t chunk_bytes);

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }

 private:
  [[nodiscard]] Plan make(bool text_response) const;

  const LoadSpec& spec_;
  char separator_;
  Layout layout_;
  Plan plan_;
};

}  // namespace flymc::csv
