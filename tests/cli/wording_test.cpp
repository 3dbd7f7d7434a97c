// One Error, in the words of every front end.
#include "cli/wording.hpp"

#include <gtest/gtest.h>

#include <string>

#include "../../python/src/wording.hpp"
#include "../../r/src/wording.hpp"
#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

struct Said {
  std::string command_line;
  std::string python;
  std::string cpp;
};

void expect_said(const Message& message, const Said& said) {
  EXPECT_EQ(message.in(cli::option_wording()), said.command_line);
  EXPECT_EQ(message.in(python::parameter_wording()), said.python);
  EXPECT_EQ(message.in(field_wording()), said.cpp);
}

TEST(Wording, OneErrorIsSaidAsEachFrontEndWants) {
  const Error error(
      ErrorKind::kUsage,
      message("{} needs an explicit {}", Setting{"prior_intercept"}, Setting{"prior"}),
      message("use {} or {}.", Setting{"prior", "normal:1"}, OtherValue{"prior", "flat"}));
  expect_said(error.message(),
              {"--prior-intercept needs an explicit --prior; use --prior normal:1 or flat.",
               "prior_intercept needs an explicit prior; use prior=\"normal:1\" or \"flat\".",
               "prior_intercept needs an explicit prior; use prior = normal:1 or flat."});
}

TEST(Wording, SettingsThatBelongTogetherAreSaidAsTheyAreTyped) {
  const Message rows = message("fit with {}.", Setting{"complete_in", "age"});
  expect_said(rows, {"fit with --missing drop --missing-in age.",
                     "fit with missing=\"drop\", missing_in=\"age\".",
                     "fit with missing = drop, missing_in = age."});
  EXPECT_EQ(rows.in(r::argument_wording()), "fit with subset = !is.na(age).");
}

TEST(Wording, ModelsAreClassesOfPython) {
  expect_said(message("did you mean {} or {}?", Setting{"model", "logistic"},
                      OtherValue{"model", "softmax"}),
              {"did you mean --model logistic or softmax?",
               "did you mean LogisticRegression or SoftmaxRegression?",
               "did you mean model = logistic or softmax?"});
}

TEST(Wording, SettingsAreArgumentsOfR) {
  const auto said = [](const Message& message) { return message.in(r::argument_wording()); };
  EXPECT_EQ(
      said(message("use {} or {}.", Setting{"prior", "laplace:0.5"}, OtherValue{"prior", "flat"})),
      "use prior = laplace(0, 0.5) or flat().");
  EXPECT_EQ(said(message("did you mean {} or {}?", Setting{"model", "logistic"},
                         OtherValue{"model", "softmax"})),
            "did you mean family = \"logistic\" or \"softmax\"?");
  EXPECT_EQ(said(Setting{"trials", "n"}), "cbind(successes, failures)");
  EXPECT_EQ(said(Setting{"threads", "2"}), "cores = 2");
  EXPECT_EQ(said(Setting{"intercept", "false"}), "the formula");
  EXPECT_EQ(said(Setting{"select_prior", "true"}), "select_prior = TRUE");
}

TEST(Wording, FrontEndsHaveNamesOfTheirOwn) {
  expect_said(Setting{"intercept", "false"},
              {"--no-intercept", "fit_intercept=False", "intercept = false"});
  expect_said(Setting{"columns"}, {"-d", "columns", "columns"});
  expect_said(Setting{"weights"}, {"--weights", "sample_weight", "weights"});
  expect_said(Setting{"threads", "2"}, {"--threads 2", "n_jobs=2", "threads = 2"});
  expect_said(Setting{"size", "0.5"}, {"--size 0.5", "size=0.5", "size = 0.5"});
  expect_said(Setting{"trials", "m"}, {"--trials m", "trials", "trials = m"});
}

TEST(Wording, ValuesOfSeveralWordsAreQuotedAsEachFrontEndDoes) {
  expect_said(Setting{"drop", "the age"},
              {"--drop 'the age'", "drop=\"the age\"", "drop = 'the age'"});
  expect_said(Setting{"drop", "Bob's"}, {"--drop 'Bob'\\''s'", "drop=\"Bob's\"", "drop = Bob's"});
}

TEST(Wording, CommandsAndRepeatedFits) {
  expect_said(Command{"fit", "", {"resume", "run/"}},
              {"flymc fit --resume run/", "flymc fit", "flymc fit (resume = run/)"});
  expect_said(Command{"summary", "run/", {"all"}},
              {"flymc summary run/ --all", "summary().parameters", "flymc summary run/ (all)"});
  expect_said(Refit{{"draws", "2000"}},
              {"--draws 2000 --overwrite", "draws=2000, or go on with sample_more(n)",
               "draws = 2000, overwrite = true"});
  expect_said(Refit{{"warmup", "2000"}},
              {"--warmup 2000 --overwrite", "warmup=2000", "warmup = 2000, overwrite = true"});
  expect_said(Refit{}, {"--overwrite", "the same parameters", "overwrite = true"});
}

}  // namespace
}  // namespace flymc
