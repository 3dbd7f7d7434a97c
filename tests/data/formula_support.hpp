// What tests of formulas share.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "data/table/formula.hpp"
#include "flymc/error.hpp"

namespace flymc::testing {

// What is said of a formula that cannot be read.
inline std::string formula_mistake(const std::string& text,
                                   Formula (*parse)(const std::string&) = parse_formula) {
  try {
    (void)parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "parsed without an error";
}

}  // namespace flymc::testing
