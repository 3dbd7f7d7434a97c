// Processes that work on one problem, each with its share of the rows. All of them make the same
// calls in the same order; what a call returns is the same at every rank. A process alone is rank 0
// of 1, and talks to nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flymc {

class Ranks {
 public:
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  // What a run has said so far: calls that all ranks take part in, and bytes that this rank sent.
  struct Traffic {
    std::uint64_t collectives = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] const Traffic& traffic() const noexcept { return traffic_; }

  // Every rank's bytes, by rank.
  [[nodiscard]] std::vector<std::string> gather(std::string_view mine) {
    std::vector<std::string> all;
    gather_bytes(mine, all);
    return all;
  }

  // Bytes that go from rank to rank: empty at rank 0, each rank changes them in its turn, and what
  // the last one leaves is everybody's.
  template <class Change>
  [[nodiscard]] std::string pass_along(Change&& change);

  // From one rank to another, in the order sent. Either may wait for the other: where ranks talk in
  // pairs, all must come to the pairs in one order.
  [[nodiscard]] virtual std::string receive_from(int rank) = 0;
  virtual void send_to(int rank, std::string_view bytes) = 0;

 protected:
  virtual void gather_bytes(std::string_view mine, std::vector<std::string>& all) = 0;
  virtual void broadcast(int from, std::string& bytes) = 0;

  // Of a collective that this rank takes part in; implementations know what they send.
  void count(std::size_t bytes) noexcept {
    ++traffic_.collectives;
    traffic_.bytes += bytes;
  }

 private:
  Traffic traffic_;
};

// This process, and no other.
[[nodiscard]] Ranks& single_process() noexcept;

// Whether it holds at every rank.
[[nodiscard]] bool holds_everywhere(Ranks& ranks, bool here);

// Sums over all ranks. REQUIRES: as many numbers at each.
void add_up(Ranks& ranks, std::vector<std::uint64_t>& numbers);

// The texts of all ranks, one after the other; and those of the first rank alone.
[[nodiscard]] std::vector<std::string> join_texts(Ranks& ranks,
                                                  const std::vector<std::string>& mine);
[[nodiscard]] std::vector<std::string> first_texts(Ranks& ranks,
                                                   const std::vector<std::string>& mine);

// Work that may fail at some ranks and not at others: where it does, all throw the Error of the
// lowest that failed. REQUIRES: work that talks to no other rank.
void fail_together(Ranks& ranks, const std::function<void()>& work);

template <class Change>
std::string Ranks::pass_along(Change&& change) {
  std::string bytes = rank() > 0 ? receive_from(rank() - 1) : std::string();
  change(bytes);
  const int last = size() - 1;
  if (rank() < last) {
    send_to(rank() + 1, bytes);
  }
  broadcast(last, bytes);
  return bytes;
}

}  // namespace flymc
