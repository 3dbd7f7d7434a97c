// Runs with group terms: their estimates by column, and that nothing but the seed decides draws.
#pragma once

#include <algorithm>

#include "cli/same_chains.hpp"

namespace flymc::testing {

class GroupRuns : public Cli {
 protected:
  [[nodiscard]] Json parameters(const std::string& folder) const {
    return Json::parse(run({"summary", folder, "--json"}).out)["parameters"];
  }

  static Json named(const Json& all, const std::string& column) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Json& p) { return p["column"] == column; });
    EXPECT_NE(at, all.end()) << column;
    return at != all.end() ? *at : Json{{"mean", 0.0}, {"sd", 0.0}, {"rhat", 0.0}};
  }

  // Of fit(folder, more words, draws): for any number of threads, and where it was stopped and went
  // on.
  template <class Fit>
  void expect_same_draws(const Fit& fit) const {
    const std::string draws = "500";
    for (const char* threads : {"1", "2", "4"}) {
      expect_done(fit(threads, Words{"--threads", threads, "--overwrite"}, draws));
    }
    expect_done(fit("cut", Words{"--overwrite"}, "123"));
    expect_done(run({"fit", "--resume", "cut", "--draws", draws, "--quiet"}));
    for (const char* other : {"2", "4", "cut"}) {
      expect_same_chains(path("1"), path(other));
    }
  }
};

}  // namespace flymc::testing
