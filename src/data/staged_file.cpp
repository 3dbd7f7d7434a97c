#include "flymc/data/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc {
namespace {

[[noreturn]] void fail_creating(const std::string& path, int error) {
  const bool denied = error == EACCES || error == EPERM;
  throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}; choose another place.", in_quotes(path),
                          std::strerror(error)));
}

}  // namespace

StagedFile::StagedFile(std::string path) : path_(std::move(path)), staged_(path_ + ".part") {
  constexpr int kMode = 0666;
  fd_ = ::open(staged_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd_ < 0) {
    fail_creating(path_, errno);
  }
}

StagedFile::~StagedFile() {
  if (fd_ >= 0) {  // not kept
    ::close(fd_);
    ::unlink(staged_.c_str());
  }
}

void StagedFile::append(std::string_view bytes) {
  write_at(end_, bytes);
  end_ += bytes.size();
}

void StagedFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      fail_writing(written == 0 ? ENOSPC : errno);
    }
    offset += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void StagedFile::keep() {
  if (::fsync(fd_) != 0) {
    fail_writing(errno);
  }
  if (std::rename(staged_.c_str(), path_.c_str()) != 0) {
    fail_creating(path_, errno);
  }
  ::close(std::exchange(fd_, -1));
}

void StagedFile::fail_writing(int error) const {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw Error(ErrorKind::kIo,
              full ? fmt::format("no space left writing {}; free space or choose another place.",
                                 in_quotes(path_))
                   : fmt::format("writing {} failed: {}.", in_quotes(path_), std::strerror(error)));
}

}  // namespace flymc
