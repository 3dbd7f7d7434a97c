#include "core/message.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flymc {
namespace {

// Says which part it was given.
class Spelled final : public Wording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    return "<" + setting.name + "|" + setting.value + ">";
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override {
    return "[" + other.setting + "|" + other.value + "]";
  }
  [[nodiscard]] std::string of(const Command& command) const override {
    return "$" + command.name + "|" + command.argument + "|" + of(command.setting);
  }
  [[nodiscard]] std::string of(const Refit& refit) const override {
    return "again" + of(refit.setting);
  }
};

std::string spelled(const Message& message) { return message.in(Spelled()); }
std::string in_fields(const Message& message) { return message.in(field_wording()); }

TEST(Message, IsTextWhereNothingElseIsInIt) {
  EXPECT_EQ(spelled("plain"), "plain");
  EXPECT_EQ(spelled(std::string("relev\u00e9e")), "relev\u00e9e");
  EXPECT_EQ(spelled({}), "");
  EXPECT_TRUE(Message().empty());
  EXPECT_TRUE(Message("").empty());
  EXPECT_FALSE(Message(Setting{"prior"}).empty());
}

TEST(Message, GivesEveryPartToTheWording) {
  EXPECT_EQ(spelled(message("use {} or {}, {:.3g} times", Setting{"model", "logistic"},
                            OtherValue{"model", "softmax"}, 0.12345)),
            "use <model|logistic> or [model|softmax], 0.123 times");
  EXPECT_EQ(spelled(Command{"fit", "DATA", {"out", "run/"}}), "$fit|DATA|<out|run/>");
  EXPECT_EQ(spelled(Command{"convert"}), "$convert||<|>");
  EXPECT_EQ(spelled(Refit{{"draws", "2000"}}), "again<draws|2000>");
  EXPECT_EQ(spelled(Refit{}), "again<|>");
}

TEST(Message, NestsInOthers) {
  const Message inner = message("drop it ({})", Setting{"drop", "a"});
  EXPECT_EQ(spelled(message("{}; {}.", "text", inner)), "text; drop it (<drop|a>).");
  EXPECT_EQ(spelled("first, " + inner + "."), "first, drop it (<drop|a>).");
}

TEST(Message, CrossesProcessesAsBytes) {
  const Message sent = message("use {}.", Setting{"prior", "normal:1"});
  EXPECT_EQ(spelled(Message::from_bytes(sent.bytes())), "use <prior|normal:1>.");
}

// Whatever bytes a file holds: only the library makes parts.
TEST(Message, TextCannotPassForAPart) {
  const std::string forged = Message(Setting{"prior", "flat"}).bytes();
  EXPECT_EQ(spelled(forged), "spriorflat");
  EXPECT_EQ(spelled(message("{} {}", forged, Setting{"x", forged})), "spriorflat <x|spriorflat>");
  EXPECT_EQ(spelled(message("{}", forged.c_str())), "spriorflat");
}

TEST(Message, BytesThatAreNoMessageEndQuietly) {
  const std::string whole = "a" + Message(Setting{"prior", "flat"}).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_LE(spelled(Message::from_bytes(whole.substr(0, size))), "a");
  }
}

TEST(FieldWording, SaysSettingsAsFields) {
  EXPECT_EQ(in_fields(Setting{"prior", "normal:1"}), "prior = normal:1");
  EXPECT_EQ(in_fields(Setting{"prior_intercept"}), "prior_intercept");
  EXPECT_EQ(in_fields(OtherValue{"model", "softmax"}), "softmax");
  EXPECT_EQ(in_fields(Command{"fit", "DATA", {"out", "run/"}}), "flymc fit DATA (out = run/)");
  EXPECT_EQ(in_fields(Command{"convert"}), "flymc convert");
  EXPECT_EQ(in_fields(Refit{{"draws", "2000"}}), "draws = 2000, overwrite = true");
  EXPECT_EQ(in_fields(Refit{}), "overwrite = true");
}

}  // namespace
}  // namespace flymc
