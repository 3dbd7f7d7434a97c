// Decompression of Zstandard, as a stream.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/input/unpack.hpp"

namespace flymc {

// Whether the bytes start as a zstd frame does.
[[nodiscard]] bool is_zstd(std::string_view bytes) noexcept;

// All frames of a zst file, one after the other.
[[nodiscard]] std::unique_ptr<Unpacker> make_unzstd(const std::string& where);

}  // namespace flymc
