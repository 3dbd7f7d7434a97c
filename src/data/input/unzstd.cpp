#include "data/input/unzstd.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>

#include "flymc/error.hpp"

namespace flymc {
namespace {

// A window is allocated as large as a frame says. Up to 128 MB, the limit of zstd itself, it is
// believed; up to 2 GB, as zstd --long=31 writes, where the input can fill it: four bytes give at
// most a block of 128 KB.
int largest_window_bits(std::size_t size) {
  return std::clamp(static_cast<int>(std::bit_width(size)) + 15, 27, 31);
}

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, FreeContext>;

Context make_context() {
  Context context(ZSTD_createDCtx());
  if (context == nullptr) {
    throw std::bad_alloc();
  }
  return context;
}

class Unzstd final : public Unpacker {
 public:
  explicit Unzstd(std::string where) : where_(std::move(where)) {}

  std::size_t unpack(std::string_view& input, std::span<char> out, bool last) override {
    if (!begun_) {
      begun_ = true;
      const std::size_t size = last ? input.size() : std::numeric_limits<std::size_t>::max();
      ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_bits(size));
    }
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer room{out.data(), out.size(), 0};
    while (room.pos < room.size && (in.pos < in.size || open_ != 0)) {
      const std::size_t read_before = in.pos;
      const std::size_t written_before = room.pos;
      open_ = ZSTD_decompressStream(context_.get(), &room, &in);
      const bool stuck = in.pos == read_before && room.pos == written_before;
      if (ZSTD_isError(open_) != 0 || (stuck && (last || in.pos < in.size))) {
        throw Error(ErrorKind::kData, where_ + ": the compressed data are damaged or cut short.");
      }
      if (stuck) {
        break;
      }
    }
    input.remove_prefix(in.pos);
    return room.pos;
  }

 private:
  std::string where_;
  Context context_ = make_context();
  bool begun_ = false;
  std::size_t open_ = 1;  // 0: at the end of a frame
};

}  // namespace

bool is_zstd(std::string_view bytes) noexcept { return bytes.starts_with("\x28\xB5\x2F\xFD"); }

std::unique_ptr<Unpacker> make_unzstd(const std::string& where) {
  return std::make_unique<Unzstd>(where);
}

}  // namespace flymc
