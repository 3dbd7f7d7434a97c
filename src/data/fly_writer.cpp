#include "flymc/data/fly_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "flymc/core/buffer.hpp"
#include "flymc/core/error.hpp"
#include "flymc/core/hash64.hpp"
#include "flymc/core/staged_file.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/sequential_read.hpp"

namespace flymc {
namespace {

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) noexcept {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

// Bytes in, blocks with their hashes out. The head comes last, over the zeros that hold its place.
class BlockWriter {
 public:
  explicit BlockWriter(const std::string& path) : file_(path) {
    file_.append(std::string(kFlyHeadBytes, '\0'));
    block_.reserve(kFlyBlockBytes);
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t taken = std::min(bytes.size(), kFlyBlockBytes - block_.size());
      block_ += bytes.substr(0, taken);
      bytes.remove_prefix(taken);
      if (block_.size() == kFlyBlockBytes) {
        flush();
      }
    }
  }

  // Zeros up to where the next section starts.
  void pad_to(std::uint64_t offset) {
    const std::uint64_t at =
        kFlyHeadBytes + hashes_.size() * kFlyBlockBytes + static_cast<std::uint64_t>(block_.size());
    append(std::string(offset - at, '\0'));
  }

  void finish(FlyHead head) {
    pad_to(head.hashes.offset);
    if (!block_.empty()) {
      flush();
    }
    const std::string_view hashes = bytes_of(std::span<const std::uint64_t>(hashes_));
    file_.append(hashes);
    head.hashes_hash = hash64(hashes);
    file_.write_at(0, to_bytes(head));
    file_.keep();
  }

 private:
  void flush() {
    hashes_.push_back(hash64(block_));
    file_.append(block_);
    block_.clear();
  }

  StagedFile file_;
  std::string block_;
  std::vector<std::uint64_t> hashes_;  // 32 bytes a megabyte
};

// Rows as they go into the file.
class RowWriter {
 public:
  RowWriter(const Table& table, BlockWriter& out) : table_(table), out_(out) {}

  void write(RowRange rows) {
    const std::size_t count = rows.size() * table_.columns.size();
    scratch_.resize(count);
    out_.append(bytes_of(std::span(table_.block(rows, scratch_.data()), count)));
  }

  void write_rounded(RowRange rows) {
    const std::size_t count = rows.size() * table_.columns.size();
    scratch_.resize(count);
    floats_.resize(count);
    const double* const x = table_.block(rows, scratch_.data());
    for (std::size_t i = 0; i < count; ++i) {
      floats_[i] = static_cast<float>(x[i]);
      rounded_ += static_cast<double>(floats_[i]) == x[i] ? 0 : 1;
      if (!std::isfinite(floats_[i])) {
        throw Error(ErrorKind::kData,
                    fmt::format("column {} holds {}, too large for --float32; leave it away.",
                                in_quotes(table_.columns[i % table_.columns.size()]), x[i]));
      }
    }
    out_.append(bytes_of(std::span<const float>(floats_)));
  }

  [[nodiscard]] std::uint64_t rounded() const noexcept { return rounded_; }

 private:
  const Table& table_;
  BlockWriter& out_;
  Buffer<double> scratch_;
  Buffer<float> floats_;
  std::uint64_t rounded_ = 0;
};

using Parts = std::array<const std::vector<double>*, kFlyParts>;

Parts parts_of(const Table& table) noexcept {
  return {&table.response.values, &table.weights, &table.offset, &table.trials};
}

FlyHead head_of(const Table& table, const FlyOptions& options, const std::string& names) {
  FlyHead head;
  head.rows = table.rows;
  head.columns = table.columns.size();
  head.labels = table.response.labels.size();
  head.left_out = table.left_out;
  head.number_bytes = options.float32 ? sizeof(float) : sizeof(double);
  head.names.bytes = names.size();
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    head.parts[part].bytes = parts_of(table)[part]->size() * sizeof(double);
  }
  if (table.columns.empty() && table.response.values.empty()) {
    throw Error(ErrorKind::kData, "there is nothing to write: no features and no response.");
  }
  if (!lay_out(head)) {
    throw Error(ErrorKind::kMemory, "the table is too large for any file.");
  }
  return head;
}

// False: stopped.
bool write_rows(const Table& table, const FlyOptions& options, RowWriter& rows) {
  const SequentialRead in_order(table.source);
  const std::size_t width = std::max<std::size_t>(1, table.columns.size());
  const std::size_t step = std::max<std::size_t>(1, kFlyBlockBytes / sizeof(double) / width);
  for (std::size_t first = 0; first < table.rows; first += step) {
    if (options.stop != nullptr && options.stop->load()) {
      return false;
    }
    const RowRange range{first, std::min(first + step, table.rows)};
    if (options.float32) {
      rows.write_rounded(range);
    } else {
      rows.write(range);
    }
  }
  return true;
}

}  // namespace

FlyWritten write_fly(const Table& table, const FlyOptions& options) {
  const std::string names =
      to_bytes(FlyNames{{table.response.name, options.weights, options.offset, options.trials},
                        table.columns,
                        table.response.labels});
  const FlyHead head = head_of(table, options, names);
  BlockWriter out(options.path);
  out.append(names);
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    out.pad_to(head.parts[part].offset);
    out.append(bytes_of(std::span<const double>(*parts_of(table)[part])));
  }
  out.pad_to(head.x.offset);
  RowWriter rows(table, out);
  if (!write_rows(table, options, rows)) {
    return {.complete = false};
  }
  out.finish(head);
  return {true, head.file_bytes, rows.rounded()};
}

}  // namespace flymc
