// A file that appears whole or not at all: written under a temporary name, then renamed. "-" is
// standard output; what is there and no regular file (a pipe, a device) is written to as it is.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace flymc::app {

// THROWS Error(kCannotCreate) where there is a file already and overwrite is off.
void require_absent(const std::filesystem::path& path, bool overwrite);

// The destructor removes what was not kept. Not thread-safe.
class StagedFile {
 public:
  // THROWS Error: kPermission, kCannotCreate.
  StagedFile(std::filesystem::path path, bool overwrite);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // THROWS Error(kIo), so does keep().
  void write(std::string_view bytes);

  // Bytes that were left open. REQUIRES: written before, in a regular file.
  void rewrite(std::size_t at, std::string_view bytes);

  void keep();

 private:
  [[noreturn]] void fail_write() const;
  [[nodiscard]] std::FILE* stream() const noexcept { return file_ ? file_.get() : stdout; }

  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  std::filesystem::path path_;
  std::filesystem::path temporary_;         // empty: written in place
  std::unique_ptr<std::FILE, Close> file_;  // null: standard output
};

}  // namespace flymc::app
