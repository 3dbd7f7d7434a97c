#include "data/input/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "flymc/error.hpp"

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
  explicit Inflater(int window) {
    if (inflateInit2(&stream_, window) != Z_OK) {
      throw Error(ErrorKind::kMemory, "no memory to decompress.");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Takes from `input` and fills `out`, both from their front, as far as one call does; returns
  // zlib's code.
  int advance(std::string_view& input, std::span<char>& out) {
    const unsigned available = step_of(input.size());
    const unsigned room = step_of(out.size());
    // zlib's interface predates const; the input is not written.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = available;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    input.remove_prefix(available - stream_.avail_in);
    out = out.subspan(room - stream_.avail_out);
    return code;
  }

  void start_next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

[[noreturn]] void fail_damaged(const std::string& where) {
  throw Error(ErrorKind::kData, where + ": the compressed data are damaged or cut short.");
}

class Gunzip final : public Unpacker {
 public:
  explicit Gunzip(std::string where) : where_(std::move(where)) {}

  std::size_t unpack(std::string_view& input, std::span<char> out, bool last) override {
    const std::size_t room = out.size();
    while (!out.empty() && (!between_ || starts_member(input, last))) {
      const int code = inflater_.advance(input, out);
      between_ = code == Z_STREAM_END;
      const bool hungry = (code == Z_OK || code == Z_BUF_ERROR) && input.empty();
      if (hungry && !out.empty()) {
        if (last) {
          fail_damaged(where_);
        }
        break;
      }
      if (code != Z_OK && code != Z_STREAM_END) {
        fail_damaged(where_);
      }
    }
    return room - out.size();
  }

 private:
  // Whether another member follows the one that has ended; with a byte or none of input it waits.
  bool starts_member(std::string_view& input, bool last) {
    if (!padding_ && is_gzip(input)) {
      inflater_.start_next_member();
      return true;
    }
    padding_ |= last || input.size() >= kMagicBytes;
    if (padding_) {
      input = {};
    }
    return false;
  }

  static constexpr std::size_t kMagicBytes = 2;
  std::string where_;
  Inflater inflater_{kGzipWindow};
  bool between_ = false;  // members
  bool padding_ = false;  // all that follows
};

}  // namespace

bool is_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

std::unique_ptr<Unpacker> make_gunzip(const std::string& where) {
  return std::make_unique<Gunzip>(where);
}

Buffer<char> inflate_raw(std::string_view bytes, std::size_t size, const std::string& where) {
  if (size / kMaxRatio > bytes.size()) {
    fail_damaged(where);  // before a claimed size is allocated
  }
  if (const std::size_t most = most_unpacked_bytes(); size > most) {
    fail_too_large(where, most);
  }
  Inflater inflater(kRawWindow);
  Buffer<char> out(size + 1);  // one to spare: a stream with more to give shows itself
  std::span<char> room(out);
  int code = Z_OK;
  while (code == Z_OK && !room.empty()) {
    code = inflater.advance(bytes, room);
  }
  if (code != Z_STREAM_END || room.size() != 1) {
    fail_damaged(where);
  }
  out.resize(size);
  return out;
}

}  // namespace flymc
