// Folders and files a command makes, with the errors of the contract where they cannot be made.
#pragma once

#include <filesystem>
#include <string>

namespace flymc::app {

// Makes the folder and its parents; returns whether it was not there before.
// THROWS Error: kPermission, kCannotCreate.
bool make_folder(const std::filesystem::path& folder);

// A temporary file beside `path`, then a rename: a reader sees the old text or the new one, and a
// failure leaves nothing. THROWS Error: kPermission, kCannotCreate, kIo (disk full).
void write_text(const std::filesystem::path& path, const std::string& text);

// A path as one word of a shell command, in quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::filesystem::path& path);

}  // namespace flymc::app
