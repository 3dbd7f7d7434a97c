#include "data/format/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/text.hpp"
#include "data/format/npy_writer.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

static_assert(std::endian::native == std::endian::little, "array files are read in place");

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail_npy(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::kData, where + ": " + what);
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

// Takes the header, a Python dictionary literal, off the front of the bytes.
std::string_view take_header(std::string_view& bytes, const std::string& where) {
  if (!is_npy(bytes)) {
    fail_npy(where, "not a NumPy array file (it must start with \\x93NUMPY).");
  }
  const std::size_t size_at = kMagic.size() + 2;
  if (bytes.size() < size_at) {
    fail_npy(where, "the array file is cut short in its header.");
  }
  const int version = bytes[kMagic.size()];
  if (version < 1 || version > 3) {
    fail_npy(where, fmt::format("NumPy format version {}; expected 1, 2 or 3.", version));
  }
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  const std::string_view size_field = bytes.substr(size_at, size_bytes);
  const std::size_t header_at = size_at + size_bytes;
  if (size_field.size() < size_bytes ||
      bytes.size() - header_at < static_cast<std::size_t>(little_endian(size_field))) {
    fail_npy(where, "the array file is cut short in its header.");
  }
  const std::string_view header = bytes.substr(header_at, little_endian(size_field));
  bytes.remove_prefix(header_at + header.size());
  return header;
}

// What follows 'key': in the dictionary, without blanks before it.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& where) {
  const std::string quoted_key = fmt::format("'{}':", key);
  const std::size_t at = header.find(quoted_key);
  if (at == std::string_view::npos) {
    fail_npy(where, fmt::format("the array header has no '{}'.", key));
  }
  header.remove_prefix(at + quoted_key.size());
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

void set_type(NpyArray& array, std::string_view value) {
  const std::size_t close = value.find('\'', 1);
  if (!value.starts_with('\'') || close == std::string_view::npos) {
    fail_npy(array.where,
             "a structured array; expected plain numbers (f4, f8, i1 to i8, u1 to u8, b1).");
  }
  const std::string_view descr = value.substr(1, close - 1);
  if (descr.starts_with('>')) {
    fail_npy(array.where, fmt::format("dtype {} is big-endian; save it as '<{}'.", in_quotes(descr),
                                      shortened(descr.substr(1))));
  }
  constexpr std::string_view kTypes = " <f4 <f8 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 |b1 ";
  if (descr.size() != 3 || kTypes.find(fmt::format(" {} ", descr)) == std::string_view::npos) {
    fail_npy(array.where,
             fmt::format("dtype {}; expected one of f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, "
                         "b1.",
                         in_quotes(descr)));
  }
  array.kind = descr[1];
  array.item_bytes = static_cast<std::size_t>(descr[2] - '0');
}

void set_shape(NpyArray& array, std::string_view value) {
  const std::size_t close = value.find(')');
  if (!value.starts_with('(') || close == std::string_view::npos) {
    fail_npy(array.where, "the array header has no readable shape.");
  }
  const char* at = value.data() + 1;
  const char* const end = value.data() + close;
  while (at != end) {
    std::size_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    if (error != std::errc{}) {
      fail_npy(array.where, "the array header has no readable shape.");
    }
    array.shape.push_back(extent);
    at = stop;
    while (at != end && (*at == ',' || *at == ' ' || *at == 'L')) {
      ++at;
    }
  }
}

void check_size(const NpyArray& array) {
  const std::string shape = shape_text(array.shape);
  if (array.shape.empty() || array.shape.size() > 2) {
    fail_npy(array.where, fmt::format("shape {}; expected one or two dimensions.", shape));
  }
  if (array.rows() == 0) {
    fail_npy(array.where, fmt::format("shape {}: there are no rows.", shape));
  }
  if (array.columns() == 0) {  // nothing would vouch for the number of rows
    fail_npy(array.where, fmt::format("shape {}: there are no columns.", shape));
  }
  const std::size_t most = array.data.size() / array.item_bytes;
  if (array.rows() > most / array.columns()) {
    fail_npy(array.where,
             fmt::format("the array file is cut short: shape {} of {} bytes an item, {} bytes "
                         "of data.",
                         shape, array.item_bytes, with_commas(array.data.size())));
  }
}

template <class Item>
void copy_as(const NpyArray& array, std::size_t first, std::size_t rows,
             std::span<const std::size_t> columns, double* out) {
  const std::size_t row_step = array.fortran_order ? 1 : array.columns();
  const std::size_t column_step = array.fortran_order ? array.rows() : 1;
  for (std::size_t row = first; row < first + rows; ++row) {
    for (const std::size_t column : columns) {
      Item item;  // memcpy: nothing promises that the data are aligned
      std::memcpy(&item, array.data.data() + (row * row_step + column * column_step) * sizeof(Item),
                  sizeof(Item));
      *out++ = static_cast<double>(item);
    }
  }
}

}  // namespace

bool is_npy(std::string_view bytes) noexcept { return bytes.starts_with(kMagic); }

NpyArray parse_npy(std::string_view bytes, const std::string& where) {
  const std::string_view header = take_header(bytes, where);
  NpyArray array;
  array.where = where;
  array.data = bytes;
  set_type(array, value_of(header, "descr", where));
  set_shape(array, value_of(header, "shape", where));
  array.fortran_order = value_of(header, "fortran_order", where).starts_with("True");
  check_size(array);
  return array;
}

void copy_rows(const NpyArray& array, std::size_t first, std::size_t rows,
               std::span<const std::size_t> columns, double* out) {
  const auto copy = [&]<class Item>(std::type_identity<Item>) {
    copy_as<Item>(array, first, rows, columns, out);
  };
  const bool is_signed = array.kind == 'i';
  if (array.kind == 'f') {
    return array.item_bytes == 4 ? copy(std::type_identity<float>{})
                                 : copy(std::type_identity<double>{});
  }
  switch (array.item_bytes) {
    case 1:
      return is_signed ? copy(std::type_identity<std::int8_t>{})
                       : copy(std::type_identity<std::uint8_t>{});
    case 2:
      return is_signed ? copy(std::type_identity<std::int16_t>{})
                       : copy(std::type_identity<std::uint16_t>{});
    case 4:
      return is_signed ? copy(std::type_identity<std::int32_t>{})
                       : copy(std::type_identity<std::uint32_t>{});
    default:
      return is_signed ? copy(std::type_identity<std::int64_t>{})
                       : copy(std::type_identity<std::uint64_t>{});
  }
}

RowSource rows_in_place(const NpyArray& array, RowSource::Owner file) {
  const auto rows = static_cast<std::ptrdiff_t>(array.rows());
  const auto width = static_cast<std::ptrdiff_t>(array.columns());
  const RowSource::Shape shape{array.rows(), array.columns(), array.fortran_order ? 1 : width,
                               array.fortran_order ? rows : 1};
  const char* const first = array.data.data();
  if (array.kind != 'f' || reinterpret_cast<std::uintptr_t>(first) % array.item_bytes != 0) {
    return {};
  }
  RowSource source =
      array.item_bytes == sizeof(double)
          ? RowSource(reinterpret_cast<const double*>(first), shape, std::move(file))
          : RowSource(reinterpret_cast<const float*>(first), shape, std::move(file));
  source.set_mapped(std::make_shared<MappedRange>(first, array.data.size()));
  return source;
}

void write_npy(const std::string& path, std::span<const double> data,
               const std::vector<std::size_t>& shape) {
  NpyWriter writer(path, shape);
  writer.append(data);
  writer.finish();
}

}  // namespace flymc
