// The files a run makes, by name, and a run that takes the place of an older one.
//
// The new run lives in a folder of its own inside (kNextRun) until it is complete: till then the
// old one is whole, where it always was, and `fit --resume` goes on with the new one. Then
//   1. the inner folder is renamed to kCompleteRun: from here on the new run counts;
//   2. the old run's files are removed, its run.json last;
//   3. the new files move up, run.json last;
//   4. the inner folder, empty now, is removed.
// Who takes the folder next and finds kCompleteRun goes on at 2, so that a kill at any moment loses
// no run and mixes no two. Links are never followed, and only what a run.json of ours names goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace flymc {

// Stands near the beginning of every page of a run, and of no other.
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"flymc report\">";

inline constexpr std::string_view kNextRun = ".flymc-next";
inline constexpr std::string_view kCompleteRun = ".flymc-complete";

// A page that `report` wrote.
[[nodiscard]] bool is_page(const std::filesystem::path& path);

// Exactly the names a run makes: run.json, chain-K.csv, ...
[[nodiscard]] bool is_run_file(const std::string& name);

// THROWS Error(kPermission) where the folder is there and its files cannot be seen.
void require_readable(const std::filesystem::path& folder);

[[nodiscard]] bool holds_run_files(const std::filesystem::path& folder);
[[nodiscard]] bool holds_checkpoint(const std::filesystem::path& folder);

// The files of one run, as its run.json names them.
struct Manifest {
  std::uint64_t chains = 0;
  bool warmup = false;
  bool levels = false;  // levels.csv
  [[nodiscard]] bool names(const std::string& file) const;
};

// None where run.json is not there or was not written by a fit.
[[nodiscard]] std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

// THROWS Error(kCannotCreate) where the folder holds a file with a name that a run makes and that
// no run.json of ours names.
void require_replaceable(const std::filesystem::path& folder);

// All files with the names of a run, run.json last; what cannot be removed stays.
void remove_run_files(const std::filesystem::path& folder);

// What a writer that was killed left of files of a run. REQUIRES: the lock of the folder.
void remove_leftovers(const std::filesystem::path& folder);

// The folder of the run that `fit --resume` goes on with: that which is to replace another, or the
// folder itself. As the next two it finishes first what was left at step 2 or 3. REQUIRES: the lock
// of the folder. THROWS Error: kPermission, kCannotCreate.
[[nodiscard]] std::filesystem::path resumable_folder(const std::filesystem::path& folder);

// An empty folder for the files of a new run: inside, where the folder holds a run. THROWS Error as
// require_replaceable, too.
[[nodiscard]] std::filesystem::path folder_for_next(const std::filesystem::path& folder);

// Steps 1 to 4; `after_step` is told of every change. REQUIRES: a complete run in kNextRun.
void put_in_place(const std::filesystem::path& folder,
                  const std::function<void()>& after_step = {});

// Whether a process is, or was killed, at step 2 or 3.
[[nodiscard]] bool is_being_replaced(const std::filesystem::path& folder);

// The folder as the user knows it, of one that may lie inside.
[[nodiscard]] std::filesystem::path known_folder(const std::filesystem::path& folder);

}  // namespace flymc
