// A sentence for people that names settings as settings: every front end says them in its own
// words. The command line says "--prior normal:1", Python prior="normal:1", C++ prior = normal:1.
//
// All of it is pure and thread-safe. Names and values are text that can be shown as it is.
#pragma once

#include <string>
#include <string_view>

namespace flymc {

// A setting by the name of its field, with the value it has or should have; alone without one.
struct Setting {
  std::string name{};
  std::string value{};
};

// Another value of a setting that the sentence has named: "model = logistic or softmax".
struct OtherValue {
  std::string setting;
  std::string value;
};

// A call of the program flymc: its command, what the command works on, one setting.
struct Command {
  std::string name;
  std::string argument{};
  Setting setting{};
};

// What to change in a fit that takes the place of this one; a setting without a name: nothing.
struct Refit {
  Setting setting{};
};

// How a front end says what is not plain text.
class Wording {
 public:
  virtual ~Wording() = default;
  [[nodiscard]] virtual std::string of(const Setting& setting) const = 0;
  [[nodiscard]] virtual std::string of(const OtherValue& other) const = 0;
  [[nodiscard]] virtual std::string of(const Command& command) const = 0;
  [[nodiscard]] virtual std::string of(const Refit& refit) const = 0;
};

// The words of C++: a setting is a field.
[[nodiscard]] const Wording& field_wording() noexcept;

// Text and, between its words, any of the above. Text converts to it; the way back is a wording, so
// that nobody shows one by mistake.
class Message {
 public:
  Message() = default;
  Message(std::string_view text);    // NOLINT(google-explicit-constructor)
  Message(const std::string& text);  // NOLINT(google-explicit-constructor)
  Message(const char* text);         // NOLINT(google-explicit-constructor)
  Message(const Setting& setting);   // NOLINT(google-explicit-constructor)
  Message(const OtherValue& other);  // NOLINT(google-explicit-constructor)
  Message(const Command& command);   // NOLINT(google-explicit-constructor)
  Message(const Refit& refit);       // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::string in(const Wording& wording) const;
  Message& operator+=(const Message& more);
  [[nodiscard]] friend Message operator+(Message first, const Message& second) {
    first += second;
    return first;
  }

  // The whole message, to be sent to another process, and one that was.
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] static Message from_bytes(std::string bytes);

 private:
  // Parts that are not text stand between marks that text cannot hold; in() alone reads them.
  std::string bytes_;
};

}  // namespace flymc
