#include "core/machine_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace flymc {

double machine_memory_bytes() {
  const double machine =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::ifstream file("/sys/fs/cgroup/memory.max");  // "max" where there is no limit
  double container = machine;
  return file >> container ? std::min(machine, container) : machine;
}

}  // namespace flymc
