// R as an oracle, where it is installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace flymc::testing {

// Whether Rscript and this package of R are here.
inline bool has_r_package(const std::string& package) {
  const std::string command =
      "Rscript -e 'quit(status = !requireNamespace(\"" + package + "\", quietly = TRUE))'";
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

// What a script prints.
inline std::string output_of_r(const std::string& script) {
  std::string text;
  FILE* const pipe = ::popen(("Rscript --vanilla " + script + " 2> /dev/null").c_str(), "r");
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << script;
  return text;
}

}  // namespace flymc::testing
