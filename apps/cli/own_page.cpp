#include "cli/own_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "flymc/error.hpp"
#include "run/run_config.hpp"
#include "run/run_files.hpp"

namespace flymc::cli {

namespace fs = std::filesystem;

namespace {

// None where they are gone.
std::vector<std::string> data_files(const fs::path& run) {
  const StoredRun stored = read_stored_run(run);
  std::vector<std::string> paths;
  for (const FileChecksum& file : stored.files) {
    paths.push_back(file.path);
  }
  try {
    std::ranges::copy(input_files(stored.options.data.path).paths, std::back_inserter(paths));
  } catch (const Error&) {
  }
  return paths;
}

void require_no_input(const PageOutput& page) {
  for (const fs::path& run : page.runs) {
    std::error_code ignored;
    const fs::path home = page.out.has_parent_path() ? page.out.parent_path() : ".";
    if (is_run_file(page.out.filename().string()) && fs::equivalent(home, run, ignored)) {
      throw Error(ErrorKind::kCannotCreate,
                  fmt::format("{} belongs to the run; choose another --out.",
                              in_quotes(page.out.string())));
    }
    for (const std::string& file : data_files(run)) {
      if (fs::equivalent(page.out, file, ignored)) {
        throw Error(ErrorKind::kCannotCreate,
                    fmt::format("{} holds the data of {}; choose another --out.",
                                in_quotes(page.out.string()), shown_folder(run)));
      }
    }
  }
}

}  // namespace

void require_own_page(const PageOutput& page) {
  require_absent(page.out, true);
  std::error_code error;
  const bool foreign = fs::is_regular_file(page.out, error) && fs::file_size(page.out, error) > 0 &&
                       !error && !is_page(fs::canonical(page.out));
  if (!foreign) {
    return;
  }
  if (!page.overwrite) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} was not written by flymc {} and is not overwritten; choose "
                            "another --out. Or use --overwrite.",
                            in_quotes(page.out.string()), page.command));
  }
  require_no_input(page);
}

}  // namespace flymc::cli
