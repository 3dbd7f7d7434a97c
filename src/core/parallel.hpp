// Work split over threads in a way that cannot change a result: the caller cuts its work into
// pieces that depend on the problem only, and merges their results in the order of the pieces.
#pragma once

#include <cstddef>
#include <functional>

namespace flymc {

// 0 asks for all cores.
[[nodiscard]] unsigned resolve_threads(unsigned requested) noexcept;

// Calls work(piece) for every piece in 0 .. pieces-1, on at most `threads` threads (fewer where the
// system gives no more), each piece once. After an exception no more are begun; that of the lowest
// piece is rethrown when all threads have ended. Where work may be interrupted (interruption.hpp)
// it is between pieces.
void parallel_for(std::size_t pieces, unsigned threads,
                  const std::function<void(std::size_t)>& work);

}  // namespace flymc
