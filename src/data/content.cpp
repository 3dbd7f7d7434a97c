#include "flymc/data/content.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/inflate.hpp"

namespace flymc {
namespace {

// Closes the descriptor on every way out of the constructor; the mapping outlives it.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& path, int error) {
  const std::string name = escaped(path);
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      throw Error(ErrorKind::kNoInput, name + ": no such file.");
    case EACCES:
    case EPERM:
      throw Error(ErrorKind::kPermission, name + ": permission denied.");
    default:
      throw Error(ErrorKind::kIo, name + ": cannot be read: " + std::strerror(error) + ".");
  }
}

std::size_t size_of_regular(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    fail(path, errno);
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::kNoInput, escaped(path) + " is a directory; name a file in it.");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::kNoInput,
                escaped(path) + " is not a regular file; save the data first.");
  }
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

FileMap::FileMap(const std::string& path) {
  const std::size_t size = size_of_regular(path);  // before open, which would wait for a pipe
  const Descriptor file(path);
  if (file.get() < 0) {
    fail(path, errno);
  }
  if (size == 0) {
    return;  // an empty mapping is an error to mmap
  }
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) {
    fail(path, errno);
  }
  data_ = static_cast<const char*>(mapped);
  size_ = size;
}

FileMap::FileMap(FileMap&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileMap& FileMap::operator=(FileMap&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileMap::~FileMap() {
  if (data_ != nullptr) {
    ::munmap(const_cast<char*>(data_), size_);
  }
}

Content::Content(const std::string& path)
    : file_(std::make_shared<const FileMap>(path)), gzip_(is_gzip(file_->bytes())) {
  if (gzip_) {
    inflated_ = gunzip(file_->bytes(), escaped(path));
  }
}

std::string_view Content::bytes() const noexcept {
  return gzip_ ? std::string_view(inflated_.data(), inflated_.size()) : file_->bytes();
}

}  // namespace flymc
