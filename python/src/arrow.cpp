#include "arrow.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace flymc::python {

// --- the C data interface ---

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace {

constexpr std::int64_t kOrderedDictionary = 1;

// What is released when it goes out of use.
template <class Struct>
class Released {
 public:
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  Released(Released&& other) noexcept : held_(std::exchange(other.held_, Struct{})) {}
  Released& operator=(Released&&) = delete;
  ~Released() {
    if (held_.release != nullptr) {
      held_.release(&held_);
    }
  }
  [[nodiscard]] Struct& get() noexcept { return held_; }
  [[nodiscard]] const Struct& get() const noexcept { return held_; }

 private:
  Struct held_{};
};

void require(int code, ArrowArrayStream& stream) {
  if (code != 0) {
    const char* const why = stream.get_last_error(&stream);
    throw py::value_error(std::string("data: its Arrow stream ended with an error: ") +
                          (why != nullptr ? why : std::to_string(code)));
  }
}

bool bit_at(const void* bits, std::int64_t i) noexcept {
  return ((static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8)) & 1U) != 0;
}

// Rows of one column in one chunk, counted from its first.
struct Piece {
  const ArrowArray& array;
  std::int64_t first = 0;  // into the buffers
  std::int64_t rows = 0;

  [[nodiscard]] bool may_miss_some() const noexcept {
    return array.n_buffers > 0 && array.null_count != 0 && array.buffers[0] != nullptr;
  }
  [[nodiscard]] bool is_missing(std::int64_t i) const noexcept {
    return may_miss_some() && !bit_at(array.buffers[0], first + i);
  }
  [[nodiscard]] bool has_missing() const noexcept {
    if (!may_miss_some()) {
      return false;
    }
    bool found = false;
    for (std::int64_t i = 0; i < rows && !found; ++i) {
      found = is_missing(i);
    }
    return found;
  }
  template <class T>
  [[nodiscard]] T at(std::int64_t i) const noexcept {
    return static_cast<const T*>(array.buffers[1])[first + i];
  }
};

template <class Offset>
std::string_view text_between(const Piece& piece, std::int64_t i) noexcept {
  const auto begin = piece.at<Offset>(i), end = piece.at<Offset>(i + 1);
  return {static_cast<const char*>(piece.array.buffers[2]) + begin,
          static_cast<std::size_t>(end - begin)};
}

// Sixteen bytes: a length, then up to twelve of text, or where a longer one is.
std::string_view text_in_view(const Piece& piece, std::int64_t i) noexcept {
  const char* const view =
      static_cast<const char*>(piece.array.buffers[1]) + 16 * (piece.first + i);
  std::int32_t parts[4];
  std::memcpy(parts, view, sizeof parts);
  const auto size = static_cast<std::size_t>(parts[0]);
  return size <= 12
             ? std::string_view(view + 4, size)
             : std::string_view(
                   static_cast<const char*>(piece.array.buffers[2 + parts[2]]) + parts[3], size);
}

using TextAt = std::string_view (*)(const Piece&, std::int64_t);
TextAt text_reader(std::string_view format) {
  return format == "u"    ? text_between<std::int32_t>
         : format == "U"  ? text_between<std::int64_t>
         : format == "vu" ? text_in_view
                          : nullptr;
}

using NumberAt = double (*)(const Piece&, std::int64_t);
template <class T>
double number_at(const Piece& piece, std::int64_t i) {
  return static_cast<double>(piece.at<T>(i));
}
double bit_of(const Piece& piece, std::int64_t i) {
  return bit_at(piece.array.buffers[1], piece.first + i) ? 1.0 : 0.0;
}
double no_number(const Piece& /*piece*/, std::int64_t /*i*/) {
  return std::numeric_limits<double>::quiet_NaN();
}
NumberAt number_reader(std::string_view format) {
  static const std::map<std::string_view, NumberAt> known = {{"g", number_at<double>},
                                                             {"f", number_at<float>},
                                                             {"c", number_at<std::int8_t>},
                                                             {"C", number_at<std::uint8_t>},
                                                             {"s", number_at<std::int16_t>},
                                                             {"S", number_at<std::uint16_t>},
                                                             {"i", number_at<std::int32_t>},
                                                             {"I", number_at<std::uint32_t>},
                                                             {"l", number_at<std::int64_t>},
                                                             {"L", number_at<std::uint64_t>},
                                                             {"b", bit_of},
                                                             {"n", no_number}};
  const auto found = known.find(format);
  return found == known.end() ? nullptr : found->second;
}

// "us" of a time stamp in microseconds; empty: no date.
std::string date_unit(std::string_view format) {
  static const std::map<std::string_view, std::string> known = {
      {"tdD", "D"}, {"tdm", "ms"}, {"tss", "s"}, {"tsm", "ms"}, {"tsu", "us"}, {"tsn", "ns"}};
  const auto found = known.find(format.substr(0, 3));  // a zone may follow: instants are UTC
  return found == known.end() ? std::string{} : found->second;
}

}  // namespace

class ArrowChunks {
 public:
  explicit ArrowChunks(ArrowArrayStream& stream) {
    require(stream.get_schema(&stream, &schema_.get()), stream);
    if (std::string_view(schema_.get().format) != "+s") {
      throw py::type_error("data: its Arrow stream holds an array, not a table of columns.");
    }
    while (true) {
      Released<ArrowArray> chunk;
      require(stream.get_next(&stream, &chunk.get()), stream);
      if (chunk.get().release == nullptr) {
        break;
      }
      if (chunk.get().length > 0) {
        rows_ += chunk.get().length;
        chunks_.push_back(std::move(chunk));
      }
    }
  }

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t columns() const noexcept { return schema_.get().n_children; }
  [[nodiscard]] const ArrowSchema& schema(std::int64_t column) const noexcept {
    return *schema_.get().children[column];
  }
  [[nodiscard]] std::vector<Piece> pieces(std::int64_t column) const {
    std::vector<Piece> all;
    for (const Released<ArrowArray>& chunk : chunks_) {
      const ArrowArray& table = chunk.get();
      const ArrowArray& array = *table.children[column];
      all.push_back({array, array.offset + table.offset, table.length});
    }
    return all;
  }

 private:
  Released<ArrowSchema> schema_;
  std::vector<Released<ArrowArray>> chunks_;
  std::int64_t rows_ = 0;
};

namespace {

py::object numbers_of(const std::vector<Piece>& pieces, std::int64_t rows, NumberAt read) {
  py::array_t<double> array(rows);
  double* out = array.mutable_data();
  for (const Piece& piece : pieces) {
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      *out++ = piece.is_missing(i) ? std::numeric_limits<double>::quiet_NaN() : read(piece, i);
    }
  }
  return array;
}

py::object dates_of(const std::vector<Piece>& pieces, std::int64_t rows, const std::string& unit) {
  constexpr std::int64_t kNotATime = std::numeric_limits<std::int64_t>::min();
  py::array_t<std::int64_t> array(rows);
  std::int64_t* out = array.mutable_data();
  for (const Piece& piece : pieces) {
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      const std::int64_t value =
          unit == "D" ? piece.at<std::int32_t>(i) : piece.at<std::int64_t>(i);
      *out++ = piece.is_missing(i) ? kNotATime : value;
    }
  }
  return array.attr("view")("datetime64[" + unit + "]");
}

// Labels in the order of their text, or in that of an ordered dictionary.
class Labels {
 public:
  // -1: missing.
  [[nodiscard]] std::int32_t code(std::string_view text) {
    const auto [found, is_new] =
        codes_.try_emplace(std::string(text), static_cast<std::int32_t>(codes_.size()));
    return found->second;
  }
  void write(bool sorted, std::vector<std::int32_t>& codes, std::vector<std::string>& labels) {
    std::vector<std::int32_t> place(codes_.size());
    std::int32_t next = 0;
    labels.resize(codes_.size());
    for (const auto& [text, code] : codes_) {  // sorted by bytes, which is by code point
      const std::int32_t to = sorted ? next++ : code;
      place[static_cast<std::size_t>(code)] = to;
      labels[static_cast<std::size_t>(to)] = text;
    }
    for (std::int32_t& code : codes) {
      code = code < 0 ? -1 : place[static_cast<std::size_t>(code)];
    }
  }

 private:
  std::map<std::string, std::int32_t, std::less<>> codes_;
};

py::object labelled(Labels& labels, bool sorted, std::vector<std::int32_t> codes) {
  std::vector<std::string> names;
  labels.write(sorted, codes, names);
  return py::make_tuple(
      py::array_t<std::int32_t>(static_cast<py::ssize_t>(codes.size()), codes.data()), names);
}

py::object text_of(const std::vector<Piece>& pieces, TextAt read) {
  Labels labels;
  std::vector<std::int32_t> codes;
  for (const Piece& piece : pieces) {
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      codes.push_back(piece.is_missing(i) ? -1 : labels.code(read(piece, i)));
    }
  }
  return labelled(labels, true, std::move(codes));
}

// A dictionary may differ from chunk to chunk.
py::object dictionary_of(const std::vector<Piece>& pieces, bool ordered, NumberAt index,
                         TextAt read) {
  Labels labels;
  std::vector<std::int32_t> codes;
  for (const Piece& piece : pieces) {
    const ArrowArray& values = *piece.array.dictionary;
    const Piece known{values, values.offset, values.length};
    std::vector<std::int32_t> of_value(static_cast<std::size_t>(values.length), -2);
    const auto code_of = [&](std::int64_t value) {
      std::int32_t& code = of_value[static_cast<std::size_t>(value)];
      if (code == -2) {
        code = known.is_missing(value) ? -1 : labels.code(read(known, value));
      }
      return code;
    };
    for (std::int64_t value = 0; ordered && value < values.length; ++value) {
      (void)code_of(value);
    }
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      codes.push_back(piece.is_missing(i) ? -1
                                          : code_of(static_cast<std::int64_t>(index(piece, i))));
    }
  }
  return labelled(labels, !ordered, std::move(codes));
}

}  // namespace

ArrowTable::ArrowTable(const py::capsule& stream) {
  if (stream.name() == nullptr || std::string_view(stream.name()) != "arrow_array_stream") {
    throw py::type_error("data: its capsule holds no Arrow stream.");
  }
  auto* const given = stream.get_pointer<ArrowArrayStream>();
  Released<ArrowArrayStream> taken;
  taken.get() = std::exchange(*given, ArrowArrayStream{});
  if (taken.get().release == nullptr) {
    throw py::value_error("data: its Arrow stream was read already.");
  }
  chunks_ = std::make_shared<const ArrowChunks>(taken.get());
}

std::vector<std::string> ArrowTable::names() const {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < chunks_->columns(); ++i) {
    const char* const name = chunks_->schema(i).name;
    all.emplace_back(name != nullptr ? name : "");
  }
  return all;
}

py::object ArrowTable::column(const std::string& name) const {
  const std::vector<std::string> all = names();
  const auto found = std::ranges::find(all, name);
  if (found == all.end()) {
    throw py::key_error(name);
  }
  const auto at = static_cast<std::int64_t>(found - all.begin());
  const ArrowSchema& schema = chunks_->schema(at);
  const std::string_view format = schema.format;
  const std::vector<Piece> pieces = chunks_->pieces(at);
  const NumberAt number = number_reader(format);
  if (schema.dictionary != nullptr) {
    if (const TextAt read = text_reader(schema.dictionary->format); read != nullptr) {
      return dictionary_of(pieces, (schema.flags & kOrderedDictionary) != 0, number, read);
    }
  } else if (format == "g" && pieces.size() == 1 && !pieces.front().has_missing()) {
    const Piece& piece = pieces.front();
    const py::capsule owner(new std::shared_ptr(chunks_), [](void* held) {
      delete static_cast<std::shared_ptr<const ArrowChunks>*>(held);
    });
    return py::array_t<double>(
        piece.rows, static_cast<const double*>(piece.array.buffers[1]) + piece.first, owner);
  } else if (number != nullptr) {
    return numbers_of(pieces, chunks_->rows(), number);
  } else if (const TextAt read = text_reader(format); read != nullptr) {
    return text_of(pieces, read);
  } else if (const std::string unit = date_unit(format); !unit.empty()) {
    return dates_of(pieces, chunks_->rows(), unit);
  }
  throw py::type_error("column '" + name + "' has the Arrow type '" + std::string(format) +
                       "', which is no number, text or date; cast it.");
}

}  // namespace flymc::python
