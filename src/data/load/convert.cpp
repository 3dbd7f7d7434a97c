#include "data/load/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/stop_signal.hpp"
#include "core/text.hpp"
#include "data/format/fly_writer.hpp"
#include "data/load/read_table.hpp"
#include "data/load/row_blocks.hpp"
#include "data/load/text_survey.hpp"
#include "flymc/error.hpp"

namespace flymc {
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
                fmt::format("{} is there already", in_quotes(options.out)),
                message("use {} or another name.", Setting{"overwrite"}));
  }
}

// A .fly has no place for them, and other rows would get others.
void require_no_constants(const LoadSpec& data) {
  if (data.missing == Missing::kIndicator || !data.dates.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: the numbers that it takes from the rows belong to a run",
                        data.dates.empty() ? Setting{"missing", "indicator"} : Setting{"date"}),
                message("give it to {}, with the file as it is.", Command{"fit"}));
  }
  if (formula_of(data).has_constants()) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: the constants of scale, poly, bs and s belong to a run",
                Setting{"formula", shortened(data.formula)}),
        message("convert the columns themselves, and give {} the formula.", Command{"fit"}));
  }
}

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 1e6   ? fmt::format("{:.1f} kB", size / 1e3)
         : size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6)
                      : fmt::format("{:.2f} GB", size / 1e9);
}

// What was written, and how much of it.
struct Made {
  FlyWritten written;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::string response;  // its name; empty: none
};

std::string report(const ConvertOptions& options, const Made& made) {
  const std::string response =
      made.response.empty() ? "" : ", response " + in_quotes(made.response);
  return fmt::format("wrote {}: {} x {}, {}{}, {}\n", shell_word(options.out),
                     counted(made.rows, "row"), counted(made.features, "feature"),
                     options.float32 ? "float32" : "float64", response,
                     size_text(made.written.bytes));
}

// Float32 has 24 bits: every digit of small whole numbers and of indicators, seven of most others.
void warn_rounded(const Made& made, const Tell& tell) {
  if (made.written.rounded > 0) {
    tell(message("warning: {} rounded {} of {} to 7 digits.", Setting{"float32"},
                 with_commas(made.written.rounded), counted(made.rows * made.features, "number")));
  }
}

void warn(const std::vector<std::string>& warnings, const Tell& tell) {
  for (const std::string& warning : warnings) {
    tell("warning: " + warning);
  }
}

// "log(a) + b" of a formula with offset(log(a)) + offset(b).
std::string offset_name(const LoadSpec& data) {
  const Formula formula = formula_of(data);
  std::vector<std::string> texts;
  for (const std::size_t v : formula.offsets) {
    texts.push_back(formula.variables[v].text);
  }
  return texts.empty() ? data.offset : fmt::format("{}", fmt::join(texts, " + "));
}

FlyOptions fly_options(const ConvertOptions& options, const StopSignal& stop) {
  return {.path = options.out,
          .float32 = options.float32,
          .weights = options.data.weights,
          .offset = offset_name(options.data),
          .trials = options.data.second(),
          .stop = stop.flag()};
}

// Rows that lie in a file already, and those of formats that are read at once.
Made convert_table(const ConvertOptions& options, const Tell& tell,
                   std::optional<StopSignal>& stop) {
  const Loaded loaded = load(options.data);
  warn(loaded.warnings, tell);
  const Table& table = loaded.table;
  const FlyWritten written = write_fly(table, fly_options(options, stop.emplace()));
  return {written, table.rows, table.columns.size(),
          table.response.values.empty() ? "" : table.response.name};
}

FlyShape shape_of(const TextSurvey& survey, const Table& row) {
  FlyShape shape{survey.rows, row.columns, row.response.name, survey.labels, survey.left_out};
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    shape.has[part] = !survey.parts[part].empty();
  }
  return shape;
}

// The second pass. False: stopped.
bool write_blocks(const TextSurvey& survey, std::size_t width, FlyWriter& writer) {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 20;
  RowBlocks blocks(survey.spec, {.rows = std::max<std::size_t>(1, kBlockNumbers / (width + 1))});
  std::size_t rows = 0;
  while (const std::optional<Table> block = blocks.next()) {
    rows += block->rows;
    if (rows > survey.rows) {
      break;
    }
    if (!writer.write_rows(*block)) {
      return false;
    }
  }
  if (rows != survey.rows) {
    throw Error(ErrorKind::kIo, escaped(survey.spec.path) +
                                    ": the file changed while it was read; convert it again.");
  }
  return true;
}

// Text is read twice, a block at a time: no more than a block of the features is in memory.
Made convert_text(const ConvertOptions& options, const TextSurvey& survey, const Tell& tell,
                  std::optional<StopSignal>& stop) {
  RowBlocks first(survey.spec, {.rows = 1});
  const Table row = first.next().value();
  warn(first.warnings(), tell);
  const FlyShape shape = shape_of(survey, row);
  FlyWriter writer(shape, fly_options(options, stop.emplace()));
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    for (const std::vector<double>& values : survey.parts[part]) {
      writer.write(static_cast<FlyPart>(part), values);
    }
  }
  const FlyWritten written = write_blocks(survey, shape.columns.size(), writer)
                                 ? writer.finish()
                                 : FlyWritten{.complete = false};
  return {written, shape.rows, shape.columns.size(), shape.has[kFlyResponse] ? shape.response : ""};
}

constexpr std::size_t kAnyRows = std::numeric_limits<std::size_t>::max();  // bytes limit a block

Made convert_any(const ConvertOptions& options, const Tell& tell, std::optional<StopSignal>& stop) {
  const std::optional<TextSurvey> survey = survey_text(options.data, {.rows = kAnyRows});
  return survey ? within_memory(options.data,
                                [&] { return convert_text(options, *survey, tell, stop); })
                : convert_table(options, tell, stop);
}

}  // namespace

int convert(const ConvertOptions& options, const Tell& tell) {
  require_free(options);
  require_no_constants(options.data);
  std::optional<StopSignal> stop;  // from the first byte on that is written
  const Made made = convert_any(options, tell, stop);
  if (!made.written.complete) {
    tell(message("stopped by {}; nothing was written.", stop->name()));
    return stop->exit_code();
  }
  warn_rounded(made, tell);
  fmt::print("{}", report(options, made));
  return 0;
}

}  // namespace flymc
