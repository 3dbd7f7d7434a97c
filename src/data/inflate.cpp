#include "flymc/data/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "flymc/core/error.hpp"

namespace flymc {
namespace {

constexpr int kGzipWindow = 15 + 16;     // zlib: largest window, gzip wrapper
constexpr int kRawWindow = -15;          // largest window, no wrapper
constexpr std::size_t kMaxRatio = 1032;  // deflate cannot shrink by more

// zlib counts in `unsigned`: larger inputs and outputs are fed in steps.
unsigned step_of(std::size_t size) {
  return static_cast<unsigned>(std::min<std::size_t>(size, std::numeric_limits<unsigned>::max()));
}

class Inflater {
 public:
  Inflater(std::string_view input, int window) : input_(input) {
    if (inflateInit2(&stream_, window) != Z_OK) {
      throw Error(ErrorKind::kMemory, "no memory to decompress.");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Fills `out` from `filled` on as far as one call does; returns zlib's code.
  int advance(Buffer<char>& out, std::size_t& filled) {
    const unsigned available = step_of(input_.size());
    const unsigned room = step_of(out.size() - filled);
    // zlib's interface predates const; the input is not written.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
    stream_.avail_in = available;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream_.avail_out = room;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    input_.remove_prefix(available - stream_.avail_in);
    filled += room - stream_.avail_out;
    return code;
  }

  [[nodiscard]] std::string_view rest() const noexcept { return input_; }
  void start_next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
  std::string_view input_;
};

[[noreturn]] void fail_damaged(const std::string& where) {
  throw Error(ErrorKind::kData, where + ": the compressed data are damaged or cut short.");
}

}  // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

Buffer<char> gunzip(std::string_view bytes, const std::string& where) {
  Inflater inflater(bytes, kGzipWindow);
  Buffer<char> out(std::max<std::size_t>(bytes.size(), 256) * 4);
  std::size_t filled = 0;
  while (true) {
    if (filled == out.size()) {
      out.resize(out.size() * 2);
    }
    const int code = inflater.advance(out, filled);
    if (code == Z_STREAM_END) {
      if (!is_gzip(inflater.rest())) {
        break;  // the end, or padding that gzip ignores too
      }
      inflater.start_next_member();
    } else if (code != Z_OK) {
      fail_damaged(where);
    }
  }
  out.resize(filled);
  return out;
}

Buffer<char> inflate_raw(std::string_view bytes, std::size_t size, const std::string& where) {
  if (size / kMaxRatio > bytes.size()) {
    fail_damaged(where);  // before a claimed size is allocated
  }
  Inflater inflater(bytes, kRawWindow);
  Buffer<char> out(size + 1);  // one to spare: a stream with more to give shows itself
  std::size_t filled = 0;
  int code = Z_OK;
  while (code == Z_OK && filled < out.size()) {
    code = inflater.advance(out, filled);
  }
  if (code != Z_STREAM_END || filled != size) {
    fail_damaged(where);
  }
  out.resize(size);
  return out;
}

}  // namespace flymc
