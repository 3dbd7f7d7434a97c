// What an input is: decided by option, then by name, then by content; and how a user is told.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/input/unpack.hpp"
#include "flymc/load.hpp"

namespace flymc {

struct InputKind {
  Format format = Format::kAuto;
  char separator = ',';  // of csv and tsv
  Packing packing = Packing::kNone;
  std::size_t parts = 0;  // files of a pattern or a directory; 0: a file of its own
};

// `head`: the first bytes of the file, unpacked.
[[nodiscard]] Format decide_format(const LoadSpec& spec, const std::string& path,
                                   std::string_view head);
[[nodiscard]] inline bool is_separated_text(Format format) noexcept {
  return format == Format::kCsv || format == Format::kTsv;
}
[[nodiscard]] char separator_of(Format format, std::string_view head);

struct NamedFormat {
  const std::string& path;
  Format format;
};
// THROWS Error kData where two parts of one table are not of the same format.
void require_same_format(const NamedFormat& first, const NamedFormat& other);

// "read train.csv: csv (semicolon, gzip), 3 files, 12,214 rows x 50 features, response 'y'"; `read`
// needs no rows for it, only their number.
[[nodiscard]] std::string read_note(const LoadSpec& spec, const InputKind& kind,
                                    const TableRead& read);

}  // namespace flymc
