// Which column plays which part: feature, response, weights, offset, trials or none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "flymc/load_spec.hpp"

namespace flymc {

// The names of the columns, in file order. A column may have no name; no two share one.
class Header {
 public:
  // THROWS Error kData when a name appears twice; `where` ("train.csv:1") heads the message.
  Header(std::vector<std::string> names, const std::string& where);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

  // THROWS Error kData when there is none, with the nearest name.
  [[nodiscard]] std::size_t find(const std::string& name) const;

 private:
  [[noreturn]] void fail_unknown(const std::string& name) const;

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> index_;
};

// x1, x2, ...: of columns without names.
[[nodiscard]] std::vector<std::string> numbered_names(std::size_t columns);

struct Feature {
  std::size_t column = 0;
  bool categorical = false;
  bool factor = false;  // its values are codes of levels, in one column
  bool date = false;    // its values are days
};

struct Columns {
  std::vector<Feature> features;  // in the order of the table
  std::optional<std::size_t> response;
  std::optional<std::size_t> weights;
  std::optional<std::size_t> offset;
  std::optional<std::size_t> trials;
  std::vector<std::size_t> complete;  // others in which no value may be missing
};

// Every part taken from the header, as the specification says.
// THROWS Error: kData for an unknown name, kUsage for a column in two parts.
[[nodiscard]] Columns choose_columns(const Header& header, const LoadSpec& spec);

// Of files whose columns are read only where they have a part. THROWS Error kUsage.
void refuse_missing_in(const LoadSpec& spec, const std::string& where);

}  // namespace flymc
