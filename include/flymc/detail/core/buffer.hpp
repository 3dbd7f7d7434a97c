// A vector whose elements start uninitialised: large tables are written once, in parallel, and
// zero-filling them first would cost a second pass over the memory.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace flymc {

template <class T>
struct DefaultInitAllocator : std::allocator<T> {
  template <class U>
  struct rebind {  // NOLINT(readability-identifier-naming): the name the standard asks for
    using other = DefaultInitAllocator<U>;
  };
  template <class U>
  void construct(U* pointer) noexcept {
    ::new (static_cast<void*>(pointer)) U;
  }
  template <class U, class... Args>
  void construct(U* pointer, Args&&... args) {
    ::new (static_cast<void*>(pointer)) U(std::forward<Args>(args)...);
  }
};

template <class T>
using Buffer = std::vector<T, DefaultInitAllocator<T>>;

}  // namespace flymc
