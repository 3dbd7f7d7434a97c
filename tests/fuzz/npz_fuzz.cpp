// NumPy's archive: a zip of arrays X and y, with weights w.
#include "data/format/zip.hpp"
#include "data/load/arrays.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace flymc;

void read(const LoadSpec& spec, std::string_view bytes) {
  (void)fuzz::refusal([&] { fuzz::require_sound(read_npz(spec, bytes).table); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  (void)fuzz::refusal([&] {
    const ZipArchive archive(bytes, "t.npz");
    for (const ZipArchive::Member& member : archive.members()) {
      Buffer<char> room;
      fuzz::require(archive.extract(member, room).size() == member.size_bytes, "all of a member");
    }
  });
  read({.path = "t.npz", .threads = 1}, bytes);
  read({.path = "t.npz", .weights = "w", .missing = Missing::kDrop, .threads = 1}, bytes);
  return 0;
}
