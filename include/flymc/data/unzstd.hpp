// Decompression of Zstandard, in memory.
#pragma once

#include <string>
#include <string_view>

#include "flymc/core/buffer.hpp"

namespace flymc {

// Whether the bytes start as a zstd frame does.
[[nodiscard]] bool is_zstd(std::string_view bytes) noexcept;

// All frames of a zst file, one after the other. `where` names the input in the message.
// THROWS Error kData when a frame is damaged or ends early.
[[nodiscard]] Buffer<char> unzstd(std::string_view bytes, const std::string& where);

}  // namespace flymc
