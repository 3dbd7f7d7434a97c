#include "data/load/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/format/npy.hpp"
#include "data/format/zip.hpp"
#include "data/input/byte_share.hpp"
#include "data/input/content.hpp"
#include "data/load/checksum.hpp"
#include "data/table/columns.hpp"
#include "data/table/redistribute_rows.hpp"
#include "data/table/row_filter.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

enum Part : std::size_t { kResponse, kWeights, kOffset, kTrials, kParts };

// The arrays of one table; a part without an array has an empty shape.
struct ArraySet {
  NpyArray x;
  std::array<NpyArray, kParts> parts;
  std::string response_name;
  RowSource source{};  // the rows of x, where they are to stay in their file
};

constexpr std::size_t kPieceNumbers = std::size_t{1} << 18;

std::vector<double> read_vector(const NpyArray& array, const NpyArray& x, RowRange rows) {
  if (array.shape.empty()) {
    return {};
  }
  if (array.columns() != 1) {
    throw Error(ErrorKind::kData, fmt::format("{}: {}; expected one dimension.", array.where,
                                              counted(array.columns(), "column")));
  }
  if (array.rows() != x.rows()) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: {}, but {} has {}.", array.where, counted(array.rows(), "row"),
                            x.where, with_commas(x.rows())));
  }
  std::vector<double> values(rows.size());
  const std::array<std::size_t, 1> only = {0};
  copy_rows(array, rows.first, rows.size(), only, values.data());
  return values;
}

Buffer<double> read_matrix(const NpyArray& x, const std::vector<std::size_t>& columns,
                           RowRange rows, unsigned threads) {
  const std::size_t width = columns.size();
  Buffer<double> out(rows.size() * width);
  const std::size_t step = kPieceNumbers / (width + 1) + 1;
  parallel_for((rows.size() + step - 1) / step, threads, [&](std::size_t piece) {
    const std::size_t first = piece * step;
    copy_rows(x, rows.first + first, std::min(step, rows.size() - first), columns,
              out.data() + first * width);
  });
  return out;
}

std::vector<std::size_t> choose_array_columns(const LoadSpec& spec, Table& table,
                                              const NpyArray& x) {
  if (!spec.categorical.empty()) {
    throw Error(ErrorKind::kUsage, message("{} needs a csv or tsv file; {} holds numbers only.",
                                           Setting{"categorical"}, x.where));
  }
  if (!spec.dates.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{} needs text; {} holds numbers only.", Setting{"date"}, x.where));
  }
  refuse_missing_in(spec, x.where);
  const Header header(numbered_names(x.columns()), x.where);
  LoadSpec features_only = spec;
  features_only.response = features_only.weights = "";
  features_only.offset = features_only.trials = features_only.censored = "";
  std::vector<std::size_t> columns;
  for (const Feature& feature : choose_columns(header, features_only).features) {
    columns.push_back(feature.column);
    table.columns.push_back(header.name(feature.column));
  }
  return columns;
}

RowFilter::Names names_of(const ArraySet& arrays) {
  RowFilter::Names names{arrays.x.where, {}};
  for (std::size_t part = 0; part < kParts; ++part) {
    names.parts[part] = arrays.parts[part].where;
  }
  return names;
}

// Some rows of the arrays, as they are.
Table copy_table(const LoadSpec& spec, const ArraySet& arrays, RowRange rows) {
  Table table;
  const auto columns = choose_array_columns(spec, table, arrays.x);
  const auto part = [&](Part which) { return read_vector(arrays.parts[which], arrays.x, rows); };
  table.response.name = arrays.response_name;
  table.response.values = part(kResponse);
  table.weights = part(kWeights);
  table.offset = part(kOffset);
  table.trials = part(kTrials);
  if (arrays.source.empty()) {
    table.x = read_matrix(arrays.x, columns, rows, spec.threads);
  } else {
    table.source = arrays.source;
    table.source.keep_columns(columns);
  }
  table.rows = rows.size();
  return table;
}

TableRead read_arrays(const LoadSpec& spec, const ArraySet& arrays) {
  const RowRange rows = Shard::spread(*spec.ranks, arrays.x.rows()).mine();
  TableRead read;
  fail_together(*spec.ranks, [&] { read.table = copy_table(spec, arrays, rows); });
  const RowFilter filter(read.table, names_of(arrays), rows.first, spec);
  read.counts = filter.settle(*spec.ranks);
  if (!filter.keeps_all()) {
    keep_rows(read.table, filter.kept());
  }
  redistribute_rows(*spec.ranks, read.table);
  return read;
}

}  // namespace

TableRead read_npy(const LoadSpec& spec, const Content& content,
                   std::vector<FileChecksum>& checksums) {
  ArraySet arrays;
  std::deque<Content> files;  // keeps what the arrays point into
  const std::array<std::string, kParts> paths = {spec.response, spec.weights, spec.offset,
                                                 spec.second()};
  fail_together(*spec.ranks, [&] {
    arrays.x = parse_npy(content.bytes(), escaped(spec.path));
    for (std::size_t part = 0; part < kParts; ++part) {
      if (!paths[part].empty()) {
        arrays.parts[part] =
            parse_npy(files.emplace_back(paths[part]).bytes(), escaped(paths[part]));
      }
    }
  });
  for (const std::string& path : paths) {
    if (!path.empty()) {
      require_same_files(*spec.ranks, {path}, path);
    }
  }
  if (spec.ranks->size() == 1 && content.packing() == Packing::kNone) {
    arrays.source = rows_in_place(arrays.x, content.file());
  }
  arrays.response_name = spec.response.empty() ? "" : "y";
  TableRead read = read_arrays(spec, arrays);
  auto file = files.begin();
  for (const std::string& path : paths) {
    if (!path.empty() && spec.checksums) {
      checksums.push_back({path, fingerprint_of({file->stored()}, spec.threads)});
    }
    file += path.empty() ? 0 : 1;
  }
  return read;
}

TableRead read_npz(const LoadSpec& spec, std::string_view bytes) {
  const std::string file = escaped(spec.path);
  const ZipArchive archive(bytes, file);
  std::deque<Buffer<char>> rooms;  // keeps what the arrays point into
  const auto read = [&](const std::string& name) {
    const auto* const member = archive.find(name + ".npy");
    if (member == nullptr) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: no array {}; it needs X and y.", file, in_quotes(name)));
    }
    return parse_npy(archive.extract(*member, rooms.emplace_back()),
                     fmt::format("{}:{}", file, escaped(name)));
  };
  ArraySet arrays;
  arrays.x = read("X");
  const bool unnamed = spec.response.empty() && !spec.matches_earlier;
  arrays.response_name = unnamed && archive.find("y.npy") ? "y" : spec.response;
  const std::array<std::string, kParts> names = {arrays.response_name, spec.weights, spec.offset,
                                                 spec.second()};
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!names[part].empty()) {
      arrays.parts[part] = read(names[part]);
    }
  }
  return read_arrays(spec, arrays);
}

}  // namespace flymc
