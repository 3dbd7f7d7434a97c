// Decompression of a stream of bytes, step by step: gzip, zstd, or none at all.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace flymc {

enum class Packing { kNone, kGzip, kZstd };
[[nodiscard]] std::string_view name_of(Packing packing) noexcept;  // empty for kNone

// Told by the first bytes, not by a name.
[[nodiscard]] Packing packing_of(std::string_view bytes) noexcept;

class Unpacker {
 public:
  virtual ~Unpacker() = default;

  // Takes bytes off the front of `input` and puts what they say into `out`, as far as both reach;
  // returns how much that is. Less than `out` holds: it wants more input, or, where nothing follows
  // `input` (`last`), everything has come. THROWS Error kData when the bytes are damaged or cut
  // short.
  [[nodiscard]] virtual std::size_t unpack(std::string_view& input, std::span<char> out,
                                           bool last) = 0;
};

// What is unpacked at once, into memory, may be so large: half of the machine's, as a table must
// find room beside it.
[[nodiscard]] std::size_t most_unpacked_bytes();
[[noreturn]] void fail_too_large(const std::string& where, std::size_t most);  // THROWS kMemory

// `where` names the input in messages.
[[nodiscard]] std::unique_ptr<Unpacker> make_unpacker(Packing packing, const std::string& where);

}  // namespace flymc
