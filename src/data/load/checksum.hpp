// A fingerprint of a data file, to notice that it changed between two runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// "xxh64:0123456789abcdef" of the bytes of files that follow one another: a hash over the hashes of
// their chunks, so that threads and ranks share the work and cannot be told from the result. Of a
// .fly the hash of its head, which covers everything and needs no pass.
[[nodiscard]] std::string fingerprint_of(const std::vector<std::string_view>& parts,
                                         unsigned threads = 0);

// The same of the bytes as they lie on disk, without a copy, of all files that a pattern or a
// directory names, one after the other (input_files.hpp). Standard input cannot be read again:
// Loaded has its checksum. Several ranks hash their shares of the chunks. THROWS Error: kNoInput,
// kPermission, kIo.
[[nodiscard]] std::string fingerprint_of_file(const std::string& path,
                                              Ranks& ranks = single_process());

}  // namespace flymc
