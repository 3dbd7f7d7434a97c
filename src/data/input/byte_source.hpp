// The bytes of a file or of standard input, unpacked, from the first to the last, for one who need
// not hold them all.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/input/content.hpp"
#include "data/input/unpack.hpp"
#include "flymc/detail/core/buffer.hpp"

namespace flymc {

// A file is mapped; of standard input ("-") a buffer is held. Move-only. Not thread safe.
class ByteSource {
 public:
  // THROWS as FileMap and read_standard_input do.
  explicit ByteSource(std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] Packing packing() const noexcept { return packing_; }

  // The first megabyte of what read() will give: enough to see what it is. REQUIRES of both:
  // nothing was read. THROWS as read().
  [[nodiscard]] std::string head() const;
  // What was taken from standard input for it, packed as it came; nothing of a file.
  [[nodiscard]] std::string_view taken() const noexcept {
    return file_ ? std::string_view{} : input_;
  }

  // Fills `out`, unless the end comes; returns how much that is. THROWS Error: kData when packed
  // bytes are damaged, kIo.
  [[nodiscard]] std::size_t read(std::span<char> out);

 private:
  void refill();

  std::string path_;
  std::optional<FileMap> file_;
  Buffer<char> piped_;
  std::string_view input_;  // what is not yet unpacked
  bool last_ = true;        // nothing follows it
  Packing packing_ = Packing::kNone;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace flymc
