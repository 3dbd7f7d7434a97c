// The run folder as it is made: run.json (written atomically), and the paths of the chain files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/output_folder.hpp"
#include "fit/engine.hpp"
#include "fit/notable_rows.hpp"
#include "fit/prepare.hpp"
#include "run/run_files.hpp"
#include "run/run_options.hpp"

namespace flymc {

// THROWS Error(kCannotCreate) where the folder holds files of a run and overwrite is off, or files
// that only look like it: asked before a long read, and again by RunWriter.
void require_free(const std::filesystem::path& folder, bool overwrite);

// THROWS Error(kCannotCreate) where a run in this folder would replace its own input, or lie among
// its parts.
void require_outside(const std::filesystem::path& data, const std::filesystem::path& folder);

// THROWS Error(kCannotCreate) where `data` is a directory of part files and the folder lies in it.
void require_outside_parts(const std::filesystem::path& data, const std::filesystem::path& folder);

[[nodiscard]] std::filesystem::path checkpoint_file(const std::filesystem::path& folder,
                                                    std::uint32_t chain);

// What to do with a run that the folder already holds.
enum class OldRun { kRefuse, kReplace, kResume };

// No other process writes to the folder while this lives, or until this process ends, however it
// does. Where the file system knows no locks the run goes on without.
class FolderLock {
 public:
  // THROWS Error(kCannotCreate) where another process has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

// Owns what a run creates. Until keep() is called its destructor removes the files it made (and the
// folders, if it made those too): a run that fails in set-up leaves the folder as it was. What was
// checkpointed stays, whatever happens, and so does a run that is resumed. A run that replaces
// another does so in finish(), and till then lies beside it (run_files.hpp).
class RunWriter {
 public:
  // `lock`: that of the folder, where the caller has it already. THROWS Error(kCannotCreate) where
  // the folder holds a run already and that is refused, or is being written, and kCannotCreate or
  // kPermission where it cannot be made or written to.
  RunWriter(std::filesystem::path folder, OldRun old_run, std::shared_ptr<FolderLock> lock = {});
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // Where the files of the run are until it is finished.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return work_; }
  [[nodiscard]] std::filesystem::path chain_file(std::uint32_t chain) const;
  [[nodiscard]] std::filesystem::path warmup_file(std::uint32_t chain) const;
  [[nodiscard]] std::filesystem::path checkpoint_file(std::uint32_t chain) const {
    return flymc::checkpoint_file(work_, chain);
  }

  // A temporary file, then a rename: a reader sees the old text or the new one.
  void write_json(const std::string& text);
  void keep() noexcept { kept_ = true; }
  // The run is complete. THROWS Error: kCannotCreate where it cannot take the place of the old one.
  void finish();

 private:
  std::filesystem::path folder_;
  std::optional<NewFolder> home_;
  std::shared_ptr<FolderLock> lock_;
  std::filesystem::path work_;
  bool kept_ = false;
};

// The text of run.json before, during and after sampling; `result` is null before.
struct RunFacts {
  const Problem& problem;
  const RunOptions& options;
  const EngineResult* result = nullptr;
  std::string status;    // running, interrupted, complete
  NotableRows notable;   // of all chains
  double clock_s = 0.0;  // since the command began, and of those before that it goes on with
};
[[nodiscard]] std::string describe_run(const RunFacts& facts);

}  // namespace flymc
