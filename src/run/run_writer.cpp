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
  if (overwrite || !holds_run_files(folder)) {
    return;
  }
  throw Error(ErrorKind::kCannotCreate,
              fmt::format("{} already holds {}", shown_folder(folder), what_it_holds(folder)),
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

RunWriter::RunWriter(fs::path folder, OldRun old_run)
    : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()),
      replaced_(folder_),
      kept_(old_run == OldRun::kResume) {
  require_free(folder_, old_run != OldRun::kRefuse);
  home_.emplace(folder_);
  lock_.emplace(folder_);
  if (old_run == OldRun::kReplace) {
    replaced_.set_aside();
  }
}

RunWriter::~RunWriter() {
  if (!kept_) {
    remove_run_files(folder_);
  }
}

void RunWriter::keep() noexcept {
  kept_ = true;
  replaced_.drop();
}

fs::path RunWriter::chain_file(std::uint32_t chain) const {
  return folder_ / fmt::format("chain-{}.csv", chain + 1);
}

fs::path RunWriter::warmup_file(std::uint32_t chain) const {
  return folder_ / fmt::format("warmup-{}.csv", chain + 1);
}

fs::path checkpoint_file(const fs::path& folder, std::uint32_t chain) {
  return folder / fmt::format("chain-{}.ckpt", chain + 1);
}

void RunWriter::write_json(const std::string& text) { write_text(folder_ / "run.json", text); }

}  // namespace flymc
