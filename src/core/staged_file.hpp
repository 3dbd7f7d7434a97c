// A file that appears whole or not at all: written under a hidden name beside its own that nobody
// can foresee, renamed at the end, removed where that never comes. Several writers of one file do
// not meet: the last to end is whole. "-" is standard output; what is there and no regular file (a
// pipe, a device) is written to as it is. A link that leads nowhere is refused, not replaced.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flymc {

// THROWS Error(kCannotCreate) for a link whose target is not there: no output, and not ours to
// replace or remove.
void require_no_dangling_link(const std::string& path);

// Not thread safe. THROWS Error: kPermission or kCannotCreate where the file cannot be made, kIo
// where a write fails (disk full).
class StagedFile {
 public:
  explicit StagedFile(std::string path);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  void append(std::string_view bytes);
  // Over what was written already. REQUIRES: a regular file.
  void write_at(std::uint64_t offset, std::string_view bytes);

  // Flushes to the disk, then renames: a crash leaves the old file or the new one.
  void keep();

 private:
  void flush();
  void write_all(std::string_view bytes);
  [[noreturn]] void fail_writing(int error) const;

  std::string path_;
  std::string staged_;  // empty: written in place
  std::string buffer_;
  int fd_ = -1;
};

}  // namespace flymc
