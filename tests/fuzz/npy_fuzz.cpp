// One NumPy array, as features copied or left in place, and as a response.
#include "data/format/npy.hpp"
#include "data/load/arrays.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace flymc;

void read(const LoadSpec& spec) {
  std::vector<FileChecksum> none;
  (void)fuzz::refusal([&] { fuzz::require_sound(read_npy(spec, Content(spec.path), none).table); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile kFile;
  kFile = fuzz::text_of(data, size);
  const std::string path = kFile.path();
  read({.path = path, .threads = 1});
  read({.path = path, .missing = Missing::kDrop, .threads = 1});
  read({.path = path, .response = path, .weights = path, .threads = 1});
  return 0;
}
