#include "core/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/hidden_name.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

[[noreturn]] void fail_creating(const std::string& path, int error) {
  const bool denied = error == EACCES || error == EPERM;
  throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}", in_quotes(path), std::strerror(error)),
              "choose another place.");
}

bool is_in_place(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

void require_no_dangling_link(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode) &&
      ::stat(path.c_str(), &info) != 0) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("cannot create {}: it is a link that leads nowhere", in_quotes(path)),
                "remove it or choose another place.");
  }
}

StagedFile::StagedFile(std::string path) : path_(std::move(path)) {
  constexpr int kMode = 0666;
  if (path_ == "-") {
    fd_ = ::dup(STDOUT_FILENO);
  } else if (is_in_place(path_)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    require_no_dangling_link(path_);
    staged_ = hidden_name(path_);
    fd_ = ::open(staged_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
  }
  if (fd_ < 0) {
    fail_creating(path_, errno);
  }
}

StagedFile::~StagedFile() {
  if (fd_ < 0) {
    return;
  }
  ::close(fd_);
  if (!staged_.empty()) {  // not kept
    ::unlink(staged_.c_str());
  }
}

void StagedFile::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    flush();
  }
  if (bytes.size() > kBufferBytes) {
    write_all(bytes);
  } else {
    buffer_ += bytes;
  }
}

void StagedFile::write_at(std::uint64_t offset, std::string_view bytes) {
  flush();
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
  flush();
  if (!staged_.empty()) {
    if (::fsync(fd_) != 0) {
      fail_writing(errno);
    }
    if (std::rename(staged_.c_str(), path_.c_str()) != 0) {
      fail_creating(path_, errno);
    }
    staged_.clear();
  }
  ::close(std::exchange(fd_, -1));
}

void StagedFile::flush() {
  write_all(buffer_);
  buffer_.clear();
}

void StagedFile::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      fail_writing(written == 0 ? ENOSPC : errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void StagedFile::fail_writing(int error) const {
  if (path_ == "-") {
    throw Error(ErrorKind::kIo, "cannot write to standard output",
                "is the disk full, or the pipe closed?");
  }
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  if (full) {
    throw Error(ErrorKind::kIo, "no space left writing " + in_quotes(path_),
                "free space or choose another place.");
  }
  throw Error(ErrorKind::kIo,
              fmt::format("cannot write {}: {}", in_quotes(path_), std::strerror(error)),
              "choose another place.");
}

}  // namespace flymc
