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

// Draw by draw: the chain files hold a column each.
void write_draws(ZipWriter& zip, const ExportedRun& run) {
  const std::size_t parameters = run.run.labels.size();
  begin_numbers(zip, "draws", {run.chains.size(), run.draws(), parameters});
  std::vector<double> row(parameters);
  for (const ChainDraws& chain : run.chains) {
    for (std::size_t s = 0; s < run.draws(); ++s) {
      for (std::size_t p = 0; p < parameters; ++p) {
        row[p] = chain.values[std::size(kStatisticColumns) + p][s];
      }
      zip.append(bytes_of(row));
    }
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
  write_draws(zip, run);
  const auto& columns = run.chains.front().columns;
  write_texts(zip, "names", {columns.begin() + std::size(kStatisticColumns), columns.end()});
  write_texts(zip, "parameters", run.run.labels);
  for (std::size_t i = 0; i < std::size(kStatisticColumns); ++i) {
    begin_numbers(zip, kStatisticColumns[i], {run.chains.size(), run.draws()});
    for (const ChainDraws& chain : run.chains) {
      zip.append(bytes_of(chain.values[i]));
    }
    zip.end();
  }
  zip.finish();
  file.keep();
}

}  // namespace flymc
