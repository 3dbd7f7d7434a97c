#include "run/run_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "core/hidden_name.hpp"
#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "run/level_file.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRecord = "run.json";

// The file itself, not what a link points to.
bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}
bool is_plain_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Listed first: what is renamed while a directory is read may turn up twice.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

// run.json last: while it is there, the rest is known.
std::vector<std::string> run_files_in(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) { return !is_run_file(name); });
  std::partition(names.begin(), names.end(),
                 [](const std::string& name) { return name != kRecord; });
  return names;
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);  // of a link the link, of a folder only an empty one
}

// A power cut must not turn the order of the steps around.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    ::fsync(file);
    ::close(file);
  }
}

// K of "chain-K.csv" and the like, as a run writes it; none for any other name.
std::optional<std::uint64_t> number_in(const std::string& name, std::string_view prefix,
                                       std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
      name.size() <= prefix.size() + suffix.size()) {
    return std::nullopt;
  }
  const char* const begin = name.data() + prefix.size();
  const char* const end = name.data() + name.size() - suffix.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  const bool sound = error == std::errc() && stop == end && *begin != '0';
  return sound ? std::optional(number) : std::nullopt;
}

struct Numbered {
  std::string_view prefix, suffix;
  bool warmup = false;
};
constexpr Numbered kNumbered[] = {
    {"chain-", ".csv"}, {"chain-", ".ckpt"}, {"warmup-", ".csv", true}};

[[noreturn]] void fail_move(const fs::path& folder, const std::string& why,
                            std::string_view whole = kCompleteRun) {
  throw Error(ErrorKind::kCannotCreate,
              fmt::format("cannot replace the run in {}: {}; the new one is whole, in {}",
                          shown_folder(folder), why, shown_folder(folder / whole)),
              message("repair that, then {}",
                      Command{"fit", "", {"resume", escaped((folder / "").string())}}));
}

// Not quietly: a file that stays would be in the way once its run.json is gone.
void remove_old(const fs::path& folder, const std::string& name) {
  std::error_code error;
  fs::remove(folder / name, error);
  if (error) {
    fail_move(folder, fmt::format("{} cannot be removed: {}", name, error.message()));
  }
}

void move_up(const fs::path& folder, const std::string& name) {
  const fs::path to = folder / name;
  if (is_there(to)) {  // not of the old run: that is gone
    fail_move(folder, shown_folder(folder) + name + " is in the way");
  }
  std::error_code error;
  fs::rename(folder / kCompleteRun / name, to, error);
  if (error) {
    fail_move(folder, error.message());
  }
}

// Steps 2 to 4.
void finish_replacing(const fs::path& folder, const std::function<void()>& after_step) {
  const auto told = [&] {
    if (after_step) {
      after_step();
    }
  };
  const fs::path complete = folder / kCompleteRun;
  if (!is_plain_folder(complete)) {
    return;
  }
  if (is_there(complete / kRecord)) {
    if (is_page(folder / "report.html")) {
      remove_quietly(folder / "report.html");
    }
    const auto old = read_manifest(folder);
    for (const std::string& name : run_files_in(folder)) {
      if (old && old->names(name)) {
        remove_old(folder, name);
        told();
      }
    }
    sync_folder(folder);
    for (const std::string& name : run_files_in(complete)) {
      move_up(folder, name);
      told();
    }
    sync_folder(folder);
  }
  remove_leftovers(complete);
  remove_quietly(complete);
}

}  // namespace

bool is_page(const fs::path& path) {
  if (!is_plain_file(path)) {
    return false;
  }
  std::string start(1024, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(kPageMark) != std::string::npos;
}

bool is_run_file(const std::string& name) {
  return name == kRecord || name == kLevelFile ||
         std::ranges::any_of(kNumbered, [&](const Numbered& file) {
           return number_in(name, file.prefix, file.suffix).has_value();
         });
}

bool Manifest::names(const std::string& file) const {
  return file == kRecord || (levels && file == kLevelFile) ||
         std::ranges::any_of(kNumbered, [&](const Numbered& kind) {
           const auto number = number_in(file, kind.prefix, kind.suffix);
           return number && *number <= chains && (warmup || !kind.warmup);
         });
}

void require_readable(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && ::access(folder.c_str(), R_OK | X_OK) != 0 &&
      errno == EACCES) {
    throw Error(ErrorKind::kPermission, "cannot read " + shown_folder(folder),
                "check its permissions.");
  }
}

bool holds_run_files(const fs::path& folder) { return !run_files_in(folder).empty(); }

bool holds_checkpoint(const fs::path& folder) {
  return std::ranges::any_of(names_in(folder), [](const std::string& name) {
    return number_in(name, "chain-", ".ckpt").has_value();
  });
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  if (!is_plain_file(folder / kRecord)) {
    return std::nullopt;
  }
  using Json = nlohmann::json;
  std::ifstream file(folder / kRecord, std::ios::binary);
  const Json run = Json::parse(file, nullptr, false);
  const auto has = [](const Json& in, const char* key, auto is) {
    return in.is_object() && in.contains(key) && (in.at(key).*is)();
  };
  if (!has(run, "version", &Json::is_string) || !has(run, "exact", &Json::is_boolean) ||
      !has(run, "config", &Json::is_object) ||
      !has(run.at("config"), "chains", &Json::is_number_unsigned)) {
    return std::nullopt;
  }
  const Json& config = run.at("config");
  const bool warmup =
      has(config, "save-warmup", &Json::is_boolean) && config.at("save-warmup").get<bool>();
  return Manifest{config.at("chains").get<std::uint64_t>(), warmup, run.contains("level_file")};
}

void require_replaceable(const fs::path& folder) {
  if (is_being_replaced(folder)) {
    return;  // half of one run and half of another: looked at once that is finished
  }
  const auto ours = read_manifest(folder);
  for (const std::string& name : run_files_in(folder)) {
    if (!ours || !ours->names(name)) {
      throw Error(
          ErrorKind::kCannotCreate,
          fmt::format("{0}{1} is not of a run that a fit made in {0} and is not overwritten",
                      shown_folder(folder), name),
          message("move it or choose another {}.", Setting{"out"}));
    }
  }
}

void remove_run_files(const fs::path& folder) {
  for (const std::string& name : run_files_in(folder)) {
    remove_quietly(folder / name);
  }
}

void remove_leftovers(const fs::path& folder) {
  for (const std::string& name : names_in(folder)) {
    if (is_run_file(std::string(name_behind(name))) && is_plain_file(folder / name)) {
      remove_quietly(folder / name);
    }
  }
}

fs::path resumable_folder(const fs::path& folder) {
  finish_replacing(folder, {});
  const fs::path next = folder / kNextRun;
  return is_plain_folder(next) && read_manifest(next) ? next : folder;
}

fs::path folder_for_next(const fs::path& folder) {
  finish_replacing(folder, {});
  require_replaceable(folder);
  if (!holds_run_files(folder)) {
    return folder;
  }
  const fs::path next = folder / kNextRun;
  if (is_there(next) && !is_plain_folder(next)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{}{} is not a folder that a fit made", shown_folder(folder), kNextRun),
                message("move it or choose another {}.", Setting{"out"}));
  }
  make_folder(next);
  remove_leftovers(next);
  remove_run_files(next);  // of a run that was to replace this one, and was not to go on
  return next;
}

void put_in_place(const fs::path& folder, const std::function<void()>& after_step) {
  std::error_code error;
  sync_folder(folder / kNextRun);
  fs::rename(folder / kNextRun, folder / kCompleteRun, error);
  if (error) {
    fail_move(folder, error.message(), kNextRun);
  }
  sync_folder(folder);
  if (after_step) {
    after_step();
  }
  finish_replacing(folder, after_step);
}

bool is_being_replaced(const fs::path& folder) {
  return is_plain_folder(folder / kCompleteRun) && is_there(folder / kCompleteRun / kRecord);
}

fs::path known_folder(const fs::path& folder) {
  return folder.filename() == kNextRun ? folder.parent_path() : folder;
}

}  // namespace flymc
