// Which bytes of the files of a table a rank reads: equal shares of all bytes, in the order of the
// files, so that rows keep their order over the ranks.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// Half-open, of one file.
struct ByteRange {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] bool empty() const noexcept { return first >= last; }
};

class ByteShare {
 public:
  // Looks at all sizes. THROWS Error as FileMap does.
  ByteShare(const Ranks& ranks, const std::vector<std::string>& paths);

  // Of the file with this number. The first byte is the first rank's; a file without bytes is
  // everybody's, so that somebody notices.
  [[nodiscard]] ByteRange of(std::size_t file) const noexcept;

 private:
  std::vector<std::size_t> starts_;  // of every file among all bytes, and where the last ends
  ByteRange mine_;                   // of all bytes
};

// Collective: sizes of all files and the first bytes of the first, in which a .fly has the
// checksums of the rest. THROWS Error kData where a rank sees others than the first rank; `shown`
// names them.
void require_same_files(Ranks& ranks, const std::vector<std::string>& paths,
                        const std::string& shown);

}  // namespace flymc
