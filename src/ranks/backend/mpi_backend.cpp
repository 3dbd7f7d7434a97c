// FlymcMpi over the MPI this was compiled with. Every wait is a poll, so that a rank can notice
// that another is gone, and yields the processor, so that more ranks than cores do not starve.
#include "ranks/mpi_backend.hpp"

#include <mpi.h>
#include <sched.h>

#include <vector>

namespace {

FlymcMpi backend;

bool wait_for(MPI_Request request) {
  for (;;) {
    int done = 0;
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return false;
    }
    if (done != 0) {
      return true;
    }
    sched_yield();
    if (backend.hopeless != nullptr && backend.hopeless(backend.context)) {
      return false;
    }
  }
}

bool gather(const void* mine, void* all, std::size_t each) {
  const int count = static_cast<int>(each);
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Iallgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, MPI_COMM_WORLD,
                        &request) == MPI_SUCCESS &&
         wait_for(request);
}

bool gather_varied(const void* mine, void* all, const std::size_t* sizes) {
  std::vector<int> counts;
  std::vector<int> places;
  int place = 0;
  for (int rank = 0; rank < backend.size; ++rank) {
    counts.push_back(static_cast<int>(sizes[rank]));
    places.push_back(place);
    place += counts.back();
  }
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Iallgatherv(mine, counts[static_cast<std::size_t>(backend.rank)], MPI_DOUBLE, all,
                         counts.data(), places.data(), MPI_DOUBLE, MPI_COMM_WORLD,
                         &request) == MPI_SUCCESS &&
         wait_for(request);
}

bool send(int to, const void* bytes, std::size_t size) {
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Isend(bytes, static_cast<int>(size), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request) ==
             MPI_SUCCESS &&
         wait_for(request);
}

bool receive(int from, void* bytes, std::size_t size) {
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Irecv(bytes, static_cast<int>(size), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request) ==
             MPI_SUCCESS &&
         wait_for(request);
}

bool broadcast(int from, void* bytes, std::size_t size) {
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Ibcast(bytes, static_cast<int>(size), MPI_DOUBLE, from, MPI_COMM_WORLD, &request) ==
             MPI_SUCCESS &&
         wait_for(request);
}

void finish() { MPI_Finalize(); }
void abort_all(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

}  // namespace

FlymcMpi* flymc_mpi_start() {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    return nullptr;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &backend.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &backend.size);
  backend.gather = gather;
  backend.gather_varied = gather_varied;
  backend.send = send;
  backend.receive = receive;
  backend.broadcast = broadcast;
  backend.finish = finish;
  backend.abort = abort_all;
  return &backend;
}
