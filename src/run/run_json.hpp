// run.json as it stands, for those who need more of it than a RunRecord holds.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "flymc/message.hpp"

namespace flymc {

// THROWS Error: kNoInput if the folder or its run.json is not there, kPermission, kData if it is
// not JSON.
[[nodiscard]] nlohmann::json read_run_json(const std::filesystem::path& folder);

// "run/run.json: WHAT is not EXPECTED; ..." as Error(kData).
[[noreturn]] void fail_run_json(const std::filesystem::path& folder, const Message& what,
                                const std::string& expected);

}  // namespace flymc
