// Parquet through DuckDB, which also writes the files here; skipped where its library is not found
// (npm puts it into web/node_modules; FLYMC_DUCKDB says where it is).
#include "data/format/parquet.hpp"

#include <dlfcn.h>
#include <zlib.h>

#include <filesystem>

#include "data/format/duckdb.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::features;
using testing::refusal;
using testing::TempDir;
using Names = std::vector<std::string>;

std::string reason_for_absence() {
  try {
    (void)duckdb::load_library("t.parquet");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// An environment variable for the length of a scope; null: not set.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) {
      old_ = old;
    }
    set(value);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { set(old_.empty() ? nullptr : old_.c_str()); }

 private:
  void set(const char* value) const {
    value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1);
  }
  const char* name_;
  std::string old_;
};

class Parquet : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string absent = reason_for_absence();
    if (!absent.empty()) {
      GTEST_SKIP() << absent;
    }
    session_.emplace("test");
  }
  std::string write(const std::string& name, const std::string& select) {
    const std::string path = dir_ / name;
    session_->run("COPY (" + select + ") TO '" + path + "' (FORMAT parquet)");
    return path;
  }

  TempDir dir_;
  std::optional<duckdb::Session> session_;
};

TEST(ParquetWithoutLibrary, ABadPathInTheEnvironmentIsNamed) {
  const TempDir dir;
  const Environment environment("FLYMC_DUCKDB", "/nowhere/libduckdb.so");
  const auto refused = refusal(dir, {.path = dir.write("t.parquet", "PAR1"), .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kNoInput);
  EXPECT_TRUE(refused.message.starts_with("t.parquet: FLYMC_DUCKDB cannot be loaded ("))
      << refused.message;
}

TEST(ParquetWithoutLibrary, OneLineSaysHowToGetIt) {
  const TempDir dir;
  const Environment environment("FLYMC_DUCKDB", nullptr);
  if (reason_for_absence().empty()) {
    GTEST_SKIP() << "the library is on the usual path";
  }
  const auto refused = refusal(dir, {.path = dir.write("t.parquet", "PAR1"), .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kNoInput);
  EXPECT_TRUE(refused.message.starts_with(
      "t.parquet: parquet is read by DuckDB's libduckdb.so, which is neither on the library path "
      "nor beside the program; run `npm install @duckdb/node-bindings-linux-"))
      << refused.message;
  EXPECT_TRUE(refused.message.ends_with("or set FLYMC_DUCKDB to its path.")) << refused.message;
}

// A library that is loaded and is not DuckDB's would be named as such.
TEST(ParquetWithoutLibrary, TheWorkingDirectoryIsNoPlaceToLoadCodeFrom) {
  const TempDir dir;
  const Environment environment("FLYMC_DUCKDB", nullptr);
  if (reason_for_absence().empty()) {
    GTEST_SKIP() << "the library is on the usual path";
  }
  Dl_info zlib{};
  ASSERT_NE(::dladdr(reinterpret_cast<void*>(&::zlibVersion), &zlib), 0);
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  for (const char* const place : {".", "node_modules/@duckdb/node-bindings-linux-arm64",
                                  "node_modules/@duckdb/node-bindings-linux-x64"}) {
    fs::create_directories(fs::path(dir / place));
    fs::copy_file(zlib.dli_fname, fs::path(dir / place) / "libduckdb.so");
  }
  fs::current_path(dir / "");
  const std::string absent = reason_for_absence();
  fs::current_path(before);
  EXPECT_NE(absent.find("is neither on the library path nor beside the program"), std::string::npos)
      << absent;
}

TEST_F(Parquet, EveryKindOfNumber) {
  const std::string path = write(
      "t.parquet",
      "SELECT 1::TINYINT AS a, 2::UBIGINT AS b, 3.5::FLOAT AS c, 4.25::DECIMAL(9,2) AS d, true AS "
      "e, "
      "7.125::DOUBLE AS f, -8::HUGEINT AS g, 0 AS y UNION ALL SELECT -1, 3, 4.5, -0.25, false, "
      "1e-3, 9, 1");
  const Loaded loaded = load({.path = path, .response = "y"});
  EXPECT_EQ(loaded.format, Format::kParquet);
  EXPECT_EQ(loaded.table.columns, (Names{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(features(loaded),
            (std::vector<double>{1, 2, 3.5, 4.25, 1, 7.125, -8, -1, 3, 4.5, -0.25, 0, 1e-3, 9}));
  EXPECT_EQ(loaded.table.response.values, (std::vector<double>{0, 1}));
  EXPECT_NE(loaded.note.find(": parquet, 2 rows x 7 features, response 'y'"), std::string::npos);
}

TEST_F(Parquet, TextIsForCategoriesAndLabels) {
  const std::string path =
      write("t.parquet",
            "SELECT * FROM (VALUES ('red', 1, 'a label longer than twelve bytes'), ('blue', 2, "
            "'no'), ('a colour longer than twelve', 3, 'no')) t(\"the colour\", \"a\"\"b\", y)");
  const Loaded loaded = load({.path = path, .response = "y", .categorical = {"the colour"}});
  EXPECT_EQ(loaded.table.columns, (Names{"the colour=blue", "the colour=red", "a\"b"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{0, 1, 1, 1, 0, 2, 0, 0, 3}));
  EXPECT_EQ(loaded.table.response.labels, (Names{"a label longer than twelve bytes", "no"}));
  EXPECT_EQ(refusal(dir_, {.path = path, .response = "y"}).message,
            "t.parquet: row 1: column 'the colour' holds text ('red'); drop it (drop = 'the "
            "colour') or encode it (categorical = 'the colour').");
}

TEST_F(Parquet, NullsAndNansAreMissing) {
  const std::string path = write(
      "t.parquet",
      "SELECT * FROM (VALUES (1.0::DOUBLE, 0), (NULL, 1), ('nan'::DOUBLE, 1), (4, 1)) t(a, y)");
  EXPECT_EQ(refusal(dir_, {.path = path, .response = "y"}).message,
            "t.parquet: row 2: column 'a' is empty. 2 rows have missing values (50.0 %). Use "
            "missing = drop or fill them first.");
  const Loaded loaded = load({.path = path, .response = "y", .missing = Missing::kDrop});
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 4}));
  const std::string infinite = write("i.parquet", "SELECT 'inf'::DOUBLE AS a, 1 AS y");
  EXPECT_EQ(refusal(dir_, {.path = infinite, .response = "y"}).message,
            "i.parquet: row 1: column 'a' is inf after parsing 'inf'.");
}

// More rows than a block of DuckDB's holds, in several files, with columns nobody asked for.
TEST_F(Parquet, PartsFollowEachOtherWhateverTheThreads) {
  std::filesystem::create_directory(dir_ / "d");
  write("d/part-0.parquet", "SELECT range AS a, 'text' AS note, range % 2 AS y FROM range(5000)");
  write("d/part-1.parquet",
        "SELECT range + 5000.0 AS a, 'text' AS note, range % 2 AS y FROM range(130000)");
  write("d/_metadata.parquet", "SELECT 1 AS other");
  for (const unsigned threads : {1U, 3U}) {
    const Loaded loaded =
        load({.path = dir_ / "d", .response = "y", .drop = {"note"}, .threads = threads});
    ASSERT_EQ(loaded.table.rows, 135'000U);
    EXPECT_NE(loaded.note.find("parquet, 2 files, 135,000 rows"), std::string::npos);
    for (std::size_t row = 0; row < loaded.table.rows; ++row) {
      ASSERT_EQ(loaded.table.x[row], static_cast<double>(row));
    }
  }
  write("d/part-2.parquet", "SELECT 1 AS a, NULL::VARCHAR AS note, NULL::INT AS y");
  EXPECT_TRUE(refusal(dir_, {.path = dir_ / "d", .response = "y", .drop = {"note"}})
                  .message.starts_with("d/part-2.parquet: row 1: column 'y' is empty."));
  write("d/part-2.parquet", "SELECT 1 AS a, 2 AS b, 3 AS y");
  EXPECT_EQ(refusal(dir_, {.path = dir_ / "d", .response = "y"}).message,
            "d/part-2.parquet: column 2 is 'b', but 'note' in d/part-0.parquet; parts must have "
            "the same columns in the same order.");
}

TEST_F(Parquet, FormulasWorkOnIt) {
  const std::string path = write("t.parquet", "SELECT 2 AS a, 3 AS b, 1 AS y");
  EXPECT_EQ(features(load({.path = path, .formula = "y ~ a + a:b"})), (std::vector<double>{2, 6}));
}

TEST_F(Parquet, OddNamesAndDamage) {
  write("it''s [1]*.parquet", "SELECT 2 AS a, 1 AS y");
  EXPECT_EQ(load({.path = dir_ / "it's [1]*.parquet", .response = "y"}).table.rows, 1U);
  const auto refused = refusal(dir_, {.path = dir_.write("t.parquet", "PAR1"), .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_TRUE(refused.message.starts_with("t.parquet: DuckDB cannot read it: ")) << refused.message;
  EXPECT_EQ(refused.message.find('\n'), std::string::npos);
  const testing::PipedInput piped(dir_ / "t.parquet");
  EXPECT_EQ(refusal(dir_, {.path = "-", .response = "y"}).message,
            "-: parquet cannot be read from standard input; save it to a file first.");
}

TEST_F(Parquet, LevelsOfAnEarlierTableAreKept) {
  const std::string path = write("t.parquet", "SELECT 'b' AS g, 1 AS a UNION ALL SELECT 'c', 2");
  LoadSpec spec{.path = path,
                .features = {"g"},
                .categorical = {"g"},
                .matches_earlier = true,
                .levels = {{"g", {"a", "b", "c"}}}};
  EXPECT_EQ(load(spec).table.columns, (Names{"g=b", "g=c"}));
  EXPECT_EQ(features(load(spec)), (std::vector<double>{1, 0, 0, 1}));
  spec.levels = {{"g", {"a", "b"}}};
  EXPECT_NE(refusal(dir_, spec).message.find("t.parquet: row 2: column 'g' is 'c', a level"),
            std::string::npos)
      << refusal(dir_, spec).message;
}

TEST_F(Parquet, CellsOfSomeRowsAreText) {
  const Names paths = {write("a.parquet",
                             "SELECT i AS id, NULL AS y, 'n' || i AS name, 0.5 * i AS x "
                             "FROM range(3) t(i)"),
                       write("b.parquet",
                             "SELECT i AS id, 1 AS y, NULL AS name, 0.5 * i AS x "
                             "FROM range(3, 9) t(i)")};
  const std::vector<std::size_t> numbers = {2, 9};
  const ParquetCells cells = parquet_cells(paths, 2, "y", numbers);
  EXPECT_EQ(cells.names, (Names{"id", "name"}));
  ASSERT_EQ(cells.rows.size(), 2U);
  EXPECT_EQ(cells.rows[0], (Names{"1", "n1"}));
  EXPECT_EQ(cells.rows[1], (Names{"8", ""}));
}

}  // namespace
}  // namespace flymc
