#include "flymc/message.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "core/text.hpp"

namespace flymc {
namespace {

// A part: kBegin, its kind, fields with kNext between them, kEnd. Text that is fit to be shown has
// no control bytes (escaped() in core/text.hpp); what has them all the same loses these three.
constexpr char kBegin = '\x01';
constexpr char kNext = '\x02';
constexpr char kEnd = '\x03';

enum Kind : char { kSetting = 's', kOtherValue = 'o', kCommand = 'c', kRefit = 'r' };

constexpr std::size_t kMostFields = 4;
using Fields = std::array<std::string, kMostFields>;

std::string without_marks(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == kBegin || c == kNext || c == kEnd; });
  return plain;
}

std::string part(Kind kind, std::initializer_list<std::string_view> fields) {
  std::string bytes{kBegin, kind};
  for (const std::string_view field : fields) {
    bytes += without_marks(field) + kNext;
  }
  return bytes + kEnd;
}

Fields fields_of(std::string_view inner) {
  Fields fields;
  for (std::size_t i = 0; i < kMostFields && !inner.empty(); ++i) {
    const std::size_t length = std::min(inner.find(kNext), inner.size());
    fields[i] = inner.substr(0, length);
    inner.remove_prefix(std::min(length + 1, inner.size()));
  }
  return fields;
}

std::string say(char kind, const Fields& fields, const Wording& wording) {
  switch (kind) {
    case kSetting:
      return wording.of(Setting{fields[0], fields[1]});
    case kOtherValue:
      return wording.of(OtherValue{fields[0], fields[1]});
    case kCommand:
      return wording.of(Command{fields[0], fields[1], {fields[2], fields[3]}});
    case kRefit:
      return wording.of(Refit{{fields[0], fields[1]}});
    default:
      return {};
  }
}

class FieldWording final : public Wording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    if (setting.name == "complete_in") {
      return "missing = drop, " + of(Setting{"missing_in", setting.value});
    }
    const bool one_word = setting.value.find(' ') == std::string::npos;
    return setting.value.empty()
               ? setting.name
               : setting.name + " = " + (one_word ? setting.value : in_quotes(setting.value));
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override { return other.value; }
  [[nodiscard]] std::string of(const Command& command) const override {
    std::string words = "flymc " + command.name;
    if (!command.argument.empty()) {
      words += " " + command.argument;
    }
    return command.setting.name.empty() ? words : words + " (" + of(command.setting) + ")";
  }
  [[nodiscard]] std::string of(const Refit& refit) const override {
    if (refit.setting.name == "resume") {
      return of(refit.setting);
    }
    return (refit.setting.name.empty() ? "" : of(refit.setting) + ", ") + "overwrite = true";
  }
};

}  // namespace

const Wording& field_wording() noexcept {
  static const FieldWording wording;
  return wording;
}

Message::Message(std::string_view text) : bytes_(without_marks(text)) {}
Message::Message(const std::string& text) : Message(std::string_view(text)) {}
Message::Message(const char* text) : Message(std::string_view(text)) {}

Message::Message(const Setting& setting) : bytes_(part(kSetting, {setting.name, setting.value})) {}

Message::Message(const OtherValue& other)
    : bytes_(part(kOtherValue, {other.setting, other.value})) {}

Message::Message(const Command& command)
    : bytes_(part(kCommand,
                  {command.name, command.argument, command.setting.name, command.setting.value})) {}

Message::Message(const Refit& refit)
    : bytes_(part(kRefit, {refit.setting.name, refit.setting.value})) {}

Message Message::from_bytes(std::string bytes) {
  Message message;
  message.bytes_ = std::move(bytes);
  return message;
}

std::string Message::in(const Wording& wording) const {
  std::string words;
  std::string_view rest = bytes_;
  while (!rest.empty()) {
    const std::size_t begin = std::min(rest.find(kBegin), rest.size());
    words += rest.substr(0, begin);
    rest.remove_prefix(begin);
    const std::size_t end = rest.find(kEnd);
    if (rest.size() < 2 || end == std::string_view::npos) {
      break;
    }
    words += say(rest[1], fields_of(rest.substr(2, end - 2)), wording);
    rest.remove_prefix(end + 1);
  }
  return words;
}

Message& Message::operator+=(const Message& more) {
  bytes_ += more.bytes_;
  return *this;
}

}  // namespace flymc
