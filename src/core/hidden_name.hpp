// Names for what is not finished: beside the file it is to become, hidden, and so that nobody can
// have made or planted something under it before.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flymc {

// "dir/.a.csv.0123456789abcdef.flymc" for "dir/a.csv", with 64 random bits. THROWS Error(kInternal)
// where the system has none.
[[nodiscard]] std::string hidden_name(const std::filesystem::path& path);

// "a.csv" of such a name (without its folder), empty of any other: what a killed writer left.
[[nodiscard]] std::string_view name_behind(std::string_view hidden) noexcept;

}  // namespace flymc
