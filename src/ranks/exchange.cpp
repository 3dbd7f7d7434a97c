#include "ranks/exchange.hpp"

namespace flymc {

// In round k ranks a and b meet whose numbers add up to k, modulo the number of ranks; the lower
// one speaks first. A message ends with a byte that says whether another follows.
void exchange(Ranks& ranks, const std::function<bool(int to, std::string& message)>& next,
              const std::function<void(int from, std::string_view message)>& take) {
  const int self = ranks.rank();
  const int size = ranks.size();
  std::string message;
  const auto send = [&](int to) {
    for (bool follows = true; follows;) {
      message.clear();
      follows = next(to, message);
      if (to == self) {
        take(self, message);
        continue;
      }
      message.push_back(follows ? 1 : 0);
      ranks.send_to(to, message);
    }
  };
  const auto receive = [&](int from) {
    for (bool follows = true; follows;) {
      const std::string received = ranks.receive_from(from);
      follows = received.back() != 0;
      take(from, std::string_view(received).substr(0, received.size() - 1));
    }
  };
  for (int round = 0; round < size; ++round) {
    const int other = (round - self + size) % size;
    if (other > self) {
      send(other);
      receive(other);
    } else if (other < self) {
      receive(other);
      send(other);
    } else {
      send(self);
    }
  }
}

}  // namespace flymc
