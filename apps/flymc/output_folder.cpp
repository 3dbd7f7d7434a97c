#include "flymc/output_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
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

void write_text(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".tmp";
  errno = 0;
  std::ofstream out(temporary, std::ios::binary);
  if (!out) {
    cannot_create(path, {errno, std::generic_category()});
  }
  out << text;
  out.close();
  std::error_code error;
  if (out) {
    fs::rename(temporary, path, error);
  }
  if (!out || error) {
    fs::remove(temporary, error);
    throw Error(ErrorKind::kIo,
                fmt::format("cannot write {}; is the disk full?", in_quotes(path.string())));
  }
}

std::string shell_word(const fs::path& path) {
  const std::string text = path.string();
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return escaped(quoted + "'");
}

}  // namespace flymc::app
