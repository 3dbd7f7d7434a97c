#include "flymc/staged_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc::app {
namespace fs = std::filesystem;
namespace {

bool is_in_place(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) &&
         !fs::is_directory(path, ignored);
}

[[noreturn]] void fail_create(const fs::path& path, const std::error_code& error) {
  const bool denied = error == std::errc::permission_denied;
  throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}; choose another --out.", in_quotes(path.string()),
                          error.message()));
}

}  // namespace

void require_absent(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is a folder; give --out a file.", in_quotes(path.string())));
  }
  if (!overwrite && fs::is_regular_file(path, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is there already; use --overwrite or another --out.",
                            in_quotes(path.string())));
  }
}

StagedFile::StagedFile(fs::path path, bool overwrite) : path_(std::move(path)) {
  if (path_ == "-") {
    return;
  }
  require_absent(path_, overwrite);
  const bool in_place = is_in_place(path_);
  const fs::path target = in_place ? path_ : fs::path(path_.string() + ".tmp");
  errno = 0;
  file_.reset(std::fopen(target.c_str(), "wb"));
  if (!file_) {
    fail_create(path_, {errno, std::generic_category()});
  }
  if (!in_place) {
    temporary_ = target;
  }
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) {
    file_.reset();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
}

void StagedFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream()) != bytes.size()) {
    fail_write();
  }
}

void StagedFile::rewrite(std::size_t at, std::string_view bytes) {
  if (std::fseek(stream(), static_cast<long>(at), SEEK_SET) != 0) {
    fail_write();
  }
  write(bytes);
  if (std::fseek(stream(), 0, SEEK_END) != 0) {
    fail_write();
  }
}

void StagedFile::keep() {
  if (std::fflush(stream()) != 0) {
    fail_write();
  }
  if (temporary_.empty()) {
    return;
  }
  if (std::fclose(file_.release()) != 0) {
    fail_write();
  }
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) {
    fail_create(path_, error);
  }
  temporary_.clear();
}

void StagedFile::fail_write() const {
  const bool full = errno == ENOSPC;
  throw Error(ErrorKind::kIo,
              path_ == "-"
                  ? "cannot write to standard output; is the disk full, or the pipe closed?"
                  : fmt::format("{} {}; free space, then run again.",
                                full ? "no space left writing" : "cannot write",
                                in_quotes(path_.string())));
}

}  // namespace flymc::app
