#include "run/run_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

std::string what_it_holds(const fs::path& folder) {
  try {
    const bool complete = read_run_record(folder).status == "complete";
    return complete ? "a finished run" : "a run that did not finish";
  } catch (const Error&) {
    return "files of a run";
  }
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
  std::error_code ignored;
  const fs::path from = fs::weakly_canonical(fs::absolute(outer, ignored), ignored);
  const fs::path to = fs::weakly_canonical(fs::absolute(inner, ignored), ignored);
  const fs::path step = to.lexically_relative(from);
  return !step.empty() && *step.begin() != "..";
}

}  // namespace

void require_free(const fs::path& folder, bool overwrite) {
  require_readable(folder);
  if (overwrite) {
    require_replaceable(folder);
    return;
  }
  if (!holds_run_files(folder) && !is_being_replaced(folder)) {
    return;
  }
  const std::string problem =
      fmt::format("{} already holds {}", shown_folder(folder), what_it_holds(folder));
  if (!read_manifest(folder) && !is_being_replaced(folder)) {
    throw Error(ErrorKind::kCannotCreate, problem + ", and no run.json that a fit wrote",
                message("move them or choose another {}.", Setting{"out"}));
  }
  throw Error(ErrorKind::kCannotCreate, problem,
              message("use {}, {} or another {}.", Setting{"resume"}, Setting{"overwrite"},
                      Setting{"out"}));
}

void require_outside_parts(const fs::path& data, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(data, ignored) && lies_in(folder, data)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds the part files of the data", shown_folder(data)),
                message("choose an {} outside.", Setting{"out"}));
  }
}

void require_outside(const fs::path& data, const fs::path& folder) {
  std::error_code ignored;
  const fs::path home = data.has_parent_path() ? data.parent_path() : ".";
  if (is_run_file(data.filename().string()) && fs::equivalent(home, folder, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} would be overwritten by the run", in_quotes(data.string())),
                message("choose another {}.", Setting{"out"}));
  }
}

FolderLock::FolderLock(const fs::path& folder)
    : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is being written by another flymc", shown_folder(folder)),
                message("wait for it, or choose another {}.", Setting{"out"}));
  }
}

FolderLock::~FolderLock() { ::close(file_); }

RunWriter::RunWriter(fs::path folder, OldRun old_run, std::shared_ptr<FolderLock> lock)
    : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()),
      lock_(std::move(lock)),
      kept_(old_run == OldRun::kResume) {
  home_.emplace(folder_);
  if (!lock_) {
    lock_ = std::make_shared<FolderLock>(folder_);
  }
  switch (old_run) {
    case OldRun::kRefuse:
      require_free(folder_, false);
      work_ = folder_;
      break;
    case OldRun::kReplace:
      work_ = folder_for_next(folder_);
      break;
    case OldRun::kResume:
      work_ = resumable_folder(folder_);
      break;
  }
  remove_leftovers(folder_);
  remove_leftovers(work_);
}

RunWriter::~RunWriter() {
  if (kept_ || holds_checkpoint(work_)) {
    return;
  }
  remove_run_files(work_);
  if (work_ != folder_) {
    std::error_code ignored;
    fs::remove(work_, ignored);  // only if empty
  }
}

void RunWriter::finish() {
  if (work_ != folder_) {
    put_in_place(folder_);
    work_ = folder_;
  }
}

fs::path RunWriter::chain_file(std::uint32_t chain) const {
  return work_ / fmt::format("chain-{}.csv", chain + 1);
}

fs::path RunWriter::warmup_file(std::uint32_t chain) const {
  return work_ / fmt::format("warmup-{}.csv", chain + 1);
}

fs::path checkpoint_file(const fs::path& folder, std::uint32_t chain) {
  return folder / fmt::format("chain-{}.ckpt", chain + 1);
}

void RunWriter::write_json(const std::string& text) { write_text(work_ / "run.json", text); }

}  // namespace flymc
