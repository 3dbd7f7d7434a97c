#include "data/load/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/hash64.hpp"
#include "core/parallel.hpp"
#include "data/format/fly_format.hpp"
#include "data/input/content.hpp"
#include "data/input/input_files.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

using Hashes = std::vector<std::uint64_t>;

constexpr std::size_t kChunkBytes = std::size_t{1} << 22;

std::vector<std::string_view> chunks_of(const std::vector<std::string_view>& parts) {
  std::vector<std::string_view> chunks;
  for (const std::string_view bytes : parts) {
    for (std::size_t first = 0; first < bytes.size(); first += kChunkBytes) {
      chunks.push_back(bytes.substr(first, kChunkBytes));
    }
  }
  return chunks;
}

Hashes hashes_of(const std::vector<std::string_view>& chunks, RowRange some, unsigned threads) {
  Hashes hashes(some.size());
  parallel_for(some.size(), threads,
               [&](std::size_t i) { hashes[i] = hash64(chunks[some.first + i]); });
  return hashes;
}

std::string in_words(std::uint64_t hash) { return fmt::format("xxh64:{:016x}", hash); }

std::string in_words(const Hashes& hashes) {
  return in_words(hash64({reinterpret_cast<const char*>(hashes.data()),
                          hashes.size() * sizeof(Hashes::value_type)}));
}

bool is_one_fly(const std::vector<std::string_view>& parts) {
  return parts.size() == 1 && is_fly(parts[0]);
}

std::string fingerprint_of_fly(std::string_view bytes) {
  return in_words(hash64(bytes.substr(0, kFlyHeadBytes)));
}

}  // namespace

std::string fingerprint_of(const std::vector<std::string_view>& parts, unsigned threads) {
  if (is_one_fly(parts)) {
    return fingerprint_of_fly(parts[0]);
  }
  const auto chunks = chunks_of(parts);
  return in_words(hashes_of(chunks, {0, chunks.size()}, threads));
}

std::string fingerprint_of_file(const std::string& path, Ranks& ranks) {
  std::string of_fly;
  Hashes mine;
  fail_together(ranks, [&] {
    std::vector<FileMap> files;
    std::vector<std::string_view> parts;
    for (const std::string& file : input_files(path).paths) {
      parts.push_back(files.emplace_back(file).bytes());
    }
    if (is_one_fly(parts)) {
      of_fly = fingerprint_of_fly(parts[0]);
      return;
    }
    const auto chunks = chunks_of(parts);
    const auto share = [&](int rank) {
      return chunks.size() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks.size());
    };
    mine = hashes_of(chunks, {share(ranks.rank()), share(ranks.rank() + 1)},
                     ranks.size() > 1 ? 1 : 0);
  });
  if (!of_fly.empty()) {
    return of_fly;
  }
  Hashes all;
  for (const Hashes& some : gather_values(ranks, mine)) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return in_words(all);
}

}  // namespace flymc
