#include "flymc/data/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/columns.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/npy.hpp"
#include "flymc/data/zip.hpp"

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

std::vector<double> read_vector(const NpyArray& array, const NpyArray& x) {
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
  std::vector<double> values(array.rows());
  const std::array<std::size_t, 1> only = {0};
  copy_rows(array, 0, array.rows(), only, values.data());
  return values;
}

Buffer<double> read_matrix(const NpyArray& x, const std::vector<std::size_t>& columns,
                           unsigned threads) {
  const std::size_t width = columns.size();
  Buffer<double> out(x.rows() * width);
  const std::size_t step = kPieceNumbers / (width + 1) + 1;
  parallel_for((x.rows() + step - 1) / step, threads, [&](std::size_t piece) {
    const std::size_t first = piece * step;
    copy_rows(x, first, std::min(step, x.rows() - first), columns, out.data() + first * width);
  });
  return out;
}

// Looks through the rows in order for numbers that cannot be used, and for rows to leave out.
class RowFilter {
 public:
  RowFilter(const Table& table, const ArraySet& arrays, Missing missing)
      : table_(table),
        arrays_(arrays),
        drop_missing_(missing == Missing::kDrop),
        missing_in_(table.columns.size() + kParts),
        scratch_(table.columns.size()) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      inspect(row);
    }
    counts_.rows = table.rows;
    if (first_problem_) {
      throw Error(ErrorKind::kData, first_problem_->missing
                                        ? first_problem_->text + " " + missing_advice(counts_)
                                        : first_problem_->text);
    }
    require_rows(counts_, arrays.x.where);
    name_missing();
  }

  [[nodiscard]] const RowCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] bool keeps_all() const noexcept { return !left_out_; }
  // REQUIRES: not all are kept.
  [[nodiscard]] const std::vector<std::size_t>& kept() const noexcept { return kept_; }

 private:
  struct Problem {
    std::string text;
    bool missing = false;
  };

  void inspect(std::size_t row) {
    bool missing = false;
    const std::size_t width = table_.columns.size();
    const double* const x = table_.row(row, scratch_.data());
    for (std::size_t j = 0; j < width; ++j) {
      if (is_missing(x[j], arrays_.x, row, &table_.columns[j])) {
        missing = true;
        ++missing_in_[j];
      }
    }
    const std::array<const std::vector<double>*, kParts> parts = {
        &table_.response.values, &table_.weights, &table_.offset, &table_.trials};
    for (std::size_t part = 0; part < kParts; ++part) {
      if (!parts[part]->empty() &&
          is_missing((*parts[part])[row], arrays_.parts[part], row, nullptr)) {
        missing = true;
        ++missing_in_[width + part];
      }
    }
    const double weight = table_.weights.empty() ? 1.0 : table_.weights[row];
    if (weight < 0.0) {
      note({fmt::format("{}: row {} is {}; weights must be >= 0.", arrays_.parts[kWeights].where,
                        row + 1, weight)});
    }
    counts_.missing += missing ? 1 : 0;
    counts_.weightless += !missing && weight == 0.0 ? 1 : 0;
    keep(row, !missing && weight != 0.0);
  }

  // Rows are listed from the first that is left out on: a table that keeps all needs no list.
  void keep(std::size_t row, bool kept) {
    if (!kept && !left_out_) {
      left_out_ = true;
      kept_.resize(row);
      std::iota(kept_.begin(), kept_.end(), 0);
    }
    if (kept && left_out_) {
      kept_.push_back(row);
    }
  }

  bool is_missing(double value, const NpyArray& array, std::size_t row, const std::string* column) {
    if (std::isfinite(value)) {
      return false;
    }
    const bool missing = std::isnan(value);
    if (!missing || !drop_missing_) {
      note({fmt::format("{}: row {}{} is {}.", array.where, row + 1,
                        column == nullptr ? "" : ", column " + in_quotes(*column),
                        missing       ? "nan"
                        : value > 0.0 ? "inf"
                                      : "-inf"),
            missing});
    }
    return missing;
  }

  void name_missing() {
    const std::size_t width = table_.columns.size();
    for (std::size_t j = 0; j < missing_in_.size(); ++j) {
      if (missing_in_[j] > 0) {
        counts_.missing_in.push_back(
            {j < width ? table_.columns[j] : arrays_.parts[j - width].where, missing_in_[j]});
      }
    }
  }

  void note(Problem problem) {
    if (!first_problem_) {
      first_problem_ = std::move(problem);
    }
  }

  const Table& table_;
  const ArraySet& arrays_;
  bool drop_missing_;
  RowCounts counts_;
  std::vector<std::size_t> missing_in_;  // features, then parts
  Buffer<double> scratch_;
  bool left_out_ = false;
  std::vector<std::size_t> kept_;
  std::optional<Problem> first_problem_;
};

// Moves the kept rows (ascending) to the front and cuts the rest.
template <class Values>
void keep_rows(Values& values, const std::vector<std::size_t>& kept, std::size_t width) {
  if (values.empty()) {
    return;
  }
  double* out = values.data();
  for (const std::size_t row : kept) {
    out = std::copy(values.data() + row * width, values.data() + (row + 1) * width, out);
  }
  values.resize(kept.size() * width);
}

std::vector<std::size_t> choose_array_columns(const LoadSpec& spec, Table& table,
                                              const NpyArray& x) {
  if (!spec.categorical.empty()) {
    throw Error(ErrorKind::kUsage,
                "--categorical needs a csv or tsv file; " + x.where + " holds numbers only.");
  }
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= x.columns(); ++j) {
    names.push_back(fmt::format("x{}", j));
  }
  const Header header(std::move(names), x.where);
  LoadSpec features_only = spec;
  features_only.response = features_only.weights = "";
  features_only.offset = features_only.trials = "";
  std::vector<std::size_t> columns;
  for (const Feature& feature : choose_columns(header, features_only).features) {
    columns.push_back(feature.column);
    table.columns.push_back(header.name(feature.column));
  }
  return columns;
}

TableRead read_arrays(const LoadSpec& spec, const ArraySet& arrays) {
  TableRead read;
  Table& table = read.table;
  const auto columns = choose_array_columns(spec, table, arrays.x);
  table.response.name = arrays.response_name;
  table.response.values = read_vector(arrays.parts[kResponse], arrays.x);
  table.weights = read_vector(arrays.parts[kWeights], arrays.x);
  table.offset = read_vector(arrays.parts[kOffset], arrays.x);
  table.trials = read_vector(arrays.parts[kTrials], arrays.x);
  if (arrays.source.empty()) {
    table.x = read_matrix(arrays.x, columns, spec.threads);
  } else {
    table.source = arrays.source;
    table.source.keep_columns(columns);
  }
  table.rows = arrays.x.rows();

  const RowFilter filter(table, arrays, spec.missing);
  read.counts = filter.counts();
  if (!filter.keeps_all()) {
    if (!table.source.empty()) {
      table.source.keep_rows({filter.kept().begin(), filter.kept().end()});
    }
    keep_rows(table.x, filter.kept(), columns.size());
    keep_rows(table.response.values, filter.kept(), 1);
    keep_rows(table.weights, filter.kept(), 1);
    keep_rows(table.offset, filter.kept(), 1);
    keep_rows(table.trials, filter.kept(), 1);
    table.rows = filter.kept().size();
  }
  return read;
}

}  // namespace

TableRead read_npy(const LoadSpec& spec, const Content& content) {
  ArraySet arrays;
  arrays.x = parse_npy(content.bytes(), escaped(spec.path));
  if (spec.npy_in_place && content.packing() == Packing::kNone) {
    arrays.source = rows_in_place(arrays.x, content.file());
  }
  std::deque<Content> files;  // keeps what the arrays point into
  const std::array<std::string, kParts> paths = {spec.response, spec.weights, spec.offset,
                                                 spec.trials};
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!paths[part].empty()) {
      arrays.parts[part] = parse_npy(files.emplace_back(paths[part]).bytes(), escaped(paths[part]));
    }
  }
  arrays.response_name = spec.response.empty() ? "" : "y";
  return read_arrays(spec, arrays);
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
                                                 spec.trials};
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!names[part].empty()) {
      arrays.parts[part] = read(names[part]);
    }
  }
  return read_arrays(spec, arrays);
}

}  // namespace flymc
