// Ranks of an MPI launcher. The same program runs under mpirun and alone: it looks for a launcher
// in its environment and loads the library of that kind of MPI (mpi_backend.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// What a launcher told this process, before any MPI is loaded; {0, 1} without one.
struct Launch {
  std::string kind;  // openmpi, mpich; empty: none
  int rank = 0;
  int size = 1;
};
[[nodiscard]] Launch launch();

// The kinds of MPI that this program was built for and whose libraries are where it looks.
[[nodiscard]] std::vector<std::string> mpi_kinds();

// The ranks of this program, started with the first call; single_process() where it was not
// launched with others. THROWS Error(kUsage) where flymc was built without that kind of MPI.
[[nodiscard]] Ranks& mpi_ranks();

// Ends what mpi_ranks() started: every rank comes here, or a rank that fails alone takes the others
// with it. To be called last; the exit code of the process.
struct ExitReport {
  int exit_code = 0;
  std::string message;  // for standard error; empty: none
};
[[nodiscard]] int leave_mpi(const ExitReport& report);

}  // namespace flymc
