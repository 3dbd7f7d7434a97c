#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/conversions.hpp"
#include "flymc/error.hpp"
#include "run/run_files.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"

namespace flymc {
namespace {

Message remedy() {
  return message("restore the file, or fit again with another {}.", Setting{"out"});
}

// An object of run.json that knows its name in the file, so that an error can tell it. One that is
// absent or null has no entries.
class Section {
 public:
  Section(const nlohmann::json* json, std::filesystem::path folder, std::string name)
      : json_(json), folder_(std::move(folder)), name_(std::move(name)) {
    if (json_ != nullptr && !json_->is_object()) {
      fail(name_.empty() ? "the content" : "'" + name_ + "'", "an object");
    }
  }

  [[nodiscard]] Section section(const char* key) const { return {find(key), folder_, key}; }

  // Unknown if absent.
  [[nodiscard]] double number(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_number()) {
      fail(path(key), "a number");
    }
    return value == nullptr ? RunRecord::kUnknown : value->get<double>();
  }

  // Empty if absent.
  [[nodiscard]] std::vector<double> numbers(const char* key) const {
    const nlohmann::json* value = find(key);
    const bool numeric = value == nullptr ||
                         (value->is_array() &&
                          std::all_of(value->begin(), value->end(),
                                      [](const nlohmann::json& one) { return one.is_number(); }));
    if (!numeric) {
      fail(path(key), "a list of numbers");
    }
    return value == nullptr ? std::vector<double>{} : value->get<std::vector<double>>();
  }

  [[nodiscard]] std::uint64_t count(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr || !value->is_number_unsigned()) {
      fail(path(key), "a count");
    }
    return value->get<std::uint64_t>();
  }

  [[nodiscard]] std::string text(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr || !value->is_string()) {
      fail(path(key), "text");
    }
    return value->get<std::string>();
  }

  // Empty if absent.
  [[nodiscard]] std::vector<std::string> texts(const char* key) const {
    const nlohmann::json* value = find(key);
    const bool are_texts = value == nullptr ||
                           (value->is_array() &&
                            std::all_of(value->begin(), value->end(),
                                        [](const nlohmann::json& one) { return one.is_string(); }));
    if (!are_texts) {
      fail(path(key), "a list of texts");
    }
    return value == nullptr ? std::vector<std::string>{} : value->get<std::vector<std::string>>();
  }

  // False if absent.
  [[nodiscard]] bool flag(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_boolean()) {
      fail(path(key), "true or false");
    }
    return value != nullptr && value->get<bool>();
  }

  // "key=text" for the first of each list of texts.
  [[nodiscard]] std::vector<std::string> firsts() const {
    std::vector<std::string> found;
    if (json_ == nullptr) {
      return found;
    }
    for (const auto& [key, value] : json_->items()) {
      if (!value.is_array() || value.empty() || !value.front().is_string()) {
        fail(path(key.c_str()), "a list of texts");
      }
      found.push_back(key + "=" + value.front().get<std::string>());
    }
    return found;
  }

  // Every entry is a list of numbers.
  [[nodiscard]] std::map<std::string, std::vector<double>> all_numbers() const {
    std::map<std::string, std::vector<double>> all;
    if (json_ == nullptr) {
      return all;
    }
    for (const auto& [key, value] : json_->items()) {
      all[key] = numbers(key.c_str());
    }
    return all;
  }

  [[nodiscard]] std::vector<Section> list(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_array()) {
      fail(path(key), "a list");
    }
    std::vector<Section> entries;
    for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
      entries.emplace_back(&(*value)[i], folder_, key + ("[" + std::to_string(i) + "]"));
    }
    return entries;
  }

 private:
  [[nodiscard]] const nlohmann::json* find(const char* key) const {
    if (json_ == nullptr || !json_->contains(key) || json_->at(key).is_null()) {
      return nullptr;
    }
    return &json_->at(key);
  }
  [[nodiscard]] std::string path(const char* key) const {
    return "'" + (name_.empty() ? "" : name_ + ".") + key + "'";
  }
  [[noreturn]] void fail(const std::string& what, const std::string& expected) const {
    fail_run_json(folder_, what, expected);
  }

  const nlohmann::json* json_;
  std::filesystem::path folder_;
  std::string name_;
};

// A run that replaces this one takes a moment; one that was killed just then leaves half of each.
void wait_for_place(const std::filesystem::path& folder) {
  constexpr int kTimes = 20;
  constexpr auto kPause = std::chrono::milliseconds(50);
  for (int i = 0; i < kTimes && is_being_replaced(folder); ++i) {
    std::this_thread::sleep_for(kPause);
  }
  if (is_being_replaced(folder)) {
    throw Error(ErrorKind::kNoInput,
                shown_folder(folder) + ": the run that replaces this one is not in its place yet",
                message("put it there with {}",
                        Command{"fit", "", {"resume", escaped((folder / "").string())}}));
  }
}

}  // namespace

std::string shown_folder(const std::filesystem::path& folder) {
  const std::string text = escaped(folder.string());
  return text.ends_with('/') ? text : text + "/";
}

void fail_run_json(const std::filesystem::path& folder, const Message& what,
                   const std::string& expected) {
  throw Error(ErrorKind::kData,
              message("{}run.json: {} is not {}", shown_folder(folder), what, expected), remedy());
}

nlohmann::json read_run_json(const std::filesystem::path& folder) {
  const std::string shown = shown_folder(folder);
  std::error_code refused;
  const bool is_folder = std::filesystem::is_directory(folder, refused);
  if (refused == std::errc::permission_denied) {
    throw Error(ErrorKind::kPermission, "cannot look into " + shown, "check its permissions.");
  }
  if (!is_folder) {
    throw Error(ErrorKind::kNoInput, "no run folder '" + shown + "'",
                message("make one with {}", Command{"fit", "DATA", {"out", shown}}));
  }
  wait_for_place(folder);
  if (!std::filesystem::exists(folder / "run.json", refused)) {
    require_readable(folder);
    throw Error(ErrorKind::kNoInput, shown + " holds no run.json, so it is not a run folder",
                message("give the folder named by {} when fitting.", Setting{"out"}));
  }
  errno = 0;
  std::ifstream file(folder / "run.json", std::ios::binary);
  if (!file) {
    const int cause = errno;
    throw Error(cause == EACCES ? ErrorKind::kPermission : ErrorKind::kIo,
                "cannot read " + shown + "run.json; check its permissions.");
  }
  try {
    return nlohmann::json::parse(file);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(ErrorKind::kData,
                shown + "run.json: not valid JSON at byte " + std::to_string(error.byte), remedy());
  } catch (const nlohmann::json::exception&) {  // a number that no double holds
    throw Error(ErrorKind::kData, shown + "run.json: not valid JSON", remedy());
  }
}

RunRecord read_run_record(const std::filesystem::path& folder) {
  const nlohmann::json json = read_run_json(folder);
  const Section run(&json, folder, "");
  const Section config = run.section("config");
  const Section setup = run.section("setup");
  const Section sampling = run.section("sampling");
  const Section spread = run.section("column_sd");
  std::vector<ParameterName> parameters;
  for (const Section& entry : run.list("parameters")) {
    const std::string column = entry.text("column");
    parameters.push_back({.column = column,
                          .label = entry.text("label"),
                          .column_sd = spread.number(column.c_str())});
  }
  return {.n = run.count("n"),
          .d = run.count("d"),
          .model = run.text("model"),
          .engine = run.text("engine"),
          .status = run.text("status"),
          .exact = run.flag("exact"),
          .parameters = std::move(parameters),
          .references = run.section("levels").firsts(),
          .conversions = conversions(run.section("constants").all_numbers()),
          .classes = run.texts("classes"),
          .class_rows = run.numbers("class_rows"),
          .thin = config.number("thin"),
          .warmup = config.number("warmup"),
          .setup_seconds = setup.number("seconds"),
          .setup_passes = setup.number("passes"),
          .reanchor_seconds = setup.number("reanchor_seconds"),
          .mode_nats = setup.numbers("mode_nats"),
          .clock_seconds = run.number("seconds"),
          .seconds = sampling.number("seconds"),
          .iterations = sampling.number("iterations"),
          .evaluations = sampling.number("evaluations"),
          .queries_theta = sampling.number("queries_theta"),
          .queries_z = sampling.number("queries_z"),
          .mean_bright = sampling.number("mean_bright")};
}

}  // namespace flymc
