// Decompression by zlib, in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "flymc/core/buffer.hpp"

namespace flymc {

// Whether the bytes start as gzip does.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

// All members of a gzip file, one after the other. `where` names the input in the message.
// THROWS Error kData when the stream is damaged or ends early.
[[nodiscard]] Buffer<char> gunzip(std::string_view bytes, const std::string& where);

// A raw deflate stream that must give exactly `size` bytes. THROWS Error kData when it does not.
[[nodiscard]] Buffer<char> inflate_raw(std::string_view bytes, std::size_t size,
                                       const std::string& where);

}  // namespace flymc
