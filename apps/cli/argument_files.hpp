// Words of a command line that stand in files: `flymc fit @args.txt` and `flymc fit --config
// run.toml`.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace flymc::cli {

// The words of such a file: apart by blanks or line ends; 'quotes' and "quotes" keep them together,
// # begins a comment. THROWS Error kUsage, headed by the path.
[[nodiscard]] std::vector<std::string> words_in(const std::string& text, const std::string& path);

// Every word @FILE but the first replaced by the words in the file, which are apart by blanks or
// line ends; 'quotes' and "quotes" keep them together, # begins a comment. Files are not looked for
// in files. THROWS Error kNoInput, kUsage.
[[nodiscard]] std::vector<std::string> with_files_replaced(const std::vector<std::string>& words);

// One line of a configuration: key = "text", 'text', a number, true, false, or an array of the
// former, which is a list.
struct ConfigLine {
  std::string place;                        // run.toml:3
  std::string key;                          // an option without its dashes
  std::variant<bool, std::string> value{};  // numbers as text, a list with commas
};

// As much of TOML as run.json's config needs: no sections, one setting a line. THROWS Error kUsage
// with the line.
[[nodiscard]] std::vector<ConfigLine> config_in(const std::string& text, const std::string& path);
// The same of a file. THROWS Error kNoInput, too.
[[nodiscard]] std::vector<ConfigLine> read_config(const std::string& path);

}  // namespace flymc::cli
