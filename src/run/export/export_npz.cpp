#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <span>
#include <system_error>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/staged_file.hpp"
#include "core/text.hpp"
#include "data/format/npy_writer.hpp"
#include "data/format/zip.hpp"
#include "data/format/zip_writer.hpp"
#include "fit/draw_values.hpp"
#include "flymc/error.hpp"
#include "run/export/run_export.hpp"
#include "run/export/unicode_array.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

std::string_view bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void write_texts(ZipWriter& zip, const std::string& name, const std::vector<std::string>& texts) {
  const UnicodeArray array = unicode_array(texts);
  const std::string head = npy_head(array.descr, {texts.size()});
  zip.begin(name + ".npy", head.size() + array.bytes.size());
  zip.append(head);
  zip.append(array.bytes);
  zip.end();
}

void begin_numbers(ZipWriter& zip, const std::string& name, const std::vector<std::size_t>& shape) {
  std::uint64_t count = 1;
  for (const std::size_t extent : shape) {
    count *= extent;
  }
  const std::string head = npy_head("<f8", shape);
  zip.begin(name + ".npy", head.size() + count * sizeof(double));
  zip.append(head);
}

struct ColumnRange {
  std::size_t first;
  std::size_t count;
};

// Draw by draw: the chains hold a column each.
void write_draws(ZipWriter& zip, const std::string& name, const ExportedRun& run,
                 ColumnRange columns) {
  begin_numbers(zip, name, {run.chains.size(), run.draws(), columns.count});
  std::vector<double> row(columns.count);
  for (const ChainDraws& chain : run.chains) {
    for (std::size_t s = 0; s < run.draws(); ++s) {
      for (std::size_t c = 0; c < columns.count; ++c) {
        row[c] = chain.values[columns.first + c][s];
      }
      zip.append(bytes_of(row));
    }
  }
  zip.end();
}

void write_levels(ZipWriter& zip, const std::vector<StreamedLevel>& levels) {
  std::vector<std::string> names;
  for (const StreamedLevel& level : levels) {
    names.push_back(level.name.parameter().label);
  }
  write_texts(zip, "levels", names);
  write_texts(zip, "level_columns", {kLevelColumns.begin(), kLevelColumns.end()});
  begin_numbers(zip, "level_values", {levels.size(), kLevelColumns.size()});
  for (const StreamedLevel& level : levels) {
    zip.append(bytes_of(numbers_of(level.statistics)));
  }
  zip.end();
}

// An archive may be replaced, anything else may not.
void require_archive(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::string start(4, '\0');
  file.read(start.data(), 4);
  if (!is_zip(start)) {
    throw Error(
        ErrorKind::kCannotCreate,
        fmt::format("{} is no npz archive and is not overwritten", in_quotes(path.string())),
        message("choose another {}.", Setting{"out"}));
  }
}

}  // namespace

void export_npz(const ExportedRun& run, const fs::path& out, bool overwrite) {
  require_absent(out, overwrite);
  require_archive(out);
  StagedFile file(out.string());
  ZipWriter zip(file);
  const std::size_t first = std::size(kStatisticColumns);
  const std::size_t behind = first + run.run.labels.size();
  const auto columns = run.chains.front().columns.begin();
  write_draws(zip, "draws", run, {first, run.run.labels.size()});
  write_texts(zip, "names",
              {columns + static_cast<std::ptrdiff_t>(first),
               columns + static_cast<std::ptrdiff_t>(behind)});
  write_texts(zip, "parameters", run.run.labels);
  if (!run.contrasts.empty()) {
    write_draws(zip, "contrasts", run, {behind, run.contrasts.size()});
    write_texts(zip, "contrast_names", run.contrasts);
    write_texts(zip, "reference_class", {run.reference});
  }
  for (std::size_t i = 0; i < std::size(kStatisticColumns); ++i) {
    begin_numbers(zip, kStatisticColumns[i], {run.chains.size(), run.draws()});
    for (const ChainDraws& chain : run.chains) {
      zip.append(bytes_of(chain.values[i]));
    }
    zip.end();
  }
  if (!run.levels.empty()) {
    write_levels(zip, run.levels);
  }
  zip.finish();
  file.keep();
}

}  // namespace flymc
