// A standard error that fails loses messages, never a run; a closed stream's number is not reused.
#include "cli/cli.hpp"
#include "cli/cli_data.hpp"

namespace flymc::cli {
namespace {

using namespace flymc::testing;

class BrokenStreams : public Cli {
 protected:
  // A fit under `shell`, a command that sets the streams up and starts "$0" "$@".
  [[nodiscard]] Outcome fit_under(const std::string& shell, const Words& more = {}) const {
    return start_with({"bash", "-c", shell},
                      Words{"fit", write("t.csv", binary_csv()), "--response", "y", "--out", "out",
                            "--warmup", "50", "--draws", "50", "--overwrite"} +
                          more)
        .wait();
  }
};

TEST_F(BrokenStreams, AFitGoesOnWhereMessagesCannotBeWritten) {
  expect_done(fit_under("exec \"$0\" \"$@\""));
  const std::string expected = bytes("out/chain-1.csv");
  ASSERT_FALSE(expected.empty());
  for (const std::string shell :
       {"exec \"$0\" \"$@\" 2>/dev/full", "exec \"$0\" \"$@\" 2>&-",
        "exec 2> >(exit 0); wait $!; exec \"$0\" \"$@\"", "exec \"$0\" \"$@\" 0<&- 2>&-"}) {
    for (const std::string progress : {"auto", "plain", "json"}) {
      const Outcome outcome = fit_under(shell, {"--progress", progress});
      EXPECT_EQ(outcome.code, 0) << shell << " " << progress << " signal " << outcome.signal;
      EXPECT_EQ(bytes("out/chain-1.csv"), expected) << shell;
      EXPECT_EQ(json("out/run.json")["status"], "complete");
    }
  }
}

TEST_F(BrokenStreams, AnErrorKeepsItsCodeWhereItCannotBeSaid) {
  for (const std::string shell : {"exec \"$0\" \"$@\" 2>/dev/full", "exec \"$0\" \"$@\" 2>&-",
                                  "exec 2> >(exit 0); wait $!; exec \"$0\" \"$@\""}) {
    EXPECT_EQ(start_with({"bash", "-c", shell}, {"summary", "nowhere"}).wait().code, 66) << shell;
    EXPECT_EQ(start_with({"bash", "-c", shell}, {"fit", "--draws", "-5"}).wait().code, 64) << shell;
  }
}

TEST_F(BrokenStreams, AResultThatCannotBeWrittenIsAnError) {
  expect_done(fit_under("exec \"$0\" \"$@\""));
  const Outcome outcome =
      start_with({"bash", "-c", "exec \"$0\" \"$@\" >&-"}, {"summary", "out"}).wait();
  expect_error(outcome, 74, "cannot write to standard output");
}

}  // namespace
}  // namespace flymc::cli
