#include "data/format/fly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/format/fly_format.hpp"
#include "data/table/columns.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using PartNames = std::array<std::string, kFlyParts>;

struct FlyFile {
  std::string path;
  std::string_view bytes;
  FlyHead head;
  FlyNames names;

  [[nodiscard]] bool has(std::size_t part) const { return head.parts[part].bytes > 0; }
};

// A response has a name, and labels, if any, in sort order.
bool is_sound(const FlyFile& file) {
  const auto& labels = file.names.labels;
  return file.has(kFlyResponse) != file.names.parts[kFlyResponse].empty() &&
         (labels.empty() || file.has(kFlyResponse)) &&
         std::ranges::adjacent_find(labels, std::greater_equal{}) == labels.end();
}

FlyFile open_fly(const LoadSpec& spec, std::string_view bytes) {
  FlyFile file{spec.path, bytes, read_fly_head(bytes, spec.path), {}};
  verify_fly(bytes, file.head, spec.path, spec.threads, *spec.ranks);
  file.names = read_fly_names(bytes, file.head, spec.path);
  if (!is_sound(file)) {
    throw Error(ErrorKind::kData, escaped(spec.path) +
                                      ": the list of names is not one that flymc convert writes; "
                                      "convert the data again.");
  }
  return file;
}

RowSource rows_of(const FlyFile& file, RowRange rows, std::shared_ptr<const FileMap> owner) {
  const std::size_t row_bytes = file.head.columns * file.head.number_bytes;
  const char* const first = file.bytes.data() + file.head.x.offset + rows.first * row_bytes;
  const RowSource::Shape shape{rows.size(), file.head.columns,
                               static_cast<std::ptrdiff_t>(file.head.columns)};
  RowSource source =
      file.head.number_bytes == sizeof(double)
          ? RowSource(reinterpret_cast<const double*>(first), shape, std::move(owner))
          : RowSource(reinterpret_cast<const float*>(first), shape, std::move(owner));
  source.set_mapped(std::make_shared<MappedRange>(first, rows.size() * row_bytes));
  return source;
}

// Which features are left, and which of them play a part that was asked for by name.
struct Choice {
  std::vector<std::size_t> features;
  std::array<std::optional<std::size_t>, kFlyParts> from_feature;
};

// Rows that must match earlier ones have the indicators of these categories that are asked for, and
// no others: an indicator more is of a level that the earlier rows did not have, or of the one that
// they were compared with, and then rows of none are of another level.
void require_same_indicators(const FlyFile& file, const LoadSpec& spec) {
  for (const auto& [column, levels] : spec.levels) {
    const std::string prefix = column + "=";
    const auto is_indicator = [&](const std::string& name) { return name.starts_with(prefix); };
    std::set<std::string> left;
    std::ranges::copy_if(spec.features, std::inserter(left, left.end()), is_indicator);
    for (const std::string& name : file.names.columns) {
      if (is_indicator(name) && left.erase(name) == 0) {
        throw Error(ErrorKind::kData,
                    fmt::format("{}: column {} is not in the fit, so that other levels of {} stand "
                                "in these rows",
                                escaped(file.path), in_quotes(name), in_quotes(column)),
                    "give the rows as they were before they were encoded (csv, parquet).");
      }
    }
    if (!left.empty()) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: no column {}, which the fit made of {}", escaped(file.path),
                              in_quotes(*left.begin()), in_quotes(column)),
                  "give the rows as they were before they were encoded (csv, parquet).");
    }
  }
}

Choice choose(const FlyFile& file, const LoadSpec& spec) {
  if (!spec.dates.empty()) {
    throw Error(ErrorKind::kUsage, message("{} needs text; {} holds numbers only.", Setting{"date"},
                                           escaped(file.path)));
  }
  if (spec.matches_earlier && !spec.categorical.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} holds numbers only, and {} holds levels in the fit",
                            escaped(file.path), in_quotes(spec.categorical.front())),
                "give the rows with them (csv, parquet).");
  }
  require_same_indicators(file, spec);
  if (!spec.categorical.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} holds numbers only", Setting{"categorical"}, escaped(file.path)),
                message("{} encodes: give {} there.", Command{"convert"}, Setting{"categorical"}));
  }
  refuse_missing_in(spec, escaped(file.path));
  LoadSpec features = spec;
  const std::array<std::string*, kFlyParts> asked = {
      &features.response, &features.weights, &features.offset,
      features.trials.empty() ? &features.censored : &features.trials};
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    if (file.has(part) && *asked[part] == file.names.parts[part]) {
      asked[part]->clear();
    }
  }
  std::erase_if(features.drop, [&](const std::string& name) {  // not among the features anyway
    return !name.empty() && std::ranges::find(file.names.parts, name) != file.names.parts.end();
  });
  const Columns columns = choose_columns(Header(file.names.columns, escaped(file.path)), features);
  Choice choice;
  choice.from_feature = {columns.response, columns.weights, columns.offset, columns.trials};
  for (const Feature& feature : columns.features) {
    choice.features.push_back(feature.column);
  }
  return choice;
}

std::vector<double> stored_part(const FlyFile& file, RowRange rows, std::size_t part) {
  std::vector<double> values(file.has(part) ? rows.size() : 0);
  if (!values.empty()) {
    std::memcpy(values.data(),
                file.bytes.data() + file.head.parts[part].offset + rows.first * sizeof(double),
                values.size() * sizeof(double));
  }
  return values;
}

std::vector<double> column_of(RowSource source, std::size_t column) {
  source.keep_columns(std::array{column});
  std::vector<double> values(source.rows());
  if (const double* const x = source.block({0, source.rows()}, values.data());
      x != values.data()) {  // the only column there is
    std::copy_n(x, values.size(), values.data());
  }
  return values;
}

void require_sound_labels(const FlyFile& file, const Response& response) {
  const auto labels = static_cast<double>(response.labels.size());
  const bool sound = std::ranges::all_of(response.values, [&](double code) {
    return code >= 0.0 && code < labels && code == std::floor(code);
  });
  if (labels > 0.0 && !sound) {
    throw Error(ErrorKind::kData, escaped(file.path) +
                                      ": the response has labels that are not "
                                      "there; convert the data again.");
  }
}

void require_positive(const FlyFile& file, std::size_t first, const std::vector<double>& weights) {
  const auto bad = std::ranges::find_if(weights, [](double weight) { return !(weight > 0.0); });
  if (bad != weights.end()) {
    throw Error(
        ErrorKind::kData,
        fmt::format("{}: the weight of row {} is {}", escaped(file.path),
                    with_commas(first + static_cast<std::size_t>(bad - weights.begin()) + 1), *bad),
        message("convert the data again with {}, which leaves out rows of weight 0.",
                Setting{"weights"}));
  }
}

std::string details(const FlyFile& file, const Choice& choice) {
  std::string text = file.head.number_bytes == sizeof(float) ? ", float32" : "";
  constexpr std::pair<FlyPart, const char*> kSilent[] = {{kFlyWeights, "weights"},
                                                         {kFlyOffset, "offset"}};
  for (const auto& [part, word] : kSilent) {
    if (file.has(part) && !choice.from_feature[part]) {
      text += fmt::format(", {} {}", word, in_quotes(file.names.parts[part]));
    }
  }
  return text;
}

TableRead read_rows(const LoadSpec& spec, FlyFile& file, RowRange rows,
                    const std::shared_ptr<const FileMap>& map) {
  constexpr std::size_t kMostRows = 0xFFFFFFFE;  // a row held is known by 32 bits
  if (rows.size() > kMostRows) {
    throw Error(ErrorKind::kMemory,
                fmt::format("{}: {} rows for one process; share them among several (mpirun -n).",
                            escaped(spec.path), with_commas(rows.size())));
  }
  const Choice choice = choose(file, spec);
  const RowSource source = rows_of(file, rows, map);
  TableRead read;
  Table& table = read.table;
  const auto part = [&](FlyPart which) {
    const auto& column = choice.from_feature[which];
    return column ? column_of(source, *column) : stored_part(file, rows, which);
  };
  table.rows = rows.size();
  table.response.values = part(kFlyResponse);
  if (const auto& column = choice.from_feature[kFlyResponse]) {
    table.response.name = file.names.columns[*column];
  } else {
    table.response.name = file.names.parts[kFlyResponse];
    table.response.labels = std::move(file.names.labels);
  }
  require_sound_labels(file, table.response);
  table.weights = part(kFlyWeights);
  require_positive(file, rows.first, table.weights);
  table.offset = part(kFlyOffset);
  if (!spec.second().empty()) {
    table.trials = part(kFlyTrials);
  }
  table.source = source;
  if (choice.features.size() < source.columns() || !spec.features.empty()) {
    table.source.keep_columns(choice.features);
  }
  for (const std::size_t column : choice.features) {
    table.columns.push_back(file.names.columns[column]);
  }
  read.counts.rows = file.head.rows + file.head.left_out;
  read.details = details(file, choice);
  return read;
}

}  // namespace

std::string stored_offset(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) {
    return "";
  }
  const FileMap file(path);
  if (!is_fly(file.bytes())) {
    return "";
  }
  const FlyHead head = read_fly_head(file.bytes(), path);
  return head.parts[kFlyOffset].bytes > 0
             ? read_fly_names(file.bytes(), head, path).parts[kFlyOffset]
             : "";
}

TableRead read_fly(const LoadSpec& spec, const std::shared_ptr<const FileMap>& map) {
  FlyFile file;
  fail_together(*spec.ranks, [&] { file = open_fly(spec, map->bytes()); });
  const Shard shard = Shard::spread(*spec.ranks, file.head.rows);
  TableRead read;
  fail_together(*spec.ranks, [&] { read = read_rows(spec, file, shard.mine(), map); });
  if (shard.is_split()) {
    read.table.shard = shard;
  }
  return read;
}

}  // namespace flymc
