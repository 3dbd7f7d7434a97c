#include "flymc/data/unzstd.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "flymc/core/error.hpp"

namespace flymc {
namespace {

constexpr int kLargestWindow = 31;  // bits, as zstd --long=31 writes

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, FreeContext>;

Context make_context() {
  Context context(ZSTD_createDCtx());
  if (context == nullptr) {
    throw std::bad_alloc();
  }
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindow);
  return context;
}

}  // namespace

bool is_zstd(std::string_view bytes) noexcept { return bytes.starts_with("\x28\xB5\x2F\xFD"); }

Buffer<char> unzstd(std::string_view bytes, const std::string& where) {
  const Context context = make_context();
  Buffer<char> out(std::max<std::size_t>(bytes.size(), 256) * 4);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  std::size_t open = 1;  // 0: at the end of a frame
  while (input.pos < input.size || open != 0) {
    if (output.pos == output.size) {
      out.resize(out.size() * 2);
      output.dst = out.data();
      output.size = out.size();
    }
    const std::size_t read_before = input.pos;
    const std::size_t written_before = output.pos;
    open = ZSTD_decompressStream(context.get(), &output, &input);
    const bool stuck = input.pos == read_before && output.pos == written_before;
    if (ZSTD_isError(open) != 0 || (stuck && open != 0)) {
      throw Error(ErrorKind::kData, where + ": the compressed data are damaged or cut short.");
    }
  }
  out.resize(output.pos);
  return out;
}

}  // namespace flymc
