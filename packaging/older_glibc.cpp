// Programs and modules for other machines are linked on the newest Debian and run on older ones: a
// symbol is bound to the newest version that the C library of the building machine has, though the
// older one does the same. Here each name that is newer than glibc 2.31 (Debian 11) is bound to its
// older version, or, where there was none, written down. Hidden: nobody else sees them.
// tools/needed_glibc.sh says whether one is missing.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#if defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#define JUMP "b"
#define FAR ""
#elif defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#define JUMP "jmp"
#define FAR "@PLT"
#else
#error "the first version of glibc on this architecture is to be written down here"
#endif
#define HIDDEN __attribute__((visibility("hidden")))

// name: jumps to name@VERSION, whatever its arguments.
#define OF_VERSION(name, version)                                                          \
  asm(".pushsection .text\n"                                                               \
      ".hidden " #name "\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" JUMP \
      " older_" #name FAR "\n.size " #name ", . - " #name                                  \
      "\n"                                                                                 \
      ".symver older_" #name ", " #name "@" version "\n.popsection\n")
#define OF_FIRST_VERSION(name) OF_VERSION(name, FIRST_VERSION)

// In libc since 2.34; before, in libpthread and libdl, which are named when this is linked.
OF_FIRST_VERSION(__pthread_key_create);
OF_FIRST_VERSION(pthread_create);
OF_FIRST_VERSION(pthread_detach);
OF_FIRST_VERSION(pthread_getspecific);
OF_FIRST_VERSION(pthread_join);
OF_FIRST_VERSION(pthread_key_create);
OF_FIRST_VERSION(pthread_key_delete);
OF_FIRST_VERSION(pthread_once);
OF_FIRST_VERSION(pthread_rwlock_rdlock);
OF_FIRST_VERSION(pthread_rwlock_unlock);
OF_FIRST_VERSION(pthread_rwlock_wrlock);
OF_FIRST_VERSION(pthread_setspecific);
OF_FIRST_VERSION(pthread_sigmask);
OF_VERSION(pthread_cond_clockwait, "GLIBC_2.30");
OF_FIRST_VERSION(dlerror);
OF_FIRST_VERSION(dlopen);
OF_FIRST_VERSION(dlsym);
OF_FIRST_VERSION(hypot);  // the same, and sets errno

extern "C" {

// Before 2.33 a part of every program, not of the library.
HIDDEN int stat(const char* path, struct stat* out) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, out, 0));
}
HIDDEN int lstat(const char* path, struct stat* out) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW));
}
HIDDEN int fstat(int file, struct stat* out) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, out));
}
HIDDEN int fstat64(int file, struct stat64* out) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, out));
}

// Since 2.32. Where it is false shared pointers count with atomic operations: right with any number
// of threads.
HIDDEN extern char __libc_single_threaded;
char __libc_single_threaded = 0;

// Since 2.36; std::random_device draws from it.
HIDDEN std::uint32_t arc4random() noexcept {
  std::uint32_t drawn = 0;
  while (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) {
  }
  return drawn;
}

// Since 2.35; where the tables are that exceptions unwind by, of the object that holds an address.
HIDDEN int _dl_find_object(void* address, struct dl_find_object* out) noexcept {
  struct Search {
    std::uintptr_t address;
    struct dl_find_object* out;
  } search{reinterpret_cast<std::uintptr_t>(address), out};
  const auto look = [](struct dl_phdr_info* object, std::size_t, void* given) {
    const Search& sought = *static_cast<Search*>(given);
    bool holds = false;
    const void* tables = nullptr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = object->dlpi_phdr[i];
      const std::uintptr_t first = object->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && sought.address - first < part.p_memsz) {
        holds = true;
      } else if (part.p_type == PT_GNU_EH_FRAME) {
        tables = reinterpret_cast<const void*>(first);
      }
    }
    if (!holds || tables == nullptr) {
      return 0;
    }
    *sought.out = {};
    sought.out->dlfo_eh_frame = const_cast<void*>(tables);
    return 1;
  };
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

// Until 2.33 a program ran its own constructors, and said how when it was started; those linked
// since then say nothing. Modules have no such symbols, and are not started.
using Constructor = void (*)(int, char**, char**);
extern HIDDEN __attribute__((weak)) const Constructor __init_array_start[];
extern HIDDEN __attribute__((weak)) const Constructor __init_array_end[];
HIDDEN void _init();

static void construct(int count, char** arguments, char** environment) {
  _init();
  for (const Constructor* each = __init_array_start; each != __init_array_end; ++each) {
    (*each)(count, arguments, environment);
  }
}

using Main = int (*)(int, char**, char**);
int older_start(Main main, int count, char** arguments, Constructor construct, void (*destroy)(),
                void (*unload)(), void* stack_end);
asm(".symver older_start, __libc_start_main@" FIRST_VERSION);

HIDDEN int __libc_start_main(Main main, int count, char** arguments, Constructor, void (*)(),
                             void (*unload)(), void* stack_end) {
  return older_start(main, count, arguments, construct, nullptr, unload, stack_end);
}

}  // extern "C"
