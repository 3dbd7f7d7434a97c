// The few calls flymc makes of MPI, as a table of plain functions. One small library a kind of MPI
// (their binary interfaces differ) fills it in; the program loads the one whose launcher started
// it, and needs none otherwise.
#pragma once

#include <cstddef>

extern "C" {

struct FlymcMpi {
  int rank;
  int size;
  // Asked at every poll while a call waits for others; true: they will not come, and it gives up.
  bool (*hopeless)(void* context);
  void* context;

  // False: gave up. Sizes are in units of 8 bytes, so that a count of MPI can hold them.
  bool (*gather)(const void* mine, void* all, std::size_t each);
  bool (*gather_varied)(const void* mine, void* all, const std::size_t* sizes);
  bool (*send)(int to, const void* bytes, std::size_t size);
  bool (*receive)(int from, void* bytes, std::size_t size);
  bool (*broadcast)(int from, void* bytes, std::size_t size);
  void (*finish)();
  void (*abort)(int exit_code);
};

// Starts MPI; null where that fails.
FlymcMpi* flymc_mpi_start();
}
