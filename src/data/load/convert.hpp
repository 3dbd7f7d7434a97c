// Any table that can be read, as a .fly file that is mapped instead of read.
#pragma once

#include <functional>
#include <string>

#include "flymc/load.hpp"
#include "flymc/message.hpp"

namespace flymc {

struct ConvertOptions {
  LoadSpec data;
  std::string out;  // ends in .fly
  bool float32 = false;
  bool overwrite = false;
};

// Takes one line for the user.
using Tell = std::function<void(const Message&)>;

// The exit code: 0, or 130 and 143 after Ctrl-C and SIGTERM. Says what it wrote on standard output,
// tells warnings and why it stopped. The file appears whole or not at all. Memory: of separated
// text in files a block, and 8 bytes a row for each of response, weights, offset and trials;
// otherwise as load(). THROWS Error: as load() does, kUsage for a name that is not .fly,
// kCannotCreate (where the file is there and overwrite is off, too), kPermission, kIo.
[[nodiscard]] int convert(const ConvertOptions& options, const Tell& tell);

}  // namespace flymc
