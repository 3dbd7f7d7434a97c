#include "data/input/content.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/mapped_files.hpp"
#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "flymc/error.hpp"

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

void require_regular(const std::string& path) {
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
}

Buffer<char> rest_of_standard_input(std::string_view taken) {
  Buffer<char> bytes(taken.begin(), taken.end());
  std::size_t filled = bytes.size();
  do {
    bytes.resize(std::max(std::size_t{1} << 16, bytes.size() * 2));
    filled += read_standard_input(std::span(bytes).subspan(filled));
  } while (filled == bytes.size());
  bytes.resize(filled);
  return bytes;
}

Buffer<char> unpacked(std::string_view bytes, Packing packing, const std::string& where,
                      std::size_t most) {
  const std::unique_ptr<Unpacker> unpacker = make_unpacker(packing, where);
  Buffer<char> out(std::min(std::max<std::size_t>(bytes.size(), 256) * 4, most));
  std::size_t filled = unpacker->unpack(bytes, out, true);
  while (filled == out.size()) {
    if (filled == most) {
      fail_too_large(where, most);
    }
    out.resize(std::min(out.size() * 2, most));
    filled += unpacker->unpack(bytes, std::span(out).subspan(filled), true);
  }
  out.resize(filled);
  return out;
}

}  // namespace

std::size_t read_standard_input(std::span<char> out) {
  if (::isatty(STDIN_FILENO) != 0) {
    throw Error(
        ErrorKind::kUsage,
        "-: standard input is a terminal; pipe the data in, as in `flymc inspect - < FILE`.");
  }
  std::size_t filled = 0;
  while (filled < out.size()) {
    const ssize_t count = ::read(STDIN_FILENO, out.data() + filled, out.size() - filled);
    if (count < 0 && errno != EINTR) {
      fail(std::string(kStandardInput), errno);
    }
    if (count == 0) {
      break;
    }
    filled += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  return filled;
}

FileMap::FileMap(const std::string& path) : FileMap() {  // whole now: what follows may throw
  require_regular(path);                                 // before open, which would wait for a pipe
  const Descriptor file(path);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    fail(path, errno);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    return;  // an empty mapping is an error to mmap
  }
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) {
    fail(path, errno);
  }
  data_ = static_cast<const char*>(mapped);
  size_ = size;
  note_mapped(data_, size_, path, status);
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
    note_unmapped(data_);
    ::munmap(const_cast<char*>(data_), size_);
  }
}

Content::Content(const std::string& path, std::string_view taken, std::size_t most_unpacked) {
  if (path == kStandardInput) {
    piped_ = rest_of_standard_input(taken);
  } else {
    file_ = std::make_shared<const FileMap>(path);
  }
  packing_ = packing_of(stored());
  if (packing_ != Packing::kNone) {
    inflated_ = unpacked(stored(), packing_, escaped(path), most_unpacked);
  }
}

}  // namespace flymc
