// The bytes of a file: memory-mapped, and inflated where they are gzip.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "flymc/core/buffer.hpp"

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
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

// The file as its reader wants it: gzip (told by its magic number, not by its name) is inflated.
class Content {
 public:
  // THROWS as FileMap does, and kData when the gzip stream is damaged.
  explicit Content(const std::string& path);

  [[nodiscard]] std::string_view bytes() const noexcept;
  [[nodiscard]] bool was_gzip() const noexcept { return gzip_; }
  // The file itself, for one who keeps it mapped.
  [[nodiscard]] const std::shared_ptr<const FileMap>& file() const noexcept { return file_; }

 private:
  std::shared_ptr<const FileMap> file_;
  bool gzip_;
  Buffer<char> inflated_;
};

}  // namespace flymc
