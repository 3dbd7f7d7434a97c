// Every message arrives, once, where it was sent, after those before it; no two ranks wait for each
// other, though every send waits for its receiver.
#include "ranks/exchange.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

TEST(Exchange, BringsEveryMessageWhereItWasSent) {
  for (const int size : {1, 2, 3, 4, 7, 8}) {
    testing::on_ranks(size, [&](Ranks& ranks) {
      const int self = ranks.rank();
      // From rank a to rank b go a + 2 b messages and an empty one.
      int sent = 0;
      std::vector<std::vector<std::string>> arrived(static_cast<std::size_t>(size));
      exchange(
          ranks,
          [&](int to, std::string& message) {
            const bool follows = sent < self + 2 * to;
            if (follows) {
              message = fmt::format("{} to {}, {}", self, to, sent++);
            } else {
              sent = 0;
            }
            return follows;
          },
          [&](int from, std::string_view message) {
            arrived[static_cast<std::size_t>(from)].emplace_back(message);
          });
      for (int from = 0; from < size; ++from) {
        const std::vector<std::string>& some = arrived[static_cast<std::size_t>(from)];
        ASSERT_EQ(some.size(), static_cast<std::size_t>(from + 2 * self + 1));
        for (int i = 0; i < from + 2 * self; ++i) {
          EXPECT_EQ(some[static_cast<std::size_t>(i)], fmt::format("{} to {}, {}", from, self, i));
        }
        EXPECT_TRUE(some.back().empty());
      }
    });
  }
}

}  // namespace
}  // namespace flymc
