// Folders and files a command makes, with the errors of the contract where they cannot be made.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flymc::app {

// Makes the folder and its parents; returns whether it was not there before.
// THROWS Error: kPermission, kCannotCreate.
bool make_folder(const std::filesystem::path& folder);

// A temporary file beside `path`, on the disk before it is renamed: a reader, now or after a power
// cut, sees the old text or the new one, and a failure leaves the old one. The text may come in two
// pieces. THROWS Error: kPermission, kCannotCreate, kIo (disk full).
void write_text(const std::filesystem::path& path, std::string_view text,
                std::string_view more = {});

}  // namespace flymc::app
