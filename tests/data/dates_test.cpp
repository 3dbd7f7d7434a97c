// Dates: which texts are some, which number each is, and from which day a table counts.
#include "data/table/dates.hpp"

#include <gtest/gtest.h>

#include "data/load/row_blocks.hpp"
#include "data/load_support.hpp"

namespace flymc::testing {
namespace {

TEST(Dates, AreDaysSince1970) {
  EXPECT_EQ(days_of_date("1970-01-01"), 0.0);
  EXPECT_EQ(days_of_date("1969-12-31"), -1.0);
  EXPECT_EQ(days_of_date("2000-03-01"), 11017.0);  // behind a leap day
  EXPECT_EQ(days_of_date("2024-01-31"), 19753.0);
}

TEST(Dates, ATimeIsAPartOfADay) {
  EXPECT_EQ(days_of_date("1970-01-01 12:00"), 0.5);
  EXPECT_EQ(days_of_date("1970-01-01T06:00:00Z"), 0.25);
  EXPECT_DOUBLE_EQ(days_of_date("1970-01-02T00:00:30.5").value(), 1.0 + 30.5 / 86400.0);
  EXPECT_EQ(days_of_date("1970-01-01T12:00+06:00"), 0.25);
  EXPECT_EQ(days_of_date("1970-01-01T12:00-0600"), 0.75);
  EXPECT_EQ(days_of_date("1970-01-01 12:00:00+06"), 0.25);
}

TEST(Dates, EverythingElseIsNone) {
  for (const char* text : {"",
                           "2024",
                           "2024-1-31",
                           "2024-02-30",
                           "2023-02-29",
                           "31.01.2024",
                           "01/31/2024",
                           "2024-13-01",
                           "2024-00-10",
                           "2024-01-31 ",
                           "2024-01-31T",
                           "2024-01-31T25:00",
                           "2024-01-31T12:60",
                           "2024-01-31T12",
                           "2024-01-31T12:00X",
                           "2024-01-31Z",
                           "-024-01-31",
                           "2024-01-31T12:00+",
                           "2024-01-31T12:00+2:00",
                           "20240131",
                           "2024-01-311"}) {
    EXPECT_EQ(days_of_date(text), std::nullopt) << text;
  }
}

TEST(Dates, AreReadBackAsTheyWere) {
  for (const char* text : {"1970-01-01", "1969-12-31", "2024-02-29", "0999-12-31"}) {
    EXPECT_EQ(date_of_days(days_of_date(text).value()), text);
  }
}

LoadSpec dated(std::string path) {
  return {.path = std::move(path), .response = "y", .dates = {"when"}};
}

TEST(Dates, ATableCountsFromItsFirstDay) {
  const TempDir dir;
  LoadSpec spec =
      dated(dir.write("a.csv", "when,y\n2024-01-31,0\n2024-01-02T12:00,1\n\"2024-01-03\",1\n"));
  spec.chunk_bytes = 8;
  const Loaded loaded = load(spec);
  EXPECT_EQ(features(loaded), (std::vector<double>{29, 0.5, 1}));
  EXPECT_EQ(loaded.table.constants, (Constants{{"date(when)", {19724}}}));
  EXPECT_NE(loaded.note.find("; 'when' in days since 2024-01-02"), std::string::npos)
      << loaded.note;
}

TEST(Dates, LaterRowsAreCountedFromTheSameDay) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("b.csv", "when\n2024-01-02\n2024-01-01\n"),
                .features = {"when"},
                .dates = {"when"}};
  spec.matches_earlier = true;
  spec.constants = {{"date(when)", {19724}}};
  RowBlocks blocks(spec, {.rows = 10});
  EXPECT_EQ(blocks.next()->x, (Buffer<double>{0, -1}));
}

TEST(Dates, AMissingOneIsAMissingNumber) {
  const TempDir dir;
  LoadSpec spec = dated(dir.write("a.csv", "when,y\n2024-01-31,0\n,1\n2024-02-02,1\n"));
  EXPECT_NE(refusal(dir, spec).message.find("column 'when' is empty"), std::string::npos);
  spec.missing = Missing::kIndicator;
  EXPECT_EQ(features(load(spec)), (std::vector<double>{0, 0, 1, 1, 2, 0}));
}

TEST(Dates, AFormulaMayUseThem) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("a.csv", "when,y\n2024-01-31,0\n2024-02-02,1\n"),
                .formula = "y ~ I(when / 2)",
                .dates = {"when"}};
  EXPECT_EQ(features(load(spec)), (std::vector<double>{0, 1}));
}

TEST(Dates, ThatNobodyAskedToCountAreRefusedWithTheRemedy) {
  const TempDir dir;
  LoadSpec spec = dated(dir.write("a.csv", "when,y\n2024-01-31,0\n2024-02-02,1\n"));
  spec.dates.clear();
  const Refusal refused = refusal(dir, spec);
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message,
            "a.csv:2: column 'when' holds dates ('2024-01-31'); count them in days (date = when) "
            "or drop it (drop = when).");
}

TEST(Dates, WhatIsNoneIsNamedWithItsPlace) {
  const TempDir dir;
  const Refusal refused =
      refusal(dir, dated(dir.write("a.csv", "when,y\n2024-01-31,0\n31/01/2024,1\n")));
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message,
            "a.csv:3: column 'when' is '31/01/2024', no date; write dates as 2024-01-31, times as "
            "2024-01-31T12:00 (ISO 8601).");
}

TEST(Dates, AColumnWithoutThisPartIsRefused) {
  const TempDir dir;
  LoadSpec spec = dated(dir.write("a.csv", "when,y\n2024-01-31,0\n2024-02-01,1\n"));
  spec.dates = {"y"};
  EXPECT_EQ(refusal(dir, spec).kind, ErrorKind::kUsage);
  spec.dates = {"When"};
  EXPECT_NE(refusal(dir, spec).message.find("did you mean 'when'?"), std::string::npos);
  spec.dates = {"when"};
  spec.categorical = {"when"};
  EXPECT_EQ(refusal(dir, spec).kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace flymc::testing
