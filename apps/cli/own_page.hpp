// Where a page may be written.
#pragma once

#include <filesystem>

namespace flymc::cli {

// A page of ours is made anew; what somebody else wrote is not ours to replace. THROWS
// Error(kCannotCreate) then, and as require_absent.
void require_own_page(const std::filesystem::path& out, const char* command);

}  // namespace flymc::cli
