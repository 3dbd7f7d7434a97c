#include "data/input/input_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail_directory(const fs::path& directory, const fs::path& inner) {
  throw Error(ErrorKind::kNoInput,
              fmt::format("{}: {} is a directory; parts must lie side by side: name them with a "
                          "pattern such as '{}/*/*.csv'.",
                          escaped(directory.string()), in_quotes(inner.filename().string()),
                          escaped(directory.lexically_normal().string())));
}

std::vector<std::string> files_in(const fs::path& directory) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || name.starts_with('_')) {
      continue;
    }
    if (entry->is_directory(error)) {
      fail_directory(directory, entry->path());
    }
    paths.push_back(entry->path().string());
  }
  if (error) {
    const bool denied = error == std::errc::permission_denied;
    throw Error(
        denied ? ErrorKind::kPermission : ErrorKind::kIo,
        fmt::format("{}: cannot be read: {}.", escaped(directory.string()), error.message()));
  }
  if (paths.empty()) {
    throw Error(ErrorKind::kNoInput,
                escaped(directory.string()) +
                    ": the directory holds no part files (names that start with . or _ do not "
                    "count).");
  }
  return paths;
}

std::vector<std::string> files_like(const std::string& pattern) {
  glob_t found{};
  const int code = ::glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (code == GLOB_NOSPACE) {
    throw Error(ErrorKind::kMemory, escaped(pattern) + ": too many files match.");
  }
  if (code == GLOB_ABORTED) {
    throw Error(ErrorKind::kPermission, escaped(pattern) + ": a directory cannot be read.");
  }
  if (paths.empty()) {
    throw Error(ErrorKind::kNoInput, escaped(pattern) + ": no file matches.");
  }
  return paths;
}

bool is_pattern(const std::string& path) {
  std::error_code ignored;
  return path.find_first_of("*?[") != std::string::npos && !fs::exists(path, ignored);
}

}  // namespace

InputFiles input_files(const std::string& path) {
  std::error_code ignored;
  InputFiles files;
  if (path != kStandardInput && fs::is_directory(path, ignored)) {
    files = {files_in(path), true};
  } else if (is_pattern(path)) {
    files = {files_like(path), true};
  } else {
    files.paths = {path};
  }
  std::sort(files.paths.begin(), files.paths.end());
  return files;
}

}  // namespace flymc
