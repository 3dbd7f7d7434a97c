#include "data/format/npy_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

constexpr std::string_view kMagicAndVersion{"\x93NUMPY\x01\x00", 8};

}  // namespace

// Magic, version, length of the dictionary, dictionary; padded so that the data start aligned.
std::string npy_head(const std::string& descr, const std::vector<std::size_t>& shape) {
  constexpr std::size_t kDataAlignment = 64;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                       descr, shape_text(shape));
  const std::size_t prefix = kMagicAndVersion.size() + 2;
  dictionary.resize(
      (prefix + dictionary.size() + kDataAlignment) / kDataAlignment * kDataAlignment - prefix,
      ' ');
  dictionary.back() = '\n';
  std::string head(kMagicAndVersion);
  head += static_cast<char>(dictionary.size() & 0xFFU);
  head += static_cast<char>(dictionary.size() >> 8U);
  return head + dictionary;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

NpyWriter::NpyWriter(std::string path, const std::vector<std::size_t>& shape)
    : path_(std::move(path)) {
  errno = 0;
  file_.open(path_, std::ios::binary);
  if (!file_) {
    const std::error_code error(errno, std::generic_category());
    const bool denied = error == std::errc::permission_denied;
    throw Error(denied ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
                fmt::format("cannot create {}: {}.", in_quotes(path_), error.message()));
  }
  file_ << npy_head("<f8", shape);
  require_written();
}

void NpyWriter::append(std::span<const double> values) {
  file_.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
  require_written();
}

void NpyWriter::finish() {
  file_.close();
  require_written();
}

void NpyWriter::require_written() const {
  if (!file_) {
    throw Error(ErrorKind::kIo,
                fmt::format("writing {} failed; is the disk full?", in_quotes(path_)));
  }
}

}  // namespace flymc
