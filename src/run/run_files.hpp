// The files a run makes, by name, and those of an older run while a new one replaces it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flymc {

// Stands near the beginning of every page of a run, and of no other.
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"flymc report\">";

// Exactly the names a run makes: run.json, chain-K.csv, ...
[[nodiscard]] bool is_run_file(const std::string& name);

[[nodiscard]] bool holds_run_files(const std::filesystem::path& folder);

// What cannot be removed stays.
void remove_run_files(const std::filesystem::path& folder);

// Moves a run, and the report.html made of it, to a hidden folder inside its own. The destructor
// puts it back unless it was dropped, so that a run that fails leaves the one it was to replace.
// Not thread safe.
class ReplacedRun {
 public:
  // Where a killed run left one, it is dropped when the run that goes on is.
  explicit ReplacedRun(const std::filesystem::path& folder);
  ~ReplacedRun();
  ReplacedRun(const ReplacedRun&) = delete;
  ReplacedRun& operator=(const ReplacedRun&) = delete;

  // THROWS Error: kPermission, kCannotCreate; the folder is then as it was.
  void set_aside();
  void drop() noexcept;

 private:
  std::filesystem::path folder_;
  std::filesystem::path aside_;
  bool is_aside_ = false;
};

}  // namespace flymc
