// Decompression by zlib: gzip as a stream, raw deflate in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "data/input/unpack.hpp"
#include "flymc/detail/core/buffer.hpp"

namespace flymc {

// Whether the bytes start as gzip does.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

// All members of a gzip file, one after the other; what follows the last is padding.
[[nodiscard]] std::unique_ptr<Unpacker> make_gunzip(const std::string& where);

// A raw deflate stream that must give exactly `size` bytes. THROWS Error kData when it does not,
// kMemory where that is more than most_unpacked_bytes().
[[nodiscard]] Buffer<char> inflate_raw(std::string_view bytes, std::size_t size,
                                       const std::string& where);

}  // namespace flymc
