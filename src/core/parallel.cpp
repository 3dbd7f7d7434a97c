#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "flymc/detail/core/interruption.hpp"

namespace flymc {

unsigned resolve_threads(unsigned requested) noexcept {
  if (requested > 0) {
    return requested;
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t pieces, unsigned threads,
                  const std::function<void(std::size_t)>& work) {
  const auto workers = std::min<std::size_t>(resolve_threads(threads), pieces);
  std::vector<std::exception_ptr> failures(pieces);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  // A piece once taken is run: those before one that fails have all been taken by then, so that the
  // lowest failure is the same for any number of threads.
  const auto loop = [&] {
    while (!failed.load()) {
      const std::size_t piece = next++;
      if (piece >= pieces) {
        return;
      }
      try {
        poll_interruption();
        work(piece);
      } catch (...) {
        failures[piece] = std::current_exception();
        failed.store(true);
      }
    }
  };
  std::vector<std::jthread> helpers;
  try {
    for (std::size_t i = 1; i < workers; ++i) {
      helpers.emplace_back([&, stop = interruption_flag()] {
        const Interruptible as_here(stop);
        loop();
      });
    }
  } catch (const std::system_error&) {  // no room for more threads: those that are there do it all
  }
  loop();
  helpers.clear();  // joins
  for (const auto& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

}  // namespace flymc
