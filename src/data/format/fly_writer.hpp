// A table into a .fly file (fly_format.hpp), block by block: memory does not grow with the table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/format/fly_format.hpp"
#include "flymc/table.hpp"

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

// Everything of a table but its numbers.
struct FlyShape {
  std::size_t rows = 0;
  std::vector<std::string> columns{};
  std::string response{};             // its name
  std::vector<std::string> labels{};  // of the response
  std::size_t left_out = 0;
  std::array<bool, kFlyParts> has{};  // which of the columns beside the features
};

// A table whose rows come in blocks. The file appears at finish() or not at all. Not thread safe.
class FlyWriter {
 public:
  // THROWS Error as write_fly(), so do all its members.
  FlyWriter(const FlyShape& shape, const FlyOptions& options);
  ~FlyWriter();
  FlyWriter(const FlyWriter&) = delete;
  FlyWriter& operator=(const FlyWriter&) = delete;

  // The next values of a part. REQUIRES: parts in their order, each whole or absent.
  void write(FlyPart part, std::span<const double> values);
  // The features of the next rows; false: stopped. REQUIRES: all parts are written.
  [[nodiscard]] bool write_rows(const Table& rows);
  // REQUIRES: all rows are written, and not stopped.
  [[nodiscard]] FlyWritten finish();

 private:
  class File;
  std::unique_ptr<File> file_;
};

// The file appears whole or not at all. The same table gives the same bytes, wherever its rows lie.
// REQUIRES: a table as Table says, with rows. THROWS Error: kPermission, kCannotCreate, kIo; kData
// for a number too large for float32 and for a table without features and response.
[[nodiscard]] FlyWritten write_fly(const Table& table, const FlyOptions& options);

}  // namespace flymc
