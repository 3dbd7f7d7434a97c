#include "flymc/diagnose/draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "flymc/error.hpp"

namespace flymc {
namespace {

class ChainCsv : public ::testing::Test {
 protected:
  ChainCsv() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) / (std::string("flymc-") + test->name());
  }
  ~ChainCsv() override { std::filesystem::remove(path_); }

  ChainDraws read(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return read_chain_csv(path_);
  }

  // "KIND MESSAGE" with the path, which differs from machine to machine, as FILE.
  std::string error_of(const std::string& content) {
    try {
      read(content);
    } catch (const Error& error) {
      std::string message = error.what();
      const std::size_t at = message.find(path_.string());
      if (at != std::string::npos) {
        message.replace(at, path_.string().size(), "FILE");
      }
      return std::to_string(error.exit_code()) + " " + message;
    }
    return "no error";
  }

  std::filesystem::path path_;
};

TEST_F(ChainCsv, ReadsHeaderAndRowsBetweenComments) {
  const auto draws = read(
      "# model = logistic\n#\nlp__,bright__,alpha\n-1.5,12,0.10000000000000001\n"
      "# adaptation\n-2.5,13,1e-3\n\n# end\n");
  EXPECT_EQ(draws.columns, (std::vector<std::string>{"lp__", "bright__", "alpha"}));
  EXPECT_EQ(draws.draws(), 2U);
  EXPECT_EQ(draws.values[2], (std::vector<double>{0.1, 1e-3}));
  EXPECT_EQ(draws.column("bright__")[1], 13.0);
  EXPECT_TRUE(draws.has("alpha"));
  EXPECT_FALSE(draws.has("beta"));
  EXPECT_THROW((void)draws.column("beta"), Error);
}

TEST_F(ChainCsv, KeepsEveryBitOfSeventeenDigits) {
  const double value = std::nextafter(1.0 / 3.0, 1.0);
  std::ostringstream text;
  text.precision(17);
  text << "x\n" << value << "\n";
  EXPECT_EQ(read(text.str()).values[0][0], value);
}

TEST_F(ChainCsv, ReadsNanInfAndWindowsLineEnds) {
  const auto draws = read("a,b,c\r\nnan,inf,-inf\r\n");
  EXPECT_TRUE(std::isnan(draws.values[0][0]));
  EXPECT_EQ(draws.values[1][0], INFINITY);
  EXPECT_EQ(draws.values[2][0], -INFINITY);
}

TEST_F(ChainCsv, IgnoresALastRowThatWasCut) {
  // "3,4" may have been "3,45": without its newline a row is not a row.
  for (const std::string cut : {"3", "3,", "3,4", "3,-", "# comm"}) {
    EXPECT_EQ(read("a,b\n1,2\n" + cut).draws(), 1U) << cut;
  }
}

TEST_F(ChainCsv, HasNoColumnsBeforeTheHeaderIsWhole) {
  for (const std::string start : {"", "# model", "# model\n", "# model\nlp__,al"}) {
    EXPECT_TRUE(read(start).columns.empty()) << start;
    EXPECT_EQ(read(start).draws(), 0U) << start;
  }
  EXPECT_EQ(read("lp__,alpha\n").draws(), 0U);
}

TEST_F(ChainCsv, NamesTheLineOfAMistake) {
  EXPECT_EQ(error_of("# x\na,b\n1,2\n3\n5,6\n"), "65 FILE:4: 1 field, the header has 2.");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"), "65 FILE:2: 3 fields, the header has 2.");
  EXPECT_EQ(error_of("a,b\n1,x\n"), "65 FILE:2: column 'b' holds 'x', not a number.");
  EXPECT_EQ(error_of("a,b\n1,\n"), "65 FILE:2: column 'b' holds '', not a number.");
  EXPECT_EQ(error_of("a,b\n1,2 \n"), "65 FILE:2: column 'b' holds '2 ', not a number.");
  EXPECT_EQ(error_of("a,a\n"), "65 FILE:1: column 'a' appears twice.");
  EXPECT_EQ(error_of("a,,b\n"), "65 FILE:1: column 2 has no name.");
}

TEST_F(ChainCsv, EscapesWhatItQuotes) {
  const std::string message = error_of("a\x1b[2J\n\x07\n");
  EXPECT_EQ(message, "65 FILE:2: column 'a\\x1b[2J' holds '\\x07', not a number.");
}

TEST_F(ChainCsv, SaysWhenThereIsNoFile) {
  try {
    (void)read_chain_csv(path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNoInput);
  }
  try {
    (void)read_chain_csv(testing::TempDir());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

}  // namespace
}  // namespace flymc
