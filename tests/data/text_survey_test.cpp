// What a survey learns block by block is what load() knows of the whole table, and what RowBlocks
// then reads are its features.
#include "data/load/text_survey.hpp"

#include "data/load/row_blocks.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::refusal;
using testing::TempDir;

constexpr BlockLimits kBlocks[] = {{1}, {7}, {1'000'000, 64}, {1'000'000}};

// Levels that occur only in rows that are left out, missing values, weights of 0; the last label
// shows that the response is text.
std::string survey_csv(std::size_t rows) {
  std::string text = "a,,city,w,o,y,label\n";
  for (std::size_t n = 0; n < rows; ++n) {
    const bool weightless = n % 7 == 3;
    const bool missing = n % 11 == 5;
    const char* const city = weightless   ? "Ghost"
                             : missing    ? "Lost"
                             : n % 3 == 0 ? "Rome"
                                          : "\"a \"\"b\"\"\"";
    text += (missing ? "NA" : std::to_string(0.1 * double(n))) + ",q," + city + "," +
            (weightless ? "0" : "1.5") + "," + std::to_string(n) + "," + std::to_string(n % 4) +
            "," +
            (n + 1 == rows ? "z"
             : n == 2      ? "inf"
             : n % 2 == 0  ? "1"
                           : "1.0") +
            "\n";
  }
  return text;
}

std::vector<double> joined(const std::vector<std::vector<double>>& pieces) {
  std::vector<double> all;
  for (const std::vector<double>& piece : pieces) {
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

void expect_known(const LoadSpec& spec) {
  const Loaded loaded = load(spec);
  const Table& table = loaded.table;
  for (const BlockLimits& limits : kBlocks) {
    const std::optional<TextSurvey> survey = survey_text(spec, limits);
    ASSERT_TRUE(survey);
    EXPECT_EQ(survey->rows, table.rows);
    EXPECT_EQ(survey->left_out, table.left_out);
    EXPECT_EQ(survey->labels, table.response.labels);
    EXPECT_EQ(survey->spec.levels, table.levels);
    EXPECT_EQ(joined(survey->parts[kFlyResponse]), table.response.values);
    EXPECT_EQ(joined(survey->parts[kFlyWeights]), table.weights);
    EXPECT_EQ(joined(survey->parts[kFlyOffset]), table.offset);
    EXPECT_EQ(joined(survey->parts[kFlyTrials]), table.trials);
    RowBlocks blocks(survey->spec, limits);
    Buffer<double> x;
    while (const std::optional<Table> rows = blocks.next()) {
      EXPECT_EQ(rows->columns, table.columns);
      x.insert(x.end(), rows->x.begin(), rows->x.end());
    }
    EXPECT_EQ(x, table.x);
    EXPECT_EQ(blocks.warnings(), loaded.warnings);
  }
}

TEST(TextSurvey, KnowsWhatTheWholeTableSays) {
  const TempDir dir;
  const std::string text = survey_csv(200);
  for (const std::string& path :
       {dir.write("t.csv", text), dir.write("t.csv.gz", testing::gzip(text))}) {
    expect_known({.path = path, .features = {"o"}});
    expect_known({.path = path, .response = "y", .features = {"o"}, .weights = "w"});
    const LoadSpec spec{.path = path,
                        .response = "label",
                        .features = {"city", "a"},
                        .categorical = {"city"},
                        .weights = "w",
                        .offset = "o",
                        .trials = "y",
                        .missing = Missing::kDrop};
    expect_known(spec);
    expect_known({.path = path,
                  .formula = "label ~ city:o + a + o:y",
                  .categorical = {"city"},
                  .weights = "w",
                  .missing = Missing::kDrop});
  }
}

TEST(TextSurvey, OfSeveralFiles) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "d");
  dir.write("d/1.csv", "c,y\nb,5\nc,2\n");
  dir.write("d/2.csv", "c,y\na,no\nb,1\n");
  expect_known({.path = dir / "d", .response = "y", .categorical = {"c"}});
}

TEST(TextSurvey, MistakesAreThoseOfTheWholeTable) {
  const TempDir dir;
  const std::string some = "1,x,1\n2,z,0\n\n3,x,1\n";
  const std::string rows[] = {"4,x\n",     ",x,1\n",    "1e999,x,1\n",
                              "one,x,1\n", "1,x,inf\n", "1,x\"x,1\n"};
  for (const std::string& row : rows) {
    for (const std::string end : {"", "NA,x,1\n", "1,x,text\n"}) {
      const LoadSpec spec{.path = dir.write("t.csv", "a,c,y\n" + some + row + some + end + some),
                          .response = "y",
                          .categorical = {"c"}};
      const std::string expected = refusal(dir, spec).message;
      for (const BlockLimits& limits : kBlocks) {
        std::string message = "loaded without an error";
        try {
          (void)survey_text(spec, limits);
        } catch (const Error& error) {
          message = error.what();
          message.erase(0, message.starts_with(dir / "") ? (dir / "").size() : 0);
        }
        EXPECT_EQ(message, expected) << row << end;
      }
    }
  }
}

TEST(TextSurvey, AColumnOfTooManyLevelsIsRefused) {
  const TempDir dir;
  std::string text = "id\n";
  for (int n = 0; n <= 10'000; ++n) {
    text += "k" + std::to_string(n) + "\n";
  }
  const LoadSpec spec{.path = dir.write("t.csv", text), .categorical = {"id"}};
  try {
    (void)survey_text(spec, {100});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), refusal(dir, spec).message);
  }
}

TEST(TextSurvey, OnlyOfTextThatCanBeReadAgain) {
  const TempDir dir;
  EXPECT_FALSE(survey_text({.path = "-"}, {1}));
  EXPECT_FALSE(survey_text({.path = dir.write("t.svm", "1 1:2\n")}, {1}));
}

}  // namespace
}  // namespace flymc
