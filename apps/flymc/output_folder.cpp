#include "flymc/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc::app {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_create(const fs::path& path, const std::error_code& error) {
  const bool denied = error == std::errc::permission_denied;
  throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}; choose another --out.", in_quotes(path.string()),
                          error.message()));
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

}  // namespace

bool make_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    cannot_create(folder, error);
  }
  return made;
}

void write_text(const fs::path& path, std::string_view text, std::string_view more) {
  const fs::path temporary = path.string() + ".tmp";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    cannot_create(path, {errno, std::generic_category()});
  }
  const bool written = write_all(file, text) && write_all(file, more) && ::fsync(file) == 0;
  const bool closed = ::close(file) == 0;
  std::error_code error;
  if (written && closed) {
    fs::rename(temporary, path, error);
  }
  if (!written || !closed || error) {
    fs::remove(temporary, error);
    throw Error(ErrorKind::kIo,
                fmt::format("cannot write {}; is the disk full?", in_quotes(path.string())));
  }
}

}  // namespace flymc::app
