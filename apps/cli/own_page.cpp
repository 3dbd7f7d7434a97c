#include "cli/own_page.hpp"

#include <fmt/format.h>

#include <system_error>

#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "run/run_files.hpp"

namespace flymc::cli {

namespace fs = std::filesystem;

void require_own_page(const fs::path& out, const char* command) {
  require_absent(out, true);
  std::error_code error;
  if (fs::is_regular_file(out, error) && fs::file_size(out, error) > 0 && !error &&
      !is_page(fs::canonical(out))) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} was not written by flymc {} and is not overwritten; choose "
                            "another --out.",
                            in_quotes(out.string()), command));
  }
}

}  // namespace flymc::cli
