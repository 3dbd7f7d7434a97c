// A chain's checkpoint: what was read is written as the same bytes again and again. The input has
// no CRC at its end; the right one is added.
#include <zlib.h>

#include "chain/checkpoint.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  (void)fuzz::refusal([&] { (void)parse_checkpoint(fuzz::text_of(data, size), "chain-1.ckpt"); });
  std::string bytes(fuzz::text_of(data, size));
  const auto crc = static_cast<std::uint32_t>(::crc32_z(0, data, size));
  bytes.append(reinterpret_cast<const char*>(&crc), sizeof crc);
  (void)fuzz::refusal([&] {
    const std::string written = to_bytes(parse_checkpoint(bytes, "chain-1.ckpt"));
    fuzz::require(written.size() == bytes.size(), "nothing is lost");
    fuzz::require(to_bytes(parse_checkpoint(written, "chain-1.ckpt")) == written,
                  "the same bytes again");
  });
  return 0;
}
