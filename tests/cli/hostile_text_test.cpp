// Column names and labels are text from strangers: none of it may reach a terminal, a JSON file or
// a csv header as anything but text.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

const std::string kHostile[] = {"\x1b[2J\x1b[31mred",
                                "<script>alert(1)</script>",
                                "a \"\"quoted\"\" name",
                                "comma, and\nnewline",
                                "\xff\xfe not utf-8",
                                "tab\there",
                                "c1 \xc2\x9b control",
                                "\x7f del",
                                "caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac"};

class HostileText : public Cli {
 protected:
  // All hostile names as columns, two of them as labels.
  void SetUp() override {
    const Simulated s = simulated(60);
    Stream stream(3, 0, Purpose::kInit, 1);
    std::string text;
    for (const std::string& name : kHostile) {
      text += "\"" + name + "\",";
    }
    text += "y\n";
    for (std::size_t n = 0; n < s.a.size(); ++n) {
      for (std::size_t j = 0; j < std::size(kHostile); ++j) {
        text += std::to_string(stream.normal()) + ",";
      }
      text += "\"" + kHostile[s.binary[n] > 0.0 ? 3 : 4] + "\"\n";
    }
    write("h.csv", text);
  }
};

TEST_F(HostileText, StaysTextInEveryOutputOfARun) {
  for (const char* model : {"logistic", "softmax"}) {
    const Outcome outcome = fit("h.csv", {"--response", "y", "--model", model, "--overwrite"});
    expect_done(outcome);
    EXPECT_TRUE(outcome.shows("\\x1b[2J"));
    const Json run_json = json("out/run.json");
    EXPECT_EQ(run_json["d"], std::size(kHostile));
    const std::string head = bytes("out/chain-1.csv").substr(0, 4000);
    EXPECT_EQ(head.find("script"), std::string::npos);
    for (const std::string& column : draws("out/chain-1.csv").columns) {
      EXPECT_EQ(column.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.0123456789"),
                std::string::npos)
          << column;
    }
  }
}

TEST_F(HostileText, LabelsKeepTheirTextInJson) {
  expect_done(fit("h.csv", {"--response", "y"}));
  const Json labels = json("out/run.json")["parameters"];
  EXPECT_EQ(labels[1]["label"], kHostile[0]);
  EXPECT_EQ(labels[2]["label"], kHostile[1]);
  EXPECT_EQ(labels[4]["label"], kHostile[3]);
  EXPECT_EQ(labels[9]["label"], kHostile[8]);
  const Outcome summary = run({"summary", "out", "--json"});
  expect_done(summary);
  EXPECT_EQ(Json::parse(summary.out)["parameters"][7]["label"], kHostile[6]);
}

TEST_F(HostileText, StaysTextInErrors) {
  expect_error(fit("h.csv", {"--response", "y", "--model", "student-t"}), 65, "holds text");
  expect_error(fit("h.csv", {"--response", kHostile[0] + "x"}), 65, "\\x1b[2J");
  expect_error(fit("h.csv", {"--response", kHostile[0], "--drop", "y"}), 65,
               "classes are whole numbers");
  expect_error(fit(kHostile[0], {"--response", "y"}), 66, "\\x1b[2J");
  expect_error(fit("h.csv", {"--response", "y", "--model", kHostile[4]}), 64, "\\xff\\xfe");
  EXPECT_FALSE(exists("out"));
}

TEST_F(HostileText, FolderNamesAreEscapedToo) {
  const std::string folder = "o\x1b\xff";
  const Words words{"fit",  "h.csv",   "--response", "y",        "--out",
                    folder, "--draws", "20",         "--warmup", "20"};
  expect_done(run(words));
  expect_error(run(words), 73, "o\\x1b\\xff/ already holds a finished run");
  expect_done(run({"summary", folder}));
}

}  // namespace
}  // namespace flymc::testing
