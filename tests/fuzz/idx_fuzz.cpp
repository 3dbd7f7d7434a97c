// MNIST's files of bytes, plain, gzip or zstd.
#include "data/format/idx.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  static const fuzz::MemoryFile kFile;
  kFile = fuzz::text_of(data, size);
  for (const std::size_t dimensions : {std::size_t{1}, std::size_t{3}}) {
    (void)fuzz::refusal([&] {
      const IdxArray array = read_idx(kFile.path(), dimensions);
      std::size_t items = 1;
      for (const std::size_t extent : array.shape) {
        items *= extent;
      }
      fuzz::require(array.shape.size() == dimensions && array.bytes.size() == items,
                    "as many bytes as the shape says");
    });
  }
  return 0;
}
