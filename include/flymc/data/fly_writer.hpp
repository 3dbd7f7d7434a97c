// A table into a .fly file (fly_format.hpp), block by block: memory does not grow with the table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "flymc/data/fly_format.hpp"
#include "flymc/data/table.hpp"

namespace flymc {

struct FlyOptions {
  std::string path{};
  bool float32 = false;   // of the features; everything else stays float64
  std::string weights{};  // names to remember of what the table calls weights, offset and trials
  std::string offset{};
  std::string trials{};
  const std::atomic<bool>* stop = nullptr;  // true: give up and leave nothing
};

struct FlyWritten {
  bool complete = true;       // false: stopped
  std::uint64_t bytes = 0;    // of the file
  std::uint64_t rounded = 0;  // features that float32 changed
};

// The file appears whole or not at all. The same table gives the same bytes, wherever its rows lie.
// REQUIRES: a table as Table says, with rows. THROWS Error: kPermission, kCannotCreate, kIo; kData
// for a number too large for float32 and for a table without features and response.
[[nodiscard]] FlyWritten write_fly(const Table& table, const FlyOptions& options);

}  // namespace flymc
