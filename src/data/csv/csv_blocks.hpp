// Separated text (csv, tsv) block by block: what read_csv() reads at once, in bounded memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv/csv_parser.hpp"
#include "data/csv/text_blocks.hpp"

namespace flymc {

// Reads the files one after the other. The levels of categorical columns must be fixed by the
// specification; the labels of a text response are those of a block. Not thread safe.
class CsvBlocks {
 public:
  struct Files {
    ByteSource first;                // of the paths; nothing was read from it
    std::vector<std::string> paths;  // in order
    char separator = ',';
  };

  // Checks the headers of all files. REQUIRES: the specification outlives the object.
  // THROWS Error as read_csv() for a header.
  CsvBlocks(const LoadSpec& spec, Files files, const BlockLimits& limits);

  // Some rows, one at least; none after the last. THROWS Error as read_csv() for the first mistake
  // in the files (of a missing value with the number of all such rows, for which it reads on), and
  // at the end where no row was kept.
  [[nodiscard]] std::optional<TableRead> next();
  // The same rows before categories become indicators. Needs no fixed levels: those of a block are
  // what occurs in it.
  [[nodiscard]] std::optional<csv::CodedRows> next_coded();

  [[nodiscard]] const csv::Layout& layout() const noexcept { return parser_.layout(); }
  // The specification says so, or it was seen, even on the way to a mistake that was thrown.
  [[nodiscard]] bool has_text_response() const noexcept;
  // Of the rows read so far, without the columns in which values were missing.
  [[nodiscard]] const RowCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const RowGaps& gaps() const noexcept { return gaps_; }
  // For each column without a name.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Opened {
    TextBlocks text;
    Header header;
    TextPart body;  // rows that came with the header
  };

  [[nodiscard]] Opened open(ByteSource source) const;
  [[nodiscard]] std::optional<TextPart> next_text();
  // The issue, with the counts of all rows. What `part` holds is gone then.
  [[noreturn]] void fail(const csv::Issue& issue, const TextPart& part);
  [[nodiscard]] bool needs_all_rows(const csv::Issue& issue) const;
  [[nodiscard]] csv::Parsed parse(const TextPart& part);

  const LoadSpec& spec_;
  BlockLimits limits_;
  std::vector<std::string> paths_;
  char separator_;
  std::size_t at_ = 0;  // path
  Opened opened_;
  csv::Parser parser_;
  RowCounts counts_{};
  RowGaps gaps_{};
  std::size_t kept_ = 0;
};

}  // namespace flymc
