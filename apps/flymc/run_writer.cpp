#include "flymc/run_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/output_folder.hpp"
#include "flymc/report/run_folder.hpp"

namespace flymc::app {
namespace fs = std::filesystem;
namespace {

// Exactly the names a run makes.
bool is_run_file(const std::string& name) {
  const auto numbered = [&](const std::string& prefix, const std::string& suffix) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size()) {
      return false;
    }
    const auto middle = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    return std::all_of(middle.begin(), middle.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  return name == "run.json" || name == "run.json.tmp" || numbered("chain-", ".csv") ||
         numbered("chain-", ".csv.tmp") || numbered("warmup-", ".csv") ||
         numbered("chain-", ".ckpt") || numbered("chain-", ".ckpt.tmp");
}

void remove_run_files(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_run_file(entry.path().filename().string())) {
      fs::remove(entry.path(), ignored);
    }
  }
}

bool holds_run_files(const fs::path& folder) {
  std::error_code ignored;
  const fs::directory_iterator files(folder, ignored);
  return std::any_of(begin(files), end(files), [](const fs::directory_entry& entry) {
    return is_run_file(entry.path().filename().string());
  });
}

std::string what_it_holds(const fs::path& folder) {
  try {
    const bool complete = read_run_record(folder).status == "complete";
    return complete ? "a finished run" : "a run that did not finish";
  } catch (const Error&) {
    return "files of a run";
  }
}

// The lock goes with the process, however that ends. Where the file system knows none, the run goes
// on without.
int lock_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file);
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is being written by another flymc; wait for it, or choose another "
                            "--out.",
                            shown_folder(folder)));
  }
  return file;
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
              fmt::format("{} already holds {}; use --resume, --overwrite or another --out.",
                          shown_folder(folder), what_it_holds(folder)));
}

void require_outside_parts(const fs::path& data, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(data, ignored) && lies_in(folder, data)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds the part files of the data; choose an --out outside.",
                            shown_folder(data)));
  }
}

void require_outside(const fs::path& data, const fs::path& folder) {
  std::error_code ignored;
  const fs::path home = data.has_parent_path() ? data.parent_path() : ".";
  if (is_run_file(data.filename().string()) && fs::equivalent(home, folder, ignored)) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} would be overwritten by the run; choose another --out.",
                            in_quotes(data.string())));
  }
}

RunWriter::RunWriter(fs::path folder, OldRun old_run)
    : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()),
      kept_(old_run == OldRun::kResume) {
  require_free(folder_, old_run != OldRun::kRefuse);
  std::error_code ignored;
  for (fs::path part = folder_; !part.empty() && !fs::exists(part, ignored);
       part = part.parent_path()) {
    made_.push_back(part);
  }
  make_folder(folder_);
  lock_ = lock_folder(folder_);
  if (old_run != OldRun::kResume) {
    remove_run_files(folder_);
  }
}

RunWriter::~RunWriter() {
  if (!kept_) {
    remove_run_files(folder_);
    std::error_code ignored;
    for (const fs::path& folder : made_) {  // the innermost first, each only if empty
      fs::remove(folder, ignored);
    }
  }
  ::close(lock_);
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

}  // namespace flymc::app
