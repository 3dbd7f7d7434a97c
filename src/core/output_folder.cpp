#include "core/output_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "core/hidden_name.hpp"
#include "core/message.hpp"
#include "core/staged_file.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_create(const fs::path& path, const std::error_code& error) {
  const bool denied = error == std::errc::permission_denied;
  throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}", in_quotes(path.string()), error.message()),
              message("choose another {}.", Setting{"out"}));
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    cannot_create(folder, error);
  }
}

// Those that are not there, from the outermost on. Only what mkdir made is ours.
NewFolder::NewFolder(const fs::path& folder) {
  std::vector<fs::path> absent;
  std::error_code ignored;
  for (fs::path part = folder; !part.empty() && !fs::exists(part, ignored);
       part = part.parent_path()) {
    absent.push_back(part);
  }
  try {
    for (auto part = absent.rbegin(); part != absent.rend(); ++part) {
      if (::mkdir(part->c_str(), 0777) == 0) {
        made_.insert(made_.begin(), *part);
      }
    }
    require_no_dangling_link(folder.string());
    make_folder(folder);
  } catch (...) {
    remove_empty();
    throw;
  }
}

NewFolder::~NewFolder() { remove_empty(); }

void NewFolder::remove_empty() const noexcept {
  for (const fs::path& folder : made_) {
    std::error_code ignored;
    fs::remove(folder, ignored);  // only if empty
  }
}

TemporaryFolder::TemporaryFolder(const fs::path& path) : path_(hidden_name(path)) {
  if (::mkdir(path_.c_str(), 0777) != 0) {
    cannot_create(path, {errno, std::generic_category()});
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void require_absent(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::kCannotCreate, fmt::format("{} is a folder", in_quotes(path.string())),
                message("give {} a file.", Setting{"out"}));
  }
  if (!overwrite && fs::is_regular_file(path, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is there already", in_quotes(path.string())),
                message("use {} or another {}.", Setting{"overwrite"}, Setting{"out"}));
  }
}

void write_text(const fs::path& path, std::string_view text, std::string_view more) {
  StagedFile file(path.string());
  file.append(text);
  file.append(more);
  file.keep();
}

}  // namespace flymc
