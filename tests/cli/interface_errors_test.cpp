// The errors that the contract of the command line spells out, word for word: exit code, the one
// line, nothing on standard output, and no file or folder made.
//
// Others of the contract, tested where what they are about is:
//   options and words nobody knows, 64         BadInput.*, InputCli.FormulaMistakesAreUsageErrors
//   --resume with other options, 64            Resume.OptionOfTheRunItselfIsRefused
//   changed data 65, gone 66, damage 65        Resume.DataThatChanged*, Resume.DamagedFiles*
//   values of every file format, 65            tests/data/load_*_test.cpp, libsvm, parquet,
//   fly_damage memory, 71                                 LargerThanMemory.*, InterfaceFolder.*
//   outputs: 73, 74, 77                        InterfaceCommands.*, InterfaceFolder.*
//   strict, 2; Ctrl-C, 130; SIGTERM, 143       SummaryCli.Strict*, Signals.*
//   --max-time, 75                             Resume.TimeThatIsUp*
//   the four warnings, 0                       Degenerate.*
// 70 is a bug of ours: no input is known to lead there.
#include <fmt/format.h>

#include "cli/unchanged.hpp"

namespace flymc::testing {
namespace {

// `fit train.csv --response y --out run OPTIONS` of this text.
struct Contract {
  const char* name;
  std::string text;
  Words options;
  int code;
  std::string line;
};
void PrintTo(const Contract& contract, std::ostream* out) { *out << contract.name; }

// Columns age and y; `bad` stands for age in these lines of the file (the header is line 1).
std::string aged(std::size_t rows, std::size_t first, std::size_t last, const std::string& bad) {
  std::string text = "age,y\n";
  for (std::size_t line = 2; line < rows + 2; ++line) {
    const bool is_bad = line >= first && line <= last;
    text += fmt::format("{},{}\n", is_bad ? bad : std::to_string(line % 71), line % 2);
  }
  return text;
}

std::string separable() {
  std::string text = "x1,x3,x9,y\n";
  for (int n = 1; n <= 12; ++n) {
    const int y = n % 2;
    text += fmt::format("{},{},{},{}\n", (n * 7) % 5, y, n > 6 ? 1 - y : y, y);
  }
  return text;
}

const std::string kBinary = "x,y\n1,0\n2,1\n3,0\n4,1\n";

const Contract kData[] = {
    {"Empty",
     aged(1000, 902, 938, ""),
     {},
     65,
     "train.csv:902: column 'age' is empty. 37 rows have missing values (3.7 %). Use --missing "
     "drop "
     "or fill them first."},
    {"OneRowMissing",
     aged(4, 3, 3, "NA"),
     {},
     65,
     "train.csv:3: column 'age' is missing ('NA'). 1 row has missing values (25.0 %). Use "
     "--missing "
     "drop or fill them first."},
    {"Infinite",
     aged(100, 88, 88, "1e999"),
     {},
     65,
     "train.csv:88: column 'age' is inf after parsing '1e999'."},
    {"Text",
     aged(20, 15, 15, "Paris"),
     {},
     65,
     "train.csv:15: column 'age' holds text ('Paris'); drop it (--drop age) or encode it "
     "(--categorical age)."},
    {"FiveClasses",
     "x,y\n1,0\n2,1\n3,2\n4,3\n5,7\n",
     {},
     65,
     "response 'y' has 5 values (0,1,2,3,7); logistic needs 2: did you mean --model softmax?"},
    {"OneClass", "x,y\n1,1\n2,1\n", {}, 65, "response 'y' is always 1: nothing to learn."},
    {"NoColumn",
     "y,age\n0,1\n1,2\n",
     {"--response", "Y"},
     65,
     "no column 'Y'; columns are y, age; did you mean 'y'?"},
    {"NoColumnToDrop",
     "y,age\n0,1\n1,2\n",
     {"--drop", "agee"},
     65,
     "no column 'agee'; columns are y, age; did you mean 'age'?"},
    {"NoCategoricalColumn",
     "y,age\n0,1\n1,2\n",
     {"--categorical", "town"},
     65,
     "no column 'town'; columns are y, age."},
    {"TooFewFields", "a,b,y\n1,2,0\n1,2\n", {}, 65, "train.csv:3: 2 fields, the header has 3."},
    {"TooManyFields", "a,y\n1,0\n1,2,0\n", {}, 65, "train.csv:3: 3 fields, the header has 2."},
    {"FlatAndSeparable",
     separable(),
     {"--prior", "flat"},
     65,
     "a flat prior with separable data has no proper posterior; columns: x3; use a proper prior."},
    {"FlatSoftmax",
     "x,y\n1,0\n2,1\n3,2\n4,0\n5,1\n",
     {"--prior", "flat", "--model", "softmax"},
     65,
     "a flat prior with softmax has no proper posterior (a shift of all classes changes nothing); "
     "use a proper prior."},
    {"NoRows", "x,y\n", {}, 65, "train.csv: there are no rows."},
    {"NegativeWeight",
     "w,x,y\n1,1,0\n-2,2,1\n",
     {"--weights", "w"},
     65,
     "train.csv:3: column 'w' is -2; weights must be >= 0."},
};

const Contract kUsage[] = {
    {"NegativeDraws", kBinary, {"--draws", "-5"}, 64, "--draws -5: must be positive."},
    {"Model",
     kBinary,
     {"--model", "ols"},
     64,
     "--model ols: must be one of beta, beta-binomial, binomial, cloglog, exponential, gamma, "
     "hurdle-poisson, "
     "log-logistic, logistic, lognormal, negative-binomial, normal, ordinal, poisson, probit, "
     "softmax, student-t, weibull, zinb, zip."},
    {"Prior",
     kBinary,
     {"--prior", "normal:0"},
     64,
     "--prior normal:0: must be auto, flat, normal:S or laplace:S with a scale S > 0."},
    {"PriorIntercept",
     kBinary,
     {"--prior", "flat", "--prior-intercept", "x"},
     64,
     "--prior-intercept x: must be auto, flat, normal:S or laplace:S with a scale S > 0."},
    {"SelectFlat",
     kBinary,
     {"--select-prior", "--prior", "flat"},
     64,
     "--select-prior: a flat prior has no scale to choose; use --prior auto, normal:S or "
     "laplace:S."},
    {"NuOfOthers",
     kBinary,
     {"--nu", "3"},
     64,
     "--nu: only student-t takes it; add --model student-t."},
    {"ScaleOfOthers",
     kBinary,
     {"--scale", "2"},
     64,
     "--scale: only student-t takes it; add --model student-t."},
    {"Nu", kBinary, {"--nu", "-4"}, 64, "--nu -4: must be positive."},
    {"Scale", kBinary, {"--scale", "wide"}, 64, "--scale wide: must be a number, auto or infer."},
    {"Trials",
     kBinary,
     {"--trials", "x"},
     64,
     "--trials: only binomial takes it; add --model binomial."},
    {"NoTrials",
     kBinary,
     {"--model", "binomial"},
     64,
     "--trials is missing: binomial needs the trials of every row, a column such as --trials m (of "
     "one trial each: use --model logistic)."},
    {"Size",
     kBinary,
     {"--model", "negative-binomial", "--size", "large"},
     64,
     "--size large: must be a number or infer."},
    {"ScaleNan",
     kBinary,
     {"--model", "student-t", "--scale", "nan"},
     64,
     "--scale nan: must be positive, auto or infer."},
    {"ScaleInfinite",
     kBinary,
     {"--model", "student-t", "--scale=-inf"},
     64,
     "--scale -inf: must be positive, auto or infer."},
    {"ScaleOfBound",
     kBinary,
     {"--model", "student-t", "--bound", "map"},
     64,
     "--bound map: student-t has no global bound where scale is sampled; use --bound local, or "
     "--scale auto."},
    {"ScaleAndNu",
     kBinary,
     {"--model", "student-t", "--nu", "infer", "--scale", "auto"},
     64,
     "--scale auto: it is sampled where others are inferred; leave it out."},
    {"SigmaOfStudentT",
     kBinary,
     {"--model", "student-t", "--sigma", "2"},
     64,
     "--sigma 2: it is sampled; to fix it use --scale 2."},
    {"ModelAndLikelihood",
     kBinary,
     {"--model", "poisson", "--likelihood", "y*mu - exp(mu)", "--predictors", "mu"},
     64,
     "--model and --likelihood contradict each other; give one."},
    {"NoPredictors",
     kBinary,
     {"--likelihood", "y*mu - exp(mu)"},
     64,
     "--predictors is missing: the names of the one to 4 linear predictors in --likelihood, the "
     "one with the columns first; add --predictors mu."},
    {"PredictorsOfNothing",
     kBinary,
     {"--predictors", "mu"},
     64,
     "--predictors: names the predictors of a likelihood of your own; add --likelihood."},
    {"Engine",
     kBinary,
     {"--engine", "gpu"},
     64,
     "--engine gpu: must be one of auto, fly, regular."},
    {"Bound",
     kBinary,
     {"--bound", "loose"},
     64,
     "--bound loose: must be one of local, map, untuned."},
    {"Z", kBinary, {"--z", "all"}, 64, "--z all: must be one of explicit, implicit, weighted."},
    {"Q", kBinary, {"--z", "implicit", "--q", "0"}, 64, "--q 0: must be in (0, 1], or auto."},
    {"ZFraction",
     kBinary,
     {"--z", "explicit", "--z-fraction", "2"},
     64,
     "--z-fraction 2: must be in (0, 1]."},
    {"ZOrder",
     kBinary,
     {"--z", "explicit", "--z-order", "best"},
     64,
     "--z-order best: must be one of random, sequential, shuffled."},
    {"Kernel",
     kBinary,
     {"--kernel", "nuts"},
     64,
     "--kernel nuts: must be one of elliptical, hmc, independence, mala, rwmh, slice, split-hmc."},
    {"Frame", kBinary, {"--frame", "polar"}, 64, "--frame polar: must be one of plain, whitened."},
    {"Init", kBinary, {"--init", "zero"}, 64, "--init zero: must be one of laplace, map, prior."},
    {"Anchor", kBinary, {"--anchor", "adam"}, 64, "--anchor adam: must be one of newton, sgd."},
    {"Chains", kBinary, {"--chains", "0"}, 64, "--chains 0: must be positive."},
    {"Warmup", kBinary, {"--warmup", "-1"}, 64, "--warmup -1: must be 0 or more."},
    {"Thin", kBinary, {"--thin", "0"}, 64, "--thin 0: must be positive."},
    {"Seed", kBinary, {"--seed", "x"}, 64, "--seed x: must be a whole number."},
    {"Threads", kBinary, {"--threads", "-1"}, 64, "--threads -1: must be 0 or more."},
    {"Xi", kBinary, {"--xi", "3"}, 64, "--xi: only untuned bounds take it; add --bound untuned."},
    {"MaxTime",
     kBinary,
     {"--max-time", "10"},
     64,
     "--max-time 10: must be a positive number plus ms, s, m or h, such as 30s."},
    {"CheckpointEvery",
     kBinary,
     {"--checkpoint-every", "-1s"},
     64,
     "--checkpoint-every -1s: must be a positive number plus ms, s, m or h, such as 30s."},
    {"Ess", kBinary, {"--ess", "0"}, 64, "--ess 0: must be positive."},
    {"Progress",
     kBinary,
     {"--progress", "bar"},
     64,
     "--progress bar: must be one of auto, json, none, plain."},
    {"Missing",
     kBinary,
     {"--missing", "mean"},
     64,
     "--missing mean: must be one of drop, error, indicator."},
    {"Format",
     kBinary,
     {"--format", "arff"},
     64,
     "--format arff: must be one of auto, csv, fly, libsvm, npy, npz, parquet, tsv."},
    {"Formula",
     kBinary,
     {"--formula", "y ~"},
     64,
     "--formula 'y ~': a column is missing; at character 4 (the end)."},
    {"Overwrite",
     kBinary,
     {"--overwrit"},
     64,
     "no option '--overwrit'; did you mean '--overwrite'? See flymc fit --help."},
};

class InterfaceErrors : public Unchanged, public ::testing::WithParamInterface<Contract> {};

TEST_P(InterfaceErrors, SayWhatWhereAndWhatToDo) {
  const Contract& c = GetParam();
  write("train.csv", c.text);
  const bool named = std::ranges::count(c.options, "--response") > 0;
  refuses(Words{"fit", "train.csv", "--out", "run/"} + c.options +
              (named ? Words{} : Words{"--response", "y"}),
          c.code, c.line);
}

std::string name_of(const ::testing::TestParamInfo<Contract>& test) { return test.param.name; }
INSTANTIATE_TEST_SUITE_P(Data, InterfaceErrors, ::testing::ValuesIn(kData), name_of);
INSTANTIATE_TEST_SUITE_P(Usage, InterfaceErrors, ::testing::ValuesIn(kUsage), name_of);

}  // namespace
}  // namespace flymc::testing
