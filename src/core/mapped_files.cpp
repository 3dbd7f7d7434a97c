#include "core/mapped_files.hpp"

#include <atomic>
#include <mutex>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// One mapping. Entries are never freed, only used again, so that a signal handler can walk the list
// without a lock.
struct MappedEntry {
  std::atomic<const char*> first{nullptr};  // null: free; set last
  std::size_t bytes = 0;
  std::string path;
  std::string name;  // escaped
  struct stat status {};
  MappedEntry* next = nullptr;
};

std::atomic<MappedEntry*> mapped_entries{nullptr};
std::mutex mapped_mutex;  // of those who change the list

MappedEntry& free_entry() {
  for (MappedEntry* entry = mapped_entries.load(); entry != nullptr; entry = entry->next) {
    if (entry->first.load() == nullptr) {
      return *entry;
    }
  }
  auto* const entry = new MappedEntry;
  entry->next = mapped_entries.load();
  mapped_entries.store(entry);
  return *entry;
}

bool has_changed(const MappedEntry& entry) {
  struct stat now {};
  if (::stat(entry.path.c_str(), &now) != 0 || now.st_dev != entry.status.st_dev ||
      now.st_ino != entry.status.st_ino) {
    return false;
  }
  return now.st_size != entry.status.st_size || now.st_mtim.tv_sec != entry.status.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != entry.status.st_mtim.tv_nsec;
}

}  // namespace

void note_mapped(const char* first, std::size_t bytes, const std::string& path,
                 const struct stat& status) {
  const std::lock_guard lock(mapped_mutex);
  MappedEntry& entry = free_entry();
  entry.bytes = bytes;
  entry.path = path;
  entry.name = escaped(path);
  entry.status = status;
  entry.first.store(first);
}

void note_unmapped(const char* first) noexcept {
  const std::lock_guard lock(mapped_mutex);
  for (MappedEntry* entry = mapped_entries.load(); entry != nullptr; entry = entry->next) {
    if (entry->first.load() == first) {
      entry->first.store(nullptr);
    }
  }
}

const char* mapped_file_at(const void* address) noexcept {
  const auto* const byte = static_cast<const char*>(address);
  for (MappedEntry* entry = mapped_entries.load(); entry != nullptr; entry = entry->next) {
    const char* const first = entry->first.load();
    if (first != nullptr && first <= byte && byte < first + entry->bytes) {
      return entry->name.c_str();
    }
  }
  return nullptr;
}

void require_unchanged_files() {
  const std::lock_guard lock(mapped_mutex);
  for (MappedEntry* entry = mapped_entries.load(); entry != nullptr; entry = entry->next) {
    if (entry->first.load() != nullptr && has_changed(*entry)) {
      throw Error(ErrorKind::kIo, entry->name + " changed while it was in use",
                  "put it back as it was, and start again.");
    }
  }
}

}  // namespace flymc
