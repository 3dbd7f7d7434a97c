// Values to bytes and back, for files of our own: little-endian, in the order written, every length
// before what it counts. Reading checks each length against what is left, so that a damaged file
// ends in an exception and never in a huge allocation.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace flymc {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

template <class T>
concept Plain = std::is_arithmetic_v<T>;

class ByteWriter {
 public:
  template <Plain T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  // Any contiguous container of plain values.
  template <class Container>
  void put_all(const Container& values) {
    put(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::size_t>(values.size()) * sizeof(*values.data()));
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

// THROWS std::out_of_range where the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <Plain T>
  [[nodiscard]] T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class Container>
  void get_all(Container& values) {
    using T = std::remove_reference_t<decltype(*values.data())>;
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) {
      throw std::out_of_range("the bytes end too early");
    }
    values.resize(static_cast<decltype(values.size())>(count));
    if (count > 0) {
      std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
    }
  }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) {
      throw std::out_of_range("the bytes end too early");
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace flymc
