#include "run/run_files.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/output_folder.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

// A page of our own under its usual name, not one that a user wrote.
bool is_report(const fs::path& path) {
  if (path.filename() != "report.html") {
    return false;
  }
  std::string start(1024, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(kPageMark) != std::string::npos;
}

bool is_of_run(const fs::path& path) { return is_run_file(path.filename().string()); }

// Listed first: what is renamed while a directory is read may turn up twice.
template <class Which>
std::vector<fs::path> files_of(const fs::path& folder, Which which) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (which(entry.path())) {
      files.push_back(entry.path());
    }
  }
  return files;
}

template <class Which>
void remove_files(const fs::path& folder, Which which) {
  for (const fs::path& file : files_of(folder, which)) {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
}

bool goes_with_run(const fs::path& path) { return is_of_run(path) || is_report(path); }

void move_files(const fs::path& from, const fs::path& to) {
  for (const fs::path& file : files_of(from, goes_with_run)) {
    std::error_code ignored;
    fs::rename(file, to / file.filename(), ignored);
  }
}

}  // namespace

bool is_run_file(const std::string& name) {
  const auto numbered = [&](const std::string& prefix, const std::string& suffix) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size()) {
      return false;
    }
    const auto middle = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    return std::all_of(middle.begin(), middle.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  return name == "run.json" || name == "run.json.tmp" || numbered("chain-", ".csv") ||
         numbered("chain-", ".csv.tmp") || numbered("warmup-", ".csv") ||
         numbered("chain-", ".ckpt") || numbered("chain-", ".ckpt.tmp");
}

bool holds_run_files(const fs::path& folder) { return !files_of(folder, is_of_run).empty(); }

void remove_run_files(const fs::path& folder) { remove_files(folder, is_of_run); }

ReplacedRun::ReplacedRun(const fs::path& folder) : folder_(folder), aside_(folder / ".replaced") {}

ReplacedRun::~ReplacedRun() {
  if (is_aside_) {
    move_files(aside_, folder_);
    std::error_code ignored;
    fs::remove(aside_, ignored);
  }
}

void ReplacedRun::set_aside() {
  if (!holds_run_files(folder_)) {
    return;
  }
  drop();
  make_folder(aside_);
  is_aside_ = true;
  move_files(folder_, aside_);
}

void ReplacedRun::drop() noexcept {
  is_aside_ = false;
  remove_files(aside_, goes_with_run);
  std::error_code ignored;
  fs::remove(aside_, ignored);  // only if empty
}

}  // namespace flymc
