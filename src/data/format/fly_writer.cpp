#include "data/format/fly_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash64.hpp"
#include "core/message.hpp"
#include "core/staged_file.hpp"
#include "core/text.hpp"
#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/error.hpp"

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

  // Zeros up to where the next section starts; nothing inside it.
  void pad_to(std::uint64_t offset) {
    const std::uint64_t at =
        kFlyHeadBytes + hashes_.size() * kFlyBlockBytes + static_cast<std::uint64_t>(block_.size());
    append(std::string(offset > at ? offset - at : 0, '\0'));
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

FlyHead head_of(const FlyShape& shape, const FlyOptions& options, const std::string& names) {
  FlyHead head;
  head.rows = shape.rows;
  head.columns = shape.columns.size();
  head.labels = shape.labels.size();
  head.left_out = shape.left_out;
  head.number_bytes = options.float32 ? sizeof(float) : sizeof(double);
  head.names.bytes = names.size();
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    head.parts[part].bytes = shape.has[part] ? shape.rows * sizeof(double) : 0;
  }
  if (shape.columns.empty() && !shape.has[kFlyResponse]) {
    throw Error(ErrorKind::kData, "there is nothing to write: no features and no response.");
  }
  if (!lay_out(head)) {
    throw Error(ErrorKind::kMemory, "the table is too large for any file.");
  }
  return head;
}

std::string names_of(const FlyShape& shape, const FlyOptions& options) {
  return to_bytes(FlyNames{{shape.response, options.weights, options.offset, options.trials},
                           shape.columns,
                           shape.labels});
}

using Parts = std::array<const std::vector<double>*, kFlyParts>;

Parts parts_of(const Table& table) noexcept {
  return {&table.response.values, &table.weights, &table.offset, &table.trials};
}

FlyShape shape_of(const Table& table) {
  FlyShape shape{table.rows, table.columns, table.response.name, table.response.labels,
                 table.left_out};
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    shape.has[part] = !parts_of(table)[part]->empty();
  }
  return shape;
}

}  // namespace

class FlyWriter::File {
 public:
  File(const FlyShape& shape, const FlyOptions& options, const std::string& names)
      : options_(options), head_(head_of(shape, options, names)), out_(options.path) {
    out_.append(names);
  }

  void write(FlyPart part, std::span<const double> values) {
    out_.pad_to(head_.parts[part].offset);
    out_.append(bytes_of(values));
  }

  // False: stopped.
  bool write_rows(const Table& table) {
    out_.pad_to(head_.x.offset);
    const SequentialRead in_order(table.source);
    const std::size_t width = std::max<std::size_t>(1, table.columns.size());
    const std::size_t step = std::max<std::size_t>(1, kFlyBlockBytes / sizeof(double) / width);
    for (std::size_t first = 0; first < table.rows; first += step) {
      if (options_.stop != nullptr && options_.stop->load()) {
        return false;
      }
      write_block(table, {first, std::min(first + step, table.rows)});
    }
    return true;
  }

  FlyWritten finish() {
    out_.finish(head_);
    return {true, head_.file_bytes, rounded_};
  }

 private:
  void write_block(const Table& table, RowRange rows) {
    scratch_.resize(rows.size() * table.columns.size());
    const std::span x(table.block(rows, scratch_.data()), scratch_.size());
    if (options_.float32) {
      write_rounded(x, table.columns);
    } else {
      out_.append(bytes_of(x));
    }
  }

  void write_rounded(std::span<const double> x, const std::vector<std::string>& columns) {
    floats_.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      floats_[i] = static_cast<float>(x[i]);
      rounded_ += static_cast<double>(floats_[i]) == x[i] ? 0 : 1;
      if (!std::isfinite(floats_[i])) {
        throw Error(ErrorKind::kData,
                    message("column {} holds {}, too large for {}",
                            in_quotes(columns[i % columns.size()]), x[i], Setting{"float32"}),
                    "leave it away.");
      }
    }
    out_.append(bytes_of(std::span<const float>(floats_)));
  }

  FlyOptions options_;
  FlyHead head_;
  BlockWriter out_;
  Buffer<double> scratch_;
  Buffer<float> floats_;
  std::uint64_t rounded_ = 0;
};

FlyWriter::FlyWriter(const FlyShape& shape, const FlyOptions& options)
    : file_(std::make_unique<File>(shape, options, names_of(shape, options))) {}
FlyWriter::~FlyWriter() = default;

void FlyWriter::write(FlyPart part, std::span<const double> values) { file_->write(part, values); }
bool FlyWriter::write_rows(const Table& rows) { return file_->write_rows(rows); }
FlyWritten FlyWriter::finish() { return file_->finish(); }

FlyWritten write_fly(const Table& table, const FlyOptions& options) {
  FlyWriter writer(shape_of(table), options);
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    writer.write(static_cast<FlyPart>(part), *parts_of(table)[part]);
  }
  return writer.write_rows(table) ? writer.finish() : FlyWritten{.complete = false};
}

}  // namespace flymc
