// Every command of the contract with an input, an output or an option that cannot be: its exit
// code, its line word for word, and nothing made or changed.
#include "cli/unchanged.hpp"

namespace flymc::testing {
namespace {

TEST_F(Cli, WithoutAWordIsATour) {
  const Outcome tour = run({});
  expect_done(tour);
  EXPECT_EQ(tour.err, "");
  for (const char* command : {"demo", "inspect", "fit", "summary", "effects", "check", "compare",
                              "predict", "report", "--help"}) {
    EXPECT_TRUE(tour.shows(std::string("flymc ") + command)) << command;
  }
}

struct Refusal {
  const char* name;
  Words words;
  int code;
  std::string line;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

const std::string kNoRun = "no run folder 'none/'; make one with flymc fit DATA --out none/";
const std::string kNoFile = "none.csv: no such file.";

std::string no_place(const std::string& out) {
  return "cannot create '" + out + "': No such file or directory; choose another place.";
}
std::string no_folder(const std::string& out) {
  return "cannot create '" + out + "': Not a directory; choose another --out.";
}
std::string no_space(const std::string& out) {
  return "no space left writing '" + out + "'; free space or choose another place.";
}

const Refusal kRefusals[] = {
    {"InspectNothing", {"inspect"}, 64, "DATA is required. See flymc inspect --help."},
    {"InspectAbsent", {"inspect", "none.csv", "--response", "y"}, 66, kNoFile},
    {"InspectColumn",
     {"inspect", "d.csv", "--response", "Y"},
     65,
     "no column 'Y'; columns are a, b, y; did you mean 'y'?"},
    {"FitNothing", {"fit", "--out", "new"}, 64, "DATA is required. See flymc fit --help."},
    {"FitAbsent", {"fit", "none.csv", "--response", "y", "--out", "new/deep"}, 66, kNoFile},
    {"FitOntoAFile", {"fit", "d.csv", "--response", "y", "--out", "d.csv"}, 73, no_folder("d.csv")},
    {"FitBelowAFile",
     {"fit", "d.csv", "--response", "y", "--out", "d.csv/run"},
     73,
     no_folder("d.csv/run")},
    {"FitOntoARun",
     {"fit", "d.csv", "--response", "y", "--out", "run"},
     73,
     "run/ already holds a finished run; use --resume, --overwrite or another --out."},
    {"ResumeAbsent", {"fit", "--resume", "none"}, 66, kNoRun},
    {"ResumeNoRun",
     {"fit", "--resume", "empty"},
     66,
     "empty/ holds no run.json, so it is not a run folder; give the folder named by --out when "
     "fitting."},
    {"ResumeFewer",
     {"fit", "--resume", "run", "--draws", "10"},
     64,
     "--draws 10: run/ already holds 20 draws a chain; ask for more."},
    {"ResumeOtherKernel",
     {"fit", "--resume", "run", "--kernel", "hmc"},
     64,
     "--kernel: --resume goes on with what the run began with; it takes only --draws, --ess, "
     "--max-time, --threads, --checkpoint-every, --other-version, --progress and --quiet."},
    {"SummaryNothing", {"summary"}, 64, "RUN is required. See flymc summary --help."},
    {"SummaryAbsent", {"summary", "none", "--json"}, 66, kNoRun},
    {"SummaryOption",
     {"summary", "run", "--al"},
     64,
     "no option '--al'; did you mean '--all'? See flymc summary --help."},
    {"PredictNothing", {"predict", "run"}, 64, "NEW is required. See flymc predict --help."},
    {"PredictAbsent", {"predict", "run", "none.csv", "--out", "p.csv"}, 66, kNoFile},
    {"PredictNoRun", {"predict", "none", "d.csv", "--out", "p.csv"}, 66, kNoRun},
    {"PredictColumn",
     {"predict", "run", "other.csv", "--out", "p.csv"},
     65,
     "no column 'b'; columns are a, c."},
    {"PredictNoPlace",
     {"predict", "run", "d.csv", "--out", "none/p.csv"},
     73,
     no_place("none/p.csv")},
    {"PredictOntoAFolder",
     {"predict", "run", "d.csv", "--out", "empty"},
     73,
     "'empty' is a folder; give --out a file."},
    {"PredictOntoAFile",
     {"predict", "run", "d.csv", "--out", "other.csv"},
     73,
     "'other.csv' is there already; use --overwrite or another --out."},
    {"PredictOntoItself",
     {"predict", "run", "d.csv", "--out", "d.csv", "--overwrite"},
     73,
     "'d.csv' holds the new rows themselves; choose another --out."},
    {"PredictFull", {"predict", "run", "d.csv", "--out", "full"}, 74, no_space("full")},
    {"ReportNoRun", {"report", "none", "--out", "p.html"}, 66, kNoRun},
    {"ReportNoPlace", {"report", "run", "--out", "none/p.html"}, 73, no_place("none/p.html")},
    {"ReportOntoAFolder",
     {"report", "run", "--out", "empty"},
     73,
     "'empty' is a folder; give --out a file."},
    {"ReportFull", {"report", "run", "--out", "full"}, 74, no_space("full")},
    {"ExportTo",
     {"export", "run", "--to", "hdf5", "--out", "x"},
     64,
     "--to hdf5: must be one of npz, zarr."},
    {"ExportNoOut",
     {"export", "run", "--to", "npz"},
     64,
     "--out is required. See flymc export --help."},
    {"ExportNoRun", {"export", "none", "--to", "zarr", "--out", "new/x.zarr"}, 66, kNoRun},
    {"ExportNoPlace",
     {"export", "run", "--to", "npz", "--out", "none/x.npz"},
     73,
     no_place("none/x.npz")},
    {"ExportBelowAFile",
     {"export", "run", "--to", "zarr", "--out", "d.csv/x.zarr"},
     73,
     no_folder("d.csv")},
    {"ExportFull", {"export", "run", "--to", "npz", "--out", "full"}, 74, no_space("full")},
    {"ConvertAbsent", {"convert", "none.csv", "x.fly"}, 66, kNoFile},
    {"ConvertName",
     {"convert", "d.csv", "x.txt"},
     64,
     "'x.txt': the file to write must be called something.fly"},
    {"ConvertNoPlace",
     {"convert", "d.csv", "none/x.fly", "--response", "y"},
     73,
     no_place("none/x.fly")},
    {"SimulateModel",
     {"simulate", "--model", "ols", "-n", "9", "-d", "2", "--out", "new"},
     64,
     "--model ols: must be one of beta, beta-binomial, binomial, cloglog, exponential, gamma, "
     "hurdle-poisson, "
     "log-logistic, logistic, lognormal, negative-binomial, normal, ordinal, poisson, probit, "
     "softmax, student-t, weibull, zinb, zip."},
    {"SimulateRows",
     {"simulate", "-n", "0", "-d", "2", "--out", "new"},
     64,
     "-n 0: must be positive."},
    {"SimulateOntoAFile",
     {"simulate", "-n", "9", "-d", "2", "--out", "d.csv"},
     73,
     no_folder("d.csv")},
    {"DemoOntoARun",
     {"demo", "--out", "run"},
     73,
     "'run' holds files that no demo made; choose another --out."},
    {"DemoOntoAFile", {"demo", "--out", "d.csv"}, 73, no_folder("d.csv")},
    {"PaperName",
     {"paper", "nist", "--out", "new"},
     64,
     "no experiment 'nist'; there are mnist, cifar, opv and all."},
    {"PaperRuns",
     {"paper", "mnist", "--runs", "0", "--out", "new"},
     64,
     "--runs 0: must be positive."},
    {"PaperOntoAFile", {"paper", "mnist", "--quick", "--out", "d.csv"}, 73, no_folder("d.csv")},
    {"PaperNoData",
     {"paper", "mnist", "--data", "none", "--out", "new/deep"},
     66,
     "none: no such folder; it holds mnist/, cifar3/ or qm9gap/ with their files; or leave --data "
     "out for a simulated table."},
    {"PaperNoFile",
     {"paper", "mnist", "--data", "empty", "--out", "new/deep"},
     66,
     "empty/mnist/train-images-idx3-ubyte.gz: no such file; put MNIST's train-images-idx3-ubyte.gz "
     "and train-labels-idx1-ubyte.gz into empty/mnist/, or leave --data out for a simulated "
     "table."},
    {"Command",
     {"sumary", "run"},
     64,
     "no command 'sumary'; did you mean 'summary'? See flymc --help."},
};

class InterfaceCommands : public Unchanged, public ::testing::WithParamInterface<Refusal> {
 protected:
  void SetUp() override {
    write("d.csv", binary_csv());
    write("other.csv", "a,c\n1,2\n");
    std::filesystem::create_directory(path("empty"));
    std::filesystem::create_symlink("/dev/full", path("full"));
    expect_done(run({"fit", "d.csv", "--response", "y", "--out", "run", "--draws", "20", "--warmup",
                     "20", "--chains", "2"}));
  }
};

TEST_P(InterfaceCommands, RefuseAndLeaveEverythingAsItWas) {
  refuses(GetParam().words, GetParam().code, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(Table, InterfaceCommands, ::testing::ValuesIn(kRefusals),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace flymc::testing
