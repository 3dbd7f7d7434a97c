// Ranks as threads of one process: what a run over several machines computes, without any.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc::testing {

// Of a rank that waits for one whose work is over: ranks that go apart end in an error, not in a
// hang.
struct WaitsForNobody : std::logic_error {
  WaitsForNobody() : std::logic_error("a rank waits for another, whose work is over") {}
};

class ThreadRanks final : public Ranks {
 public:
  struct Room {
    explicit Room(int size) : slots(static_cast<std::size_t>(size)) {}
    std::vector<std::string> slots;
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t waiting = 0;  // in meet()
    std::size_t meetings = 0;
    std::map<std::pair<int, int>, std::vector<std::string>> letters;  // from, to
    std::map<std::pair<int, int>, std::size_t> taken;
    std::set<int> left;

    void meet() {
      std::unique_lock lock(mutex);
      const std::size_t before = meetings;
      if (++waiting == slots.size()) {
        waiting = 0;
        ++meetings;
        changed.notify_all();
      }
      const auto all_are_here = [&] { return meetings > before; };
      wait_until(lock, all_are_here, [&] { return !left.empty(); });
    }
    template <class Happened>
    void wait_for(int rank, std::unique_lock<std::mutex>& lock, const Happened& happened) {
      wait_until(lock, happened, [&] { return left.contains(rank); });
    }
    void leave(int rank) {
      const std::scoped_lock lock(mutex);
      left.insert(rank);
      changed.notify_all();
    }

   private:
    template <class Happened, class InVain>
    void wait_until(std::unique_lock<std::mutex>& lock, const Happened& happened,
                    const InVain& in_vain) {
      changed.wait(lock, [&] { return happened() || in_vain(); });
      if (!happened()) {
        throw WaitsForNobody();
      }
    }
  };
  ThreadRanks(Room& room, int rank) : room_(room), rank_(rank) {}

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return static_cast<int>(room_.slots.size()); }
  [[nodiscard]] std::string receive_from(int rank) override {
    std::unique_lock lock(room_.mutex);
    auto& letters = room_.letters[{rank, rank_}];
    room_.wait_for(rank, lock, [&] { return !letters.empty(); });
    std::string first = std::move(letters.front());
    letters.erase(letters.begin());
    ++room_.taken[{rank, rank_}];
    room_.changed.notify_all();
    return first;
  }
  void send_to(int rank, std::string_view bytes) override {
    std::unique_lock lock(room_.mutex);
    const std::size_t before = room_.taken[{rank_, rank}];
    room_.letters[{rank_, rank}].emplace_back(bytes);
    room_.changed.notify_all();
    count(bytes.size());
    // As a launcher may with a long message: ranks that wait for each other hang here, too.
    room_.wait_for(rank, lock, [&] { return room_.taken[{rank_, rank}] > before; });
  }

 private:
  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override {
    room_.slots[static_cast<std::size_t>(rank_)] = mine;
    room_.meet();
    all = room_.slots;
    room_.meet();
    count(mine.size());
  }
  void broadcast(int from, std::string& bytes) override {
    std::vector<std::string> all;
    gather_bytes(bytes, all);
    bytes = all[static_cast<std::size_t>(from)];
  }

  Room& room_;
  int rank_;
};

// A rank's part of a list that is dealt out in order.
template <class T>
[[nodiscard]] std::vector<T> dealt(const Ranks& ranks, const std::vector<T>& all) {
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto at = [&](std::size_t r) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * r / size);
  };
  return {at(rank), at(rank + 1)};
}

// Runs `work` at every rank; what the first rank throws that knows why is thrown here.
inline void on_ranks(int size, const std::function<void(Ranks&)>& work) {
  ThreadRanks::Room room(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::exception_ptr> vain_waits(failures.size());
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadRanks self(room, rank);
        try {
          work(self);
        } catch (const WaitsForNobody&) {
          vain_waits[static_cast<std::size_t>(rank)] = std::current_exception();
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
        }
        room.leave(rank);
      });
    }
  }
  failures.insert(failures.end(), vain_waits.begin(), vain_waits.end());
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

}  // namespace flymc::testing
