// What the fuzz harnesses share. A harness hands bytes to one parser and checks its promises: it
// throws nothing but Error, the message is one printable line, and what it accepts is consistent.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "flymc/error.hpp"
#include "flymc/table.hpp"

// The entry libFuzzer (or replay.cpp) calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace flymc::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A broken promise ends the process, so that libFuzzer keeps the input.
inline void require(bool holds, const char* promise) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
  }
}

// Empty where `action` runs through, the message where it throws Error. Another exception escapes
// and ends the process.
template <class Action>
[[nodiscard]] std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(!message.empty() && escaped(message) == message, "a message is one printable line");
    require(error.kind() != ErrorKind::kInternal, "no internal error");
    return message;
  }
  return {};
}

// The input as a file that has a path and lies in memory.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)) { require(file_ >= 0, "memfd"); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }

  const MemoryFile& operator=(std::string_view bytes) const {
    const auto size = static_cast<ssize_t>(bytes.size());
    require(::ftruncate(file_, 0) == 0 && ::pwrite(file_, bytes.data(), bytes.size(), 0) == size,
            "the file can be written");
    return *this;
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline void require_finite(std::span<const double> values) {
  require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }), "finite numbers");
}

inline void require_part(const std::vector<double>& values, std::size_t rows) {
  require(values.empty() || values.size() == rows, "a part has one number a row");
  require_finite(values);
}

// What Table says of itself.
inline void require_sound(const Table& table) {
  const std::size_t width = table.columns.size();
  require(table.rows > 0, "rows");
  require(table.source.empty()
              ? table.x.size() == table.rows * width
              : table.source.rows() == table.rows && table.source.columns() == width,
          "rows x columns numbers");
  std::vector<double> scratch(width);
  for (std::size_t row = 0; row < table.rows; ++row) {
    require_finite({table.row(row, scratch.data()), width});
  }
  const Response& response = table.response;
  require(response.values.size() == (response.name.empty() ? 0 : table.rows), "a named response");
  for (const std::vector<double>* part :
       {&response.values, &table.weights, &table.offset, &table.trials}) {
    require_part(*part, table.rows);
  }
  require(std::ranges::all_of(table.weights, [](double w) { return w > 0.0; }), "weights > 0");
  const auto& labels = response.labels;
  const bool ascending = std::ranges::adjacent_find(labels, std::greater_equal{}) == labels.end();
  require(ascending, "labels are distinct and sorted");
  const auto is_code = [&](double v) {
    return v >= 0.0 && v < static_cast<double>(labels.size()) && v == std::floor(v);
  };
  require(labels.empty() || std::ranges::all_of(response.values, is_code), "codes of labels");
}

}  // namespace flymc::fuzz
