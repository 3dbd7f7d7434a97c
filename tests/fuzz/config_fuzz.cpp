// Files of words and of settings: what is accepted has keys, each once, and words without a byte 0.
#include <set>

#include "cli/argument_files.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  const std::string text(fuzz::text_of(data, size));
  (void)fuzz::refusal([&] {
    std::set<std::string> keys;
    for (const cli::ConfigLine& line : cli::config_in(text, "run.toml")) {
      fuzz::require(!line.key.empty() && keys.insert(line.key).second, "a key, once");
      fuzz::require(line.key.find_first_of(" \t=#\n") == std::string::npos, "a key is one word");
      fuzz::require(line.place.starts_with("run.toml:"), "a place");
    }
  });
  (void)fuzz::refusal([&] {
    for (const std::string& word : cli::words_in(text, "args.txt")) {
      fuzz::require(word.find('\0') == std::string::npos, "no byte 0");
    }
  });
  return 0;
}
