// Whether the files of a table changed while they were read: who they are, how long, and when they
// were last written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flymc/load_spec.hpp"

namespace flymc {

class FileStamps {
 public:
  // Of all files that the specification names, before they are opened. THROWS Error as input_files.
  explicit FileStamps(const LoadSpec& spec);

  // THROWS Error(kIo) where one of them is another now.
  void require_unchanged() const;

 private:
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t file = 0;
    std::int64_t size_bytes = -1;  // -1: no file
    std::int64_t written_s = 0;
    std::int64_t written_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  [[nodiscard]] static Stamp stamp_of(const std::string& path);

  std::vector<std::string> paths_;
  std::vector<Stamp> stamps_;
};

}  // namespace flymc
