// Our own tables. The input is a .fly file without its gaps and hashes: the head, then names and
// numbers. Sections go where the head says, or, where the input starts with 'L', where lay_out()
// puts them; all hashes are set right, so that what the head says is believed.
#include <cstring>

#include "core/hash64.hpp"
#include "data/format/fly.hpp"
#include "data/format/fly_format.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace flymc;

constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // of the file that is made

bool fits(const FlySection& section) {
  return section.offset >= kFlyHeadBytes && section.offset <= kMostBytes &&
         section.bytes <= kMostBytes - section.offset;
}

void lay_out_honestly(FlyHead& head) {
  for (FlySection& part : head.parts) {
    part.bytes = part.bytes > 0 ? head.rows * sizeof(double) : 0;
  }
  if (!lay_out(head)) {
    head.file_bytes = 0;
  }
}

// Copies the next bytes of the input to their section.
void fill(std::string& file, const FlySection& section, std::string_view& rest) {
  if (!fits(section)) {
    return;
  }
  file.resize(std::max<std::size_t>(file.size(), section.offset + section.bytes));
  const std::size_t size = std::min<std::size_t>(section.bytes, rest.size());
  std::copy_n(rest.data(), size, file.data() + section.offset);
  rest.remove_prefix(size);
}

void set_hashes(std::string& file, FlyHead& head) {
  if (!fits(head.hashes)) {
    return;
  }
  file.resize(std::max<std::size_t>(file.size(), head.hashes.offset + head.hashes.bytes));
  for (std::size_t i = 0; i < head.hashes.bytes / sizeof(std::uint64_t); ++i) {
    const std::size_t first = std::min(kFlyHeadBytes + i * kFlyBlockBytes, file.size());
    const std::size_t last = std::min<std::size_t>(first + kFlyBlockBytes, head.hashes.offset);
    const std::uint64_t hash =
        hash64(std::string_view(file).substr(first, last < first ? 0 : last - first));
    std::memcpy(file.data() + head.hashes.offset + i * sizeof hash, &hash, sizeof hash);
  }
  head.hashes_hash = hash64(std::string_view(file).substr(head.hashes.offset, head.hashes.bytes));
}

std::string unfolded(std::string_view input) {
  FlyHead head;
  std::memcpy(&head, input.data(), std::min(input.size(), sizeof head));
  if (input.starts_with('L')) {
    lay_out_honestly(head);
  }
  std::string file(kFlyHeadBytes, '\0');
  std::string_view rest = input.substr(std::min(input.size(), sizeof head));
  fill(file, head.names, rest);
  for (const FlySection& part : head.parts) {
    fill(file, part, rest);
  }
  fill(file, head.x, rest);
  set_hashes(file, head);
  return to_bytes(head) + file.substr(kFlyHeadBytes);
}

void read(const LoadSpec& spec) {
  (void)fuzz::refusal([&] {
    fuzz::require_sound(read_fly(spec, std::make_shared<const FileMap>(spec.path)).table);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile kFile;
  kFile = unfolded(fuzz::text_of(data, size));
  read({.path = kFile.path(), .threads = 1});
  read({.path = kFile.path(), .response = "a", .drop = {"c"}, .trials = "m", .threads = 1});
  return 0;
}
