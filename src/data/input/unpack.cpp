#include "data/input/unpack.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine_memory.hpp"
#include "core/message.hpp"
#include "data/input/inflate.hpp"
#include "data/input/unzstd.hpp"
#include "flymc/error.hpp"

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

std::size_t most_unpacked_bytes() { return static_cast<std::size_t>(0.5 * machine_memory_bytes()); }

void fail_too_large(const std::string& where, std::size_t most) {
  throw Error(
      ErrorKind::kMemory,
      fmt::format("{} unpacks to more than {:.3g} GB, half of this machine's memory", where,
                  1e-9 * static_cast<double>(most)),
      message("if it shall be so large, make a .fly of it ({}), which reads text in blocks, "
              "or unpack it first.",
              Command{"convert"}));
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
