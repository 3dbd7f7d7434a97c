// How fast tables come in, against floors measured in the same run on the same files, one thread:
//   csv: lines counted as `wc -l` does, and every number read by std::from_chars
//   fly: the mapped file summed, word by word
// Usage: flymc_load_floors [ROWS [COLUMNS]], default 200,000 x 20.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "data/format/fly_writer.hpp"
#include "data/input/content.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr int kRuns = 5;

// The best of some runs, in seconds.
template <class Work>
double seconds(Work&& work) {
  double best = 1e300;
  for (int i = 0; i < kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

// Keeps the compiler from leaving out what computed it.
volatile double sink = 0.0;

void write_csv(const std::string& path, std::size_t rows, std::size_t columns) {
  std::string text;
  for (std::size_t j = 0; j < columns; ++j) {
    text += fmt::format("x{},", j + 1);
  }
  text += "y\n";
  Stream stream(1, 0, Purpose::kInit, 0);
  std::ofstream file(path, std::ios::binary);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < columns; ++j) {
      text += fmt::format("{},", stream.normal());  // the shortest text that is this double
    }
    text += stream.uniform() < 0.5 ? "0\n" : "1\n";
    file << text;
    text.clear();
  }
}

double csv_floor(const std::string& path) {
  const FileMap file(path);
  const char* const begin = file.bytes().data();
  const char* const end = begin + file.bytes().size();
  double sum = 0.0;
  for (const char* at = begin; at != end; ++at) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    sum += 1.0;
  }
  const char* at = begin + file.bytes().find('\n') + 1;
  while (at < end) {
    double value = 0.0;
    at = std::from_chars(at, end, value).ptr + 1;  // over the comma or the line's end
    sum += value;
  }
  return sum;
}

double fly_floor(const std::string& path) {
  const FileMap file(path);
  std::uint64_t sum = 0;
  for (const std::uint64_t word :
       std::span(reinterpret_cast<const std::uint64_t*>(file.bytes().data()),
                 file.bytes().size() / sizeof(std::uint64_t))) {
    sum += word;
  }
  return static_cast<double>(sum);
}

void run(std::size_t rows, std::size_t columns, const std::filesystem::path& folder) {
  const std::string csv = folder / "t.csv";
  const std::string fly = folder / "t.fly";
  write_csv(csv, rows, columns);
  const LoadSpec csv_spec{.path = csv, .response = "y", .threads = 1};
  const Table table = load(csv_spec).table;
  (void)write_fly(table, {.path = fly});
  const auto megabytes = [](const std::string& path) {
    return static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  };
  const auto line = [](const char* name, double size, double work, double floor) {
    fmt::print("{:<34} {:8.1f} MB {:8.4f} s {:8.0f} MB/s, {:5.2f} x its floor\n", name, size, work,
               size / work, work / floor);
  };
  const double csv_s = seconds([&] { sink = csv_floor(csv); });
  line("csv, floor: wc -l + from_chars", megabytes(csv), csv_s, csv_s);
  line("csv, load", megabytes(csv), seconds([&] { sink = load(csv_spec).table.x[0]; }), csv_s);
  const LoadSpec fly_spec{.path = fly, .threads = 1};
  const double fly_s = seconds([&] { sink = fly_floor(fly); });
  line("fly, floor: map and sum", megabytes(fly), fly_s, fly_s);
  line("fly, load (checks every byte)", megabytes(fly),
       seconds([&] { sink = load(fly_spec).table.response.values[0]; }), fly_s);
  const Table mapped = load(fly_spec).table;
  line("fly, column moments, mapped", megabytes(fly),
       seconds([&] { sink = column_moments(mapped, 1).mean[0]; }), fly_s);
  line("fly, column moments, own memory", megabytes(fly),
       seconds([&] { sink = column_moments(table, 1).mean[0]; }), fly_s);
}

}  // namespace
}  // namespace flymc

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("flymc-load-{}", ::getpid());
  std::filesystem::create_directories(folder);
  int code = 0;
  try {
    flymc::run(argument(1, 200'000), argument(2, 20), folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    code = 1;
  }
  std::filesystem::remove_all(folder);
  return code;
}
