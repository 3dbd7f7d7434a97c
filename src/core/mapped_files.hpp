// The files that are mapped into memory now, and what becomes of one that somebody changes.
//
// A file cut short while it is mapped gives zeros up to the end of its last page, and SIGBUS
// beyond. Both must be noticed: the first by require_unchanged_files(), before anything computed
// from the bytes is kept; the second by a signal handler of the program, which finds the file's
// name here. The library installs no handler: signals belong to the program that uses it.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace flymc {

// To be called when [first, first + bytes) has been mapped, and before it is unmapped. `status` is
// that of the open file. Thread-safe.
void note_mapped(const char* first, std::size_t bytes, const std::string& path,
                 const struct stat& status);
void note_unmapped(const char* first) noexcept;

// The file mapped at this address, its name escaped; null: none. Async-signal-safe: it may be
// called by a handler on the thread that reads there, which keeps the mapping alive.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

// THROWS Error(kIo) where a mapped file was written to or cut since: its size or its time of change
// is another. A file that was removed or replaced by another of its name is still there as mapped.
void require_unchanged_files();

}  // namespace flymc
