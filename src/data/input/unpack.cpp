#include "data/input/unpack.hpp"

#include <algorithm>

#include "data/input/inflate.hpp"
#include "data/input/unzstd.hpp"

namespace flymc {
namespace {

class Copier final : public Unpacker {
 public:
  std::size_t unpack(std::string_view& input, std::span<char> out, bool /*last*/) override {
    const std::size_t count = std::min(input.size(), out.size());
    std::copy_n(input.data(), count, out.data());
    input.remove_prefix(count);
    return count;
  }
};

}  // namespace

std::string_view name_of(Packing packing) noexcept {
  return packing == Packing::kGzip ? "gzip" : packing == Packing::kZstd ? "zstd" : "";
}

Packing packing_of(std::string_view bytes) noexcept {
  return is_gzip(bytes) ? Packing::kGzip : is_zstd(bytes) ? Packing::kZstd : Packing::kNone;
}

std::unique_ptr<Unpacker> make_unpacker(Packing packing, const std::string& where) {
  switch (packing) {
    case Packing::kGzip:
      return make_gunzip(where);
    case Packing::kZstd:
      return make_unzstd(where);
    default:
      return std::make_unique<Copier>();
  }
}

}  // namespace flymc
