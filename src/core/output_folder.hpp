// Folders and files a command makes, with the errors of the contract where they cannot be made.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace flymc {

// Makes the folder and its parents where they are not there. THROWS Error: kPermission,
// kCannotCreate.
void make_folder(const std::filesystem::path& folder);

// The same; the destructor removes those that were made here and are still empty, so that a command
// that fails leaves none, and nothing that was there before (a link that leads nowhere) is lost.
class NewFolder {
 public:
  explicit NewFolder(const std::filesystem::path& folder);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

 private:
  void remove_empty() const noexcept;

  std::vector<std::filesystem::path> made_;  // innermost first
};

// A hidden folder beside `path`, under a name that nobody can foresee, for what is to become it;
// removed with all it holds. THROWS Error: kPermission, kCannotCreate.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& path);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

// THROWS Error(kCannotCreate) where `path` is a folder, or a file and overwrite is off.
void require_absent(const std::filesystem::path& path, bool overwrite);

// A StagedFile: a reader, now or after a power cut, sees the old text or the new one, and a failure
// leaves the old one. The text may come in two pieces. THROWS Error: kPermission, kCannotCreate,
// kIo (disk full).
void write_text(const std::filesystem::path& path, std::string_view text,
                std::string_view more = {});

}  // namespace flymc
