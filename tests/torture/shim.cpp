// Fails one call of the program it is loaded into (LD_PRELOAD), and counts them: the n-th malloc,
// write, fsync, rename or mmap from the start of main on.
//
//   TORTURE_CALL   malloc, write, fsync, rename or mmap
//   TORTURE_N      which call fails, from 1; 0: none
//   TORTURE_ON     1: all that follow fail, too, as on a disk that stays full
//   TORTURE_COUNT  file that receives, at the end, how many calls there were
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Call { kMalloc, kWrite, kFsync, kRename, kMmap, kCalls };
constexpr const char* kNames[kCalls] = {"malloc", "write", "fsync", "rename", "mmap"};

std::atomic<bool> running{false};  // main has begun
std::atomic<long> calls{0};
int chosen = kCalls;
long nth = 0;
bool on = false;

bool fails(Call call) {
  if (call != chosen || !running.load(std::memory_order_relaxed)) {
    return false;
  }
  const long number = ++calls;
  return nth > 0 && (number == nth || (on && number > nth));
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

// dlsym itself may ask for memory before the real functions are known.
alignas(16) char early[1 << 16];
std::size_t early_used = 0;

void* early_memory(std::size_t size) {
  void* const place = early + early_used;
  early_used += (size + 15) / 16 * 16;
  return early_used <= sizeof early ? place : nullptr;
}
bool is_early(const void* place) {
  return place >= early && place < static_cast<const void*>(early + sizeof early);
}

using Malloc = void* (*)(std::size_t);
using Realloc = void* (*)(void*, std::size_t);
using Aligned = void* (*)(std::size_t, std::size_t);
using Free = void (*)(void*);
Malloc real_malloc = nullptr;
Realloc real_realloc = nullptr;
Aligned real_aligned = nullptr;
Free real_free = nullptr;

bool resolve() {
  static bool busy = false;
  if (real_malloc == nullptr && !busy) {
    busy = true;
    real_realloc = next<Realloc>("realloc");
    real_aligned = next<Aligned>("aligned_alloc");
    real_free = next<Free>("free");
    real_malloc = next<Malloc>("malloc");
    busy = false;
  }
  return real_malloc != nullptr;
}

void* refused() {
  errno = ENOMEM;
  return nullptr;
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* const call = std::getenv("TORTURE_CALL");
  for (int i = 0; call != nullptr && i < kCalls; ++i) {
    if (std::strcmp(call, kNames[i]) == 0) {
      chosen = i;
    }
  }
  const char* const number = std::getenv("TORTURE_N");
  nth = number == nullptr ? 0 : std::atol(number);
  const char* const all = std::getenv("TORTURE_ON");
  on = all != nullptr && *all == '1';
  running = true;
  const int status = real_main(argc, argv, environment);
  running = false;
  if (const char* const path = std::getenv("TORTURE_COUNT")) {
    if (std::FILE* const file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
  return status;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                          stack_end);
}

void* malloc(std::size_t size) {
  if (!resolve()) {
    return early_memory(size);
  }
  return fails(kMalloc) ? refused() : real_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  if (size > 0 && count > static_cast<std::size_t>(-1) / size) {
    return refused();
  }
  void* const place = malloc(count * size);
  return place == nullptr ? nullptr : std::memset(place, 0, count * size);
}

void* realloc(void* old, std::size_t size) {
  if (old == nullptr || is_early(old)) {
    return malloc(size);
  }
  return fails(kMalloc) ? refused() : real_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return resolve() && !fails(kMalloc) ? real_aligned(alignment, size) : refused();
}

void free(void* place) {
  if (place != nullptr && !is_early(place) && resolve()) {
    real_free(place);
  }
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  if (file > STDERR_FILENO && fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  return next<ssize_t (*)(int, const void*, std::size_t)>("write")(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  if (fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  return next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t size, off_t at) {
  return pwrite(file, bytes, size, at);
}

// Standard streams write without a call that could be caught; theirs are these.
std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count, std::FILE* file) {
  if (file != stdout && file != stderr && fails(kWrite)) {
    errno = ENOSPC;
    return 0;
  }
  return next<std::size_t (*)(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite")(
      bytes, size, count, file);
}

int fflush(std::FILE* file) {
  if (file != nullptr && file != stdout && file != stderr && fails(kWrite)) {
    errno = ENOSPC;
    return EOF;
  }
  return next<int (*)(std::FILE*)>("fflush")(file);
}

int fsync(int file) {
  if (fails(kFsync)) {
    errno = EIO;
    return -1;
  }
  return next<int (*)(int)>("fsync")(file);
}

int fdatasync(int file) {
  if (fails(kFsync)) {
    errno = EIO;
    return -1;
  }
  return next<int (*)(int)>("fdatasync")(file);
}

int rename(const char* from, const char* to) {
  if (fails(kRename)) {
    errno = EIO;
    return -1;
  }
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  if (file >= 0 && fails(kMmap)) {  // of files: memory is malloc's
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap")(at, size, protection,
                                                                           flags, file, offset);
}

void* mmap64(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

}  // extern "C"
