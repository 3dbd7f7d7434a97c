// Files for tests of the loaders: a directory of their own, gzip, zstd, npy and npz bytes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "flymc/error.hpp"
#include "flymc/load.hpp"

namespace flymc::testing {

// Removed with everything in it at the end of the scope.
class TempDir {
 public:
  TempDir() {
    static std::atomic<int> next{0};
    path_ = std::filesystem::temp_directory_path() /
            ("flymc-test-" + std::to_string(::getpid()) + "-" + std::to_string(next++));
    std::filesystem::remove_all(path_);  // of a process that was killed and had this number
    std::filesystem::create_directories(path_);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(*this / name);  // some file systems flush a file that is written again
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

// What load() says of a file that it refuses; the path of the directory is taken off the message.
struct Refusal {
  ErrorKind kind{};
  std::string message;
};

inline Refusal refusal(const TempDir& dir, const LoadSpec& spec) {
  try {
    (void)load(spec);
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string prefix = dir / "";
    for (std::size_t at = 0; (at = message.find(prefix)) != std::string::npos;) {
      message.erase(at, prefix.size());
    }
    return {error.kind(), message};
  }
  return {ErrorKind::kInternal, "loaded without an error"};
}

inline std::vector<double> features(const Loaded& loaded) {
  return {loaded.table.x.begin(), loaded.table.x.end()};
}

inline std::string deflated(std::string_view bytes, int window) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(std::string_view bytes) { return deflated(bytes, 15 + 16); }

inline std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

// Standard input is this file while the object lives.
class PipedInput {
 public:
  explicit PipedInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  PipedInput(const PipedInput&) = delete;
  PipedInput& operator=(const PipedInput&) = delete;
  ~PipedInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  const auto* const begin = reinterpret_cast<const char*>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}

inline std::string little(std::uint64_t value, std::size_t size) {
  std::string out(size, '\0');
  std::memcpy(out.data(), &value, std::min(size, sizeof value));
  return out;
}

// An array file; `shape` as Python writes it, "(2, 3)".
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false, char version = 1) {
  const std::string header = "{'descr': '" + descr +
                             "', 'fortran_order': " + (fortran ? "True" : "False") +
                             ", 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY") + version + '\0' + little(header.size(), version == 1 ? 2 : 4) +
         header + data;
}

inline std::string npy_f8(const std::string& shape, const std::vector<double>& values) {
  return npy("<f8", shape, bytes_of(values));
}

// A zip archive of arrays; zip64: sizes and offsets stand in the extra field, as in large files.
inline std::string npz(const std::map<std::string, std::string>& arrays, bool compress,
                       bool zip64 = false) {
  std::string out;
  std::string directory;
  for (const auto& [name, content] : arrays) {
    const std::string file = name + ".npy";
    const std::string packed = compress ? deflated(content, -15) : content;
    const auto* const data = reinterpret_cast<const Bytef*>(content.data());
    const std::string method = little(compress ? 8 : 0, 2);
    const std::string crc = little(::crc32_z(0, data, content.size()), 4);
    const std::string sizes =
        zip64 ? std::string(8, '\xFF') : little(packed.size(), 4) + little(content.size(), 4);
    const std::string extra = zip64 ? little(1, 2) + little(24, 2) + little(content.size(), 8) +
                                          little(packed.size(), 8) + little(out.size(), 8)
                                    : "";
    const std::string common =
        little(20, 2) + little(0, 2) + method + little(0, 4) + crc + sizes + little(file.size(), 2);
    directory += "PK\x01\x02" + little(20, 2) + common + little(extra.size(), 2) + little(0, 10) +
                 (zip64 ? std::string(4, '\xFF') : little(out.size(), 4)) + file + extra;
    out += "PK\x03\x04" + common + little(0, 2) + file + packed;
  }
  const std::size_t directory_at = out.size();
  out += directory;
  const std::string count = little(arrays.size(), 2);
  if (zip64) {
    const std::size_t end64_at = out.size();
    out += "PK\x06\x06" + little(44, 8) + little(0, 12) + little(arrays.size(), 8) +
           little(arrays.size(), 8) + little(directory.size(), 8) + little(directory_at, 8);
    out += "PK\x06\x07" + little(0, 4) + little(end64_at, 8) + little(1, 4);
  }
  return out + "PK\x05\x06" + little(0, 4) + count + count + little(directory.size(), 4) +
         (zip64 ? std::string(4, '\xFF') : little(directory_at, 4)) + little(0, 2);
}

}  // namespace flymc::testing
