// A table in blocks is the table that load() reads, whatever the size of a block; so are its note
// and its mistakes.
#include "data/load/row_blocks.hpp"

#include "data/format/fly_writer.hpp"
#include "data/format/npy.hpp"
#include "data/load_support.hpp"
#include "data/table/table_rows.hpp"

namespace flymc {
namespace {

using testing::PipedInput;
using testing::refusal;
using testing::TempDir;

constexpr BlockLimits kSizes[] = {{1}, {1, 3}, {7}, {7, 32}, {1'000'000}, {1'000'000, 64}};

// Quoted line ends, blank lines, both line ends, missing values, none at the end.
std::string odd_csv(std::size_t rows) {
  std::string text = "\n\r\nid,\"the\ncolour\",a,y\n";
  for (std::size_t n = 0; n < rows; ++n) {
    const char* const colour = n % 3 == 0   ? "red"
                               : n % 3 == 1 ? "\"a\nblue\""
                                            : "\"so \"\"so\"\"\"";
    text += std::to_string(n) + "," + colour + "," + std::to_string(0.5 * double(n)) + "," +
            std::to_string(n % 2) + (n % 5 == 0 ? "\r\n" : "\n") + (n % 11 == 0 ? "\n\n" : "");
    text += n % 13 == 0 ? "x,red,NA,1\n" : "";
  }
  text.pop_back();
  return text;
}

LoadSpec odd_spec(const std::string& path) {
  return {.path = path,
          .response = "y",
          .features = {"a", "the\ncolour"},
          .categorical = {"the\ncolour"},
          .missing = Missing::kDrop,
          .levels = {{"the\ncolour", {"a\nblue", "red", "so \"so\""}}},
          .threads = 1};
}

struct Blocks {
  Table table;
  std::string note;
  std::vector<std::string> warnings;
};

Blocks read_blocks(const LoadSpec& spec, const BlockLimits& limits) {
  RowBlocks blocks(spec, limits);
  Blocks all;
  while (std::optional<Table> rows = blocks.next()) {
    EXPECT_LE(rows->rows, limits.rows);
    EXPECT_EQ(rows->first_row, all.table.rows);
    if (all.table.rows == 0) {
      all.table = *std::move(rows);
    } else {
      append_rows(all.table, *rows);
    }
  }
  all.note = blocks.note();
  all.warnings = blocks.warnings();
  return all;
}

// `piped`: the path is read through standard input.
void expect_same(const LoadSpec& spec, const std::string& piped = {}) {
  const auto again = [&](const auto& read) {
    const std::optional<PipedInput> input =
        piped.empty() ? std::nullopt : std::make_optional<PipedInput>(piped);
    return read();
  };
  const Loaded loaded = again([&] { return load(spec); });
  const Table whole = rows_of(loaded.table, {0, loaded.table.rows});
  for (const BlockLimits& limits : kSizes) {
    const Blocks blocks = again([&] { return read_blocks(spec, limits); });
    EXPECT_EQ(blocks.table.rows, whole.rows);
    EXPECT_EQ(blocks.table.columns, whole.columns);
    EXPECT_EQ(blocks.table.x, whole.x);
    EXPECT_EQ(blocks.table.response.values, whole.response.values);
    EXPECT_EQ(blocks.table.weights, whole.weights);
    EXPECT_EQ(blocks.table.offset, whole.offset);
    EXPECT_EQ(blocks.table.trials, whole.trials);
    EXPECT_EQ(blocks.note, loaded.note);
    EXPECT_EQ(blocks.warnings, loaded.warnings);
  }
}

TEST(RowBlocks, OfTextPlainPackedAndPiped) {
  const TempDir dir;
  const std::string text = odd_csv(200);
  for (const std::string& path :
       {dir.write("t.csv", text), dir.write("bom.csv", "\xEF\xBB\xBF" + text),
        dir.write("t.csv.gz", testing::gzip(text.substr(0, 999)) + testing::gzip(text.substr(999)) +
                                  std::string(9, '\0')),
        dir.write("t.csv.zst",
                  testing::zstd(text.substr(0, 99)) + testing::zstd(text.substr(99)))}) {
    expect_same(odd_spec(path));
    expect_same(odd_spec("-"), path);
  }
}

TEST(RowBlocks, OfPackedTextThatIsMuchLargerThanABuffer) {
  const TempDir dir;
  std::string text = "a;y\n";
  for (std::size_t n = 0; n < 400'000; ++n) {
    text += std::to_string(n * 2654435761U % 1'000'003) + ";" + std::to_string(n % 2) + "\n";
  }
  for (const std::string& path :
       {dir.write("t.csv", text), dir.write("t.csv.gz", testing::gzip(text)),
        dir.write("t.csv.zst", testing::zstd(text))}) {
    const PipedInput input(path);
    const Blocks blocks = read_blocks({.path = "-", .response = "y"}, {50'000});
    const Loaded loaded = load({.path = path, .response = "y"});
    EXPECT_EQ(blocks.table.x, loaded.table.x) << path;
    EXPECT_EQ(blocks.note.substr(6), loaded.note.substr(5 + path.size())) << path;
  }
}

TEST(RowBlocks, OfSeveralFiles) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "d");
  dir.write("d/1.csv", "a|,|b|y\n1|0|2|0\n2|0|3|1");
  dir.write("d/2.csv.gz", testing::gzip("\na|,|b|y\n"));
  dir.write("d/3.csv", "a|,|b|y\n3|0|4|0\n");
  expect_same({.path = dir / "d", .response = "y", .offset = "b"});
  expect_same({.path = dir / "d/*.csv", .response = "y", .trials = "b"});
}

TEST(RowBlocks, OfAFormula) {
  const TempDir dir;
  LoadSpec spec = odd_spec(dir.write("t.csv", odd_csv(50)));
  spec.features = {};
  spec.formula = "y ~ a + `the\ncolour`:a";
  expect_same(spec);
  Table table = load({.path = dir.write("n.csv", "a,b,y\n1,2,0\n3,4,1\n5,6,0\n")}).table;
  (void)write_fly(table, {.path = dir / "t.fly"});
  expect_same({.path = dir / "t.fly", .formula = "y ~ a + a:b"});
}

TEST(RowBlocks, OfOtherFormats) {
  const TempDir dir;
  write_npy(dir / "X.npy", std::vector<double>{1, 2, 3, NAN, 5, 6, 7, 8}, {4, 2});
  write_npy(dir / "y.npy", std::vector<double>{0, 1, 0, 1}, {4});
  LoadSpec spec{.path = dir / "X.npy", .response = dir / "y.npy", .missing = Missing::kDrop};
  expect_same(spec);
  spec.path = "-";
  expect_same(spec, dir / "X.npy");
  expect_same({.path = dir.write("t.svm", "1 1:2 3:4\n0 2:3\n1 1:1\n")});
}

// What next() says first, the path of the directory taken off.
std::string mistake(const TempDir& dir, const LoadSpec& spec, const BlockLimits& limits) {
  try {
    (void)read_blocks(spec, limits);
  } catch (const Error& error) {
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(dir / "")) != std::string::npos;) {
      message.erase(at, (dir / "").size());
    }
    return message;
  }
  return "no mistake";
}

TEST(RowBlocks, MistakesAreThoseOfTheWholeTableWithTheirLines) {
  const TempDir dir;
  const std::string head = "\n\"a\nb\",c,y\n1,\"x\nx\",0\n\n";
  const std::string some = "1,x,1\n2,x,0\n\n3,x,1\n";
  const std::string texts[] = {
      "",
      "\n\r\n",
      "a,a\n1,2\n",
      "1,2\n3,4\n",
      "a\nb,c,y\n",
      "\"a\nb\",c,y\n",
      head + some + "4,x\n" + some,              // ragged
      head + some + ",x,1\n" + some + "NA,x,1",  // missing, counted to the end
      head + some + "1e999,x,1\n" + some,
      head + some + "one,x,1\n" + some,
      head + some + "1,z,1\n" + some,          // a level that is not known
      head + some + "1,x\"x,1\n" + some,       // a quote where none can be
      head + some + "1,x,1\n\"" + some + some  // one that is not closed
  };
  for (const std::string& text : texts) {
    for (const std::string& path :
         {dir.write("t.csv", text), dir.write("t.csv.gz", testing::gzip(text))}) {
      const LoadSpec spec{.path = path,
                          .response = "y",
                          .features = {"a\nb", "c"},
                          .categorical = {"c"},
                          .levels = {{"c", {"x", "x\nx"}}},
                          .threads = 1};
      const std::string expected = refusal(dir, spec).message;
      for (const BlockLimits& limits : kSizes) {
        EXPECT_EQ(mistake(dir, spec, limits), expected) << text;
      }
    }
  }
}

TEST(RowBlocks, HeadersAndFormatsOfAllFilesAreLookedAtFirst) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "d");
  dir.write("d/1.csv", "a,y\n1,0\n2,wrong\n");
  dir.write("d/2.csv", "a,z\n1,0\n");
  const LoadSpec spec{.path = dir / "d"};
  EXPECT_EQ(mistake(dir, spec, {1}), refusal(dir, spec).message);
  EXPECT_NE(mistake(dir, spec, {1}).find("parts must have the same columns"), std::string::npos);
  dir.write("d/2.csv", "a,y\n1,0\n");
  dir.write("d/3.tsv", "a\ty\n1\t0\n");
  EXPECT_EQ(mistake(dir, spec, {1}), refusal(dir, spec).message);
  EXPECT_NE(mistake(dir, spec, {1}).find("parts must have one format"), std::string::npos);
}

TEST(RowBlocks, DamagedBytesAreFoundWhereTheyLie) {
  const TempDir dir;
  for (std::string bytes : {testing::gzip(odd_csv(5000)), testing::zstd(odd_csv(5000))}) {
    bytes.resize(bytes.size() - 9);
    const LoadSpec spec = odd_spec(dir.write("t", bytes));
    EXPECT_EQ(mistake(dir, spec, {7}), "t: the compressed data are damaged or cut short.");
  }
}

}  // namespace
}  // namespace flymc
