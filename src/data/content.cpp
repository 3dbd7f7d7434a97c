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
#include "flymc/data/input_files.hpp"
#include "flymc/data/unzstd.hpp"

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

Buffer<char> read_standard_input() {
  if (::isatty(STDIN_FILENO) != 0) {
    throw Error(
        ErrorKind::kUsage,
        "-: standard input is a terminal; pipe the data in, as in `flymc inspect - < FILE`.");
  }
  Buffer<char> bytes(std::size_t{1} << 16);
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) {
      bytes.resize(bytes.size() * 2);
    }
    const ssize_t count = ::read(STDIN_FILENO, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno != EINTR) {
      fail(std::string(kStandardInput), errno);
    }
    if (count == 0) {
      break;
    }
    filled += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  bytes.resize(filled);
  return bytes;
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

std::string_view name_of(Packing packing) noexcept {
  return packing == Packing::kGzip ? "gzip" : packing == Packing::kZstd ? "zstd" : "";
}

Content::Content(const std::string& path) {
  if (path == kStandardInput) {
    piped_ = read_standard_input();
  } else {
    file_ = std::make_shared<const FileMap>(path);
  }
  if (is_gzip(stored())) {
    packing_ = Packing::kGzip;
    inflated_ = gunzip(stored(), escaped(path));
  } else if (is_zstd(stored())) {
    packing_ = Packing::kZstd;
    inflated_ = unzstd(stored(), escaped(path));
  }
}

}  // namespace flymc
