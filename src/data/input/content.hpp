// The bytes of a file or of standard input: memory-mapped where they can be, and inflated where
// they are gzip or zstd.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data/input/unpack.hpp"
#include "flymc/detail/core/buffer.hpp"

namespace flymc {

// A read-only mapping of a whole regular file. Move-only; the view lives as long as the object.
class FileMap {
 public:
  // THROWS Error: kNoInput (absent, a directory, not a regular file), kPermission, kIo.
  explicit FileMap(const std::string& path);
  FileMap(FileMap&& other) noexcept;
  FileMap& operator=(FileMap&& other) noexcept;
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;
  ~FileMap();

  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

 private:
  FileMap() = default;

  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

// Fills `out` from standard input, unless its end comes; returns how much that is.
// THROWS Error: kUsage when it is a terminal, kIo.
[[nodiscard]] std::size_t read_standard_input(std::span<char> out);

// The file as its reader wants it: gzip and zstd (told by their magic numbers, not by a name) are
// inflated. The path "-" is standard input, which can be read once and is kept in memory.
class Content {
 public:
  // `taken`: of standard input, what was read from it already. THROWS as FileMap and
  // read_standard_input do; kData when the compressed bytes are damaged; kMemory when they unpack
  // to more than `most_unpacked`: a small file can hold more than any memory.
  explicit Content(const std::string& path, std::string_view taken = {},
                   std::size_t most_unpacked = most_unpacked_bytes());

  [[nodiscard]] std::string_view bytes() const noexcept {
    return packing_ == Packing::kNone ? stored()
                                      : std::string_view(inflated_.data(), inflated_.size());
  }
  [[nodiscard]] std::string_view stored() const noexcept {  // as they came
    return file_ ? file_->bytes() : std::string_view(piped_.data(), piped_.size());
  }
  [[nodiscard]] Packing packing() const noexcept { return packing_; }
  // The file itself, for one who keeps it mapped; null for standard input.
  [[nodiscard]] const std::shared_ptr<const FileMap>& file() const noexcept { return file_; }

 private:
  std::shared_ptr<const FileMap> file_;  // null: standard input, in `piped_`
  Buffer<char> piped_;
  Packing packing_ = Packing::kNone;
  Buffer<char> inflated_;
};

}  // namespace flymc
