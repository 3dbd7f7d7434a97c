#include "ranks/mpi_launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "core/standard_error.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_ranks.hpp"

namespace flymc {
namespace {

namespace fs = std::filesystem;

int number_in(const char* name, int otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return text == nullptr ? otherwise : std::atoi(text);
}

// The libraries of a kind of MPI that are beside the program, or where it was installed.
std::vector<fs::path> backends(const std::string& kind) {
  const std::string name = fmt::format("libflymc-mpi-{}.so", kind);
  std::error_code no_proc;  // a bare root may have none: then we do not know where we are
  const fs::path here = fs::read_symlink("/proc/self/exe", no_proc).parent_path();
  std::vector<fs::path> found;
  if (no_proc) {
    return found;
  }
  for (const fs::path& folder :
       {here, here.parent_path() / "lib" / "flymc", here.parent_path() / "lib64" / "flymc"}) {
    if (fs::exists(folder / name)) {
      found.push_back(folder / name);
    }
  }
  return found;
}

FlymcMpi* load_backend(const std::string& kind) {
  std::string why;
  for (const fs::path& path : backends(kind)) {
    // OpenMPI's own parts look for its symbols among those of the whole program.
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      why = ::dlerror();
      continue;
    }
    using Start = FlymcMpi* (*)();
    const auto start = reinterpret_cast<Start>(::dlsym(library, "flymc_mpi_start"));
    if (FlymcMpi* const mpi = start == nullptr ? nullptr : start()) {
      return mpi;
    }
    why = "it does not start";
  }
  throw Error(
      ErrorKind::kUsage,
      fmt::format("started by {}, but libflymc-mpi-{}.so {}; install that kind of MPI with its "
                  "headers and build flymc again.",
                  kind, kind, why.empty() ? "is not beside the program" : "fails: " + why));
}

std::unique_ptr<MpiRanks>& started() {
  static std::unique_ptr<MpiRanks> ranks;
  return ranks;
}

}  // namespace

Launch launch() {
  Launch found;
  if (const int size = number_in("OMPI_COMM_WORLD_SIZE", 0); size > 0) {
    found = {"openmpi", number_in("OMPI_COMM_WORLD_RANK", 0), size};
  } else if (const int of_pmi = number_in("PMI_SIZE", 0); of_pmi > 0) {
    found = {"mpich", number_in("PMI_RANK", 0), of_pmi};
  }
  return found;
}

std::vector<std::string> mpi_kinds() {
  std::vector<std::string> kinds;
  for (const char* kind : {"openmpi", "mpich"}) {
    if (!backends(kind).empty()) {
      kinds.emplace_back(kind);
    }
  }
  return kinds;
}

Ranks& mpi_ranks() {
  const Launch by = launch();
  if (by.size <= 1) {
    return single_process();
  }
  if (!started()) {
    started() = std::make_unique<MpiRanks>(load_backend(by.kind));
  }
  return *started();
}

int leave_mpi(const ExitReport& report) {
  const bool failed = !report.message.empty();
  const auto say = [&](const std::string& who) {
    print_error(fmt::format("flymc: {}{}\n", who, report.message));
  };
  MpiRanks* const ranks = started().get();
  if (ranks == nullptr) {
    if (failed && launch().rank == 0) {
      say("");
    }
    return report.exit_code;
  }
  if (const auto parting = ranks->part(failed, report.exit_code)) {
    if (failed && ranks->rank() == parting->speaker) {
      say("");
    }
    ranks->finish();
    return parting->exit_code;
  }
  if (failed && !ranks->has_lost()) {
    say(fmt::format("rank {}: ", ranks->rank()));
  } else if (failed && ranks->speaks_of_lost()) {
    say("");
  } else {  // a launcher that sees one leave kills the others
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  std::fflush(nullptr);
  if (ranks->has_lost()) {
    std::_Exit(report.exit_code);  // all others notice too: no need to shoot at them
  }
  ranks->abort(report.exit_code);
  return report.exit_code;
}

}  // namespace flymc
