// A command that fails: its code, its line word for word, and a folder that is as it was before.
#pragma once

#include <map>
#include <string>

#include "cli/cli_data.hpp"

namespace flymc::testing {

class Unchanged : public Cli {
 protected:
  // Every file below the test's folder with its bytes; folders end with a slash.
  [[nodiscard]] std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> files;
    const std::filesystem::path root = path("");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string name = entry.path().lexically_relative(root).string();
      files[entry.is_directory() ? name + "/" : name] = read_bytes(entry.path());
    }
    return files;
  }

  // `line` is all the line says. What comes before it (notes, warnings) may differ.
  void refuses(const Words& words, int code, const std::string& line,
               const Confined& confined = {}) const {
    const auto before = tree();
    const Outcome outcome = run_confined(words, confined);
    expect_error(outcome, code, line);
    EXPECT_EQ(lines_of(outcome.err).back(), "flymc: " + line);
    EXPECT_EQ(names(tree()), names(before));
    EXPECT_TRUE(tree() == before) << "a file has changed";
  }

  // As nobody, where the test runs as root. False: nobody may not run the program.
  [[nodiscard]] bool can_be_nobody() const {
    return run_unprivileged({"--version"}).code != Running::kCannotRun;
  }

 private:
  [[nodiscard]] static Words names(const std::map<std::string, std::string>& files) {
    Words names;
    for (const auto& [name, bytes] : files) {
      names.push_back(name);
    }
    return names;
  }
};

}  // namespace flymc::testing
