#include "data/format/parquet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/csv/csv_header.hpp"
#include "data/csv/csv_table.hpp"
#include "data/format/duckdb.hpp"
#include "data/input/input_files.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using namespace csv;

struct ParquetFile {
  std::string path;
  std::vector<bool> is_number;  // one a column
  std::size_t rows = 0;
};

std::string table_sql(const std::string& path) {
  return fmt::format("read_parquet({}, hive_partitioning = false)", duckdb::file_literal(path));
}

std::size_t count_rows(duckdb::Session& session, const std::string& path) {
  duckdb::Rows rows(session, "SELECT CAST(count(*) AS DOUBLE) FROM " + table_sql(path));
  return rows.next() ? static_cast<std::size_t>(rows.view(0).number(0)) : 0;
}

Header describe_file(duckdb::Session& session, ParquetFile& file) {
  duckdb::Rows rows(session, "SELECT * FROM " + table_sql(file.path) + " LIMIT 0");
  std::vector<std::string> names;
  for (std::uint64_t column = 0; column < rows.columns(); ++column) {
    names.push_back(rows.name(column));
    file.is_number.push_back(rows.is_number(column));
  }
  return {std::move(names), escaped(file.path)};
}

// Every column that plays a part: as a number where it is one and is wanted so, else as text.
struct Selection {
  std::vector<std::size_t> columns;
  std::vector<bool> as_number;
  std::string sql;
};

Selection select(const Plan& plan, const Header& header, const ParquetFile& file) {
  Selection selection;
  for (std::size_t column = 0; column < plan.cells.size(); ++column) {
    const Cell::Role role = plan.cells[column].role;
    if (role == Cell::Role::kIgnored) {
      continue;
    }
    const bool as_number = role == Cell::Role::kNumber && file.is_number[column];
    selection.sql +=
        fmt::format("{}CAST({} AS {})", selection.columns.empty() ? "SELECT " : ", ",
                    duckdb::identifier(header.name(column)), as_number ? "DOUBLE" : "VARCHAR");
    selection.columns.push_back(column);
    selection.as_number.push_back(as_number);
  }
  selection.sql += selection.columns.empty() ? "SELECT 1" : "";  // rows count all the same
  selection.sql += " FROM " + table_sql(file.path);
  return selection;
}

void put_value(RowBuilder& builder, const Cell& cell, std::size_t column, double value) {
  if (std::isfinite(value)) {
    builder.place(cell.slot) = value;
  } else {
    builder.put(column,
                {.text = std::isnan(value) ? "NaN"
                         : value > 0.0     ? "inf"
                                           : "-inf"},
                nullptr);
  }
}

void read_block(const Plan& plan, const Selection& selection, duckdb::Rows& rows,
                RowBuilder& builder) {
  std::vector<duckdb::ColumnView> views;
  for (std::size_t i = 0; i < selection.columns.size(); ++i) {
    views.push_back(rows.view(i));
  }
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    builder.start(nullptr);
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::size_t column = selection.columns[i];
      if (views[i].is_null(row)) {
        builder.put(column, {}, nullptr);
      } else if (selection.as_number[i]) {
        put_value(builder, plan.cells[column], column, views[i].number(row));
      } else {
        builder.put(column, {.text = views[i].text(row)}, nullptr);
      }
    }
    builder.finish();
  }
}

[[noreturn]] void fail_changed(const std::string& path) {
  throw Error(ErrorKind::kIo, escaped(path) + ": the file changed while it was read; try again.");
}

void read_file(duckdb::Session& session, const Selection& selection, const ParquetFile& file,
               const Plan& plan, RowBuilder& builder) {
  session.set_place(escaped(file.path));
  const std::size_t end = builder.result().rows + file.rows;
  duckdb::Rows rows(session, selection.sql);
  while (rows.next()) {
    if (builder.result().rows + rows.size() > end) {
      fail_changed(file.path);
    }
    read_block(plan, selection, rows, builder);
  }
  if (builder.result().rows != end) {
    fail_changed(file.path);
  }
}

// "part-2.parquet: row 7"
std::string place_of_row(std::span<const ParquetFile> files, std::size_t row) {
  std::size_t file = 0;
  while (file + 1 < files.size() && row > files[file].rows) {
    row -= files[file++].rows;
  }
  return fmt::format("{}: row {}", escaped(files[file].path), with_commas(row));
}

bool is_text_column(std::span<const ParquetFile> files, std::optional<std::size_t> column) {
  for (const ParquetFile& file : files) {
    if (column && !file.is_number[*column]) {
      return true;
    }
  }
  return false;
}

Layout describe_files(duckdb::Session& session, const LoadSpec& spec,
                      std::span<ParquetFile> files) {
  std::optional<Header> header;
  for (ParquetFile& file : files) {
    session.set_place(escaped(file.path));
    Header own = describe_file(session, file);
    file.rows = count_rows(session, file.path);
    if (header) {
      require_same({files[0].path, *header}, {file.path, own});
    } else {
      header = std::move(own);
    }
  }
  Columns columns = choose_columns(*header, spec);
  return {*std::move(header), std::move(columns)};
}

std::vector<std::string> cells_of_row(duckdb::Session& session, const std::string& path,
                                      const std::vector<std::string>& names, std::size_t place) {
  std::string sql;
  for (const std::string& name : names) {
    sql += fmt::format("{}CAST({} AS VARCHAR)", sql.empty() ? "SELECT " : ", ",
                       duckdb::identifier(name));
  }
  std::vector<std::string> cells(names.size());
  duckdb::Rows rows(session,
                    fmt::format("{} FROM {} LIMIT 1 OFFSET {}", sql, table_sql(path), place));
  while (rows.next()) {  // to the end, where a block has rows
    for (std::size_t j = 0; j < names.size() && rows.size() > 0; ++j) {
      const duckdb::ColumnView view = rows.view(j);
      cells[j] = view.is_null(0) ? "" : std::string(view.text(0));
    }
  }
  return cells;
}

std::vector<ParquetFile> files_of(std::span<const std::string> paths) {
  std::vector<ParquetFile> files;
  for (const std::string& path : paths) {
    if (path == kStandardInput) {
      throw Error(ErrorKind::kNoInput,
                  "-: parquet cannot be read from standard input; save it to a file first.");
    }
    files.push_back({path, {}, 0});
  }
  return files;
}

}  // namespace

TableRead read_parquet(const LoadSpec& spec, std::span<const std::string> paths) {
  std::vector<ParquetFile> files = files_of(paths);
  duckdb::Session session(escaped(files[0].path));
  if (spec.threads > 0) {
    session.run(fmt::format("SET threads = {}", spec.threads));
  }
  const Layout layout = describe_files(session, spec, files);
  Plan plan = make_plan(layout.columns, layout.header.size(),
                        is_text_column(files, layout.columns.response));
  follow(spec, layout.header, layout.columns, plan);

  Parsed parsed;
  Chunk& all = parsed.chunks.emplace_back();
  for (const ParquetFile& file : files) {
    all.max_rows += file.rows;
  }
  parsed.raw = make_room(plan, all.max_rows);
  RowBuilder builder(plan, all, parsed.raw);
  for (const ParquetFile& file : files) {
    read_file(session, select(plan, layout.header, file), file, plan, builder);
  }
  parsed.results.push_back(std::move(builder.result()));
  const Source source{spec, [&](const Issue& issue) { return place_of_row(files, issue.row); }};
  return assemble(std::move(parsed), plan, layout, source, {});
}

ParquetCells parquet_cells(std::span<const std::string> paths, std::size_t columns,
                           const std::string& without, std::span<const std::size_t> numbers) {
  std::vector<ParquetFile> files = files_of(paths);
  duckdb::Session session(escaped(files[0].path));
  ParquetCells cells;
  for (ParquetFile& file : files) {
    session.set_place(escaped(file.path));
    cells.names = describe_file(session, file).names();
    file.rows = count_rows(session, file.path);
  }
  std::erase(cells.names, without);
  cells.names.resize(std::min(cells.names.size(), columns));
  for (const std::size_t number : numbers) {
    std::size_t place = number - 1;
    std::size_t file = 0;
    while (file + 1 < files.size() && place >= files[file].rows) {
      place -= files[file++].rows;
    }
    session.set_place(escaped(files[file].path));
    cells.rows.push_back(cells_of_row(session, files[file].path, cells.names, place));
  }
  return cells;
}

}  // namespace flymc
