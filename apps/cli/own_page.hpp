// Where a page may be written.
#pragma once

#include <filesystem>
#include <vector>

namespace flymc::cli {

// A page of ours is made anew; what somebody else wrote is replaced only where that is asked for,
// and what the runs are made of never. THROWS Error(kCannotCreate) then, and as require_absent.
struct PageOutput {
  std::filesystem::path out;
  const char* command;
  std::vector<std::filesystem::path> runs;
  bool overwrite = false;
};
void require_own_page(const PageOutput& page);

}  // namespace flymc::cli
