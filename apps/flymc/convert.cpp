#include "flymc/convert.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/fly_writer.hpp"
#include "flymc/output_folder.hpp"
#include "flymc/stop_signal.hpp"

namespace flymc::app {
namespace fs = std::filesystem;
namespace {

// Before a large file is read.
void require_free(const ConvertOptions& options) {
  if (!options.out.ends_with(".fly")) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: the file to write must be called something.fly",
                                               in_quotes(options.out)));
  }
  std::error_code ignored;  // where nothing can be seen, nothing can be made: said later
  if (!options.overwrite && fs::exists(options.out, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is there already; use --overwrite or another name.",
                            in_quotes(options.out)));
  }
}

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 1e6   ? fmt::format("{:.1f} kB", size / 1e3)
         : size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6)
                      : fmt::format("{:.2f} GB", size / 1e9);
}

std::string report(const ConvertOptions& options, const Table& table, const FlyWritten& written) {
  const std::string response =
      table.response.values.empty() ? "" : ", response " + in_quotes(table.response.name);
  return fmt::format("wrote {}: {} x {}, {}{}, {}\n", shell_word(options.out),
                     counted(table.rows, "row"), counted(table.columns.size(), "feature"),
                     options.float32 ? "float32" : "float64", response, size_text(written.bytes));
}

// Float32 has 24 bits: every digit of small whole numbers and of indicators, seven of most others.
void warn_rounded(const Table& table, const FlyWritten& written) {
  if (written.rounded > 0) {
    fmt::print(stderr, "warning: --float32 rounded {} of {} to 7 digits.\n",
               with_commas(written.rounded), counted(table.rows * table.columns.size(), "number"));
  }
}

}  // namespace

int convert(const ConvertOptions& options) {
  require_free(options);
  LoadSpec data = options.data;
  data.npy_in_place = true;
  const Loaded loaded = load(data);
  for (const std::string& warning : loaded.warnings) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  const Table& table = loaded.table;
  const StopSignal stop;
  const FlyWritten written = write_fly(table, {.path = options.out,
                                               .float32 = options.float32,
                                               .weights = options.data.weights,
                                               .offset = options.data.offset,
                                               .trials = options.data.trials,
                                               .stop = stop.flag()});
  if (!written.complete) {
    fmt::print(stderr, "stopped by {}; nothing was written.\n", stop.name());
    return stop.exit_code();
  }
  warn_rounded(table, written);
  fmt::print("{}", report(options, table, written));
  return 0;
}

}  // namespace flymc::app
