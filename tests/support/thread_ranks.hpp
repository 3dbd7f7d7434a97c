// Ranks as threads of one process: what a run over several machines computes, without any.
#pragma once

#include <barrier>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc::testing {

class ThreadRanks final : public Ranks {
 public:
  struct Room {
    explicit Room(int size) : meet(size), slots(static_cast<std::size_t>(size)) {}
    std::barrier<> meet;
    std::vector<std::string> slots;
    std::mutex mutex;
    std::condition_variable arrived;
    std::map<std::pair<int, int>, std::vector<std::string>> letters;  // from, to
    std::map<std::pair<int, int>, std::size_t> taken;
  };
  ThreadRanks(Room& room, int rank) : room_(room), rank_(rank) {}

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return static_cast<int>(room_.slots.size()); }
  [[nodiscard]] std::string receive_from(int rank) override {
    std::unique_lock lock(room_.mutex);
    auto& letters = room_.letters[{rank, rank_}];
    room_.arrived.wait(lock, [&] { return !letters.empty(); });
    std::string first = std::move(letters.front());
    letters.erase(letters.begin());
    ++room_.taken[{rank, rank_}];
    room_.arrived.notify_all();
    return first;
  }
  void send_to(int rank, std::string_view bytes) override {
    std::unique_lock lock(room_.mutex);
    const std::size_t before = room_.taken[{rank_, rank}];
    room_.letters[{rank_, rank}].emplace_back(bytes);
    room_.arrived.notify_all();
    count(bytes.size());
    // As a launcher may with a long message: ranks that wait for each other hang here, too.
    room_.arrived.wait(lock, [&] { return room_.taken[{rank_, rank}] > before; });
  }

 private:
  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override {
    room_.slots[static_cast<std::size_t>(rank_)] = mine;
    room_.meet.arrive_and_wait();
    all = room_.slots;
    room_.meet.arrive_and_wait();
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

// Runs `work` at every rank; what rank 0 throws is thrown here. All ranks must fail together.
inline void on_ranks(int size, const std::function<void(Ranks&)>& work) {
  ThreadRanks::Room room(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadRanks self(room, rank);
        try {
          work(self);
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    }
  }
  if (failures[0]) {
    std::rethrow_exception(failures[0]);
  }
}

}  // namespace flymc::testing
