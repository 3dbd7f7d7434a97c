#include "cli/for_processor.hpp"

#if defined(__x86_64__) && !defined(__AVX2__)
#include <unistd.h>

#include <climits>
#include <cstring>

namespace flymc::cli {

void become_program_for_processor(char** argv) noexcept {
  constexpr char kEnding[] = "-x86-64-v3";  // as the ABI calls them
  char program[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - sizeof kEnding);
  if (length > 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    std::memcpy(program + length, kEnding, sizeof kEnding);
    ::execv(program, argv);
  }
}

}  // namespace flymc::cli
#else
namespace flymc::cli {

void become_program_for_processor(char** /*argv*/) noexcept {}

}  // namespace flymc::cli
#endif
