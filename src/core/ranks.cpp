#include "flymc/core/ranks.hpp"

#include <algorithm>

#include "flymc/core/error.hpp"

namespace flymc {
namespace {

class Alone final : public Ranks {
 public:
  [[nodiscard]] int rank() const noexcept override { return 0; }
  [[nodiscard]] int size() const noexcept override { return 1; }

 private:
  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override {
    all.assign(1, std::string(mine));
  }
  [[noreturn]] std::string receive_from(int /*rank*/) override { fail(); }
  [[noreturn]] void send_to(int /*rank*/, std::string_view /*bytes*/) override { fail(); }
  void broadcast(int /*from*/, std::string& /*bytes*/) override {}

  [[noreturn]] static void fail() {
    throw Error(ErrorKind::kInternal, "Ranks: a message to a rank that is not there.");
  }
};

}  // namespace

bool holds_everywhere(Ranks& ranks, bool here) {
  const auto all = ranks.gather(here ? "1" : "0");
  return std::ranges::all_of(all, [](const std::string& one) { return one == "1"; });
}

void together(Ranks& ranks, const std::function<void()>& work) {
  if (ranks.size() == 1) {
    work();
    return;
  }
  std::string failure;  // kind, then text; empty: none
  try {
    work();
  } catch (const Error& error) {
    failure = std::to_string(static_cast<int>(error.kind())) + " " + error.what();
  }
  for (const std::string& one : ranks.gather(failure)) {
    if (!one.empty()) {
      const std::size_t space = one.find(' ');
      throw Error(static_cast<ErrorKind>(std::stoi(one.substr(0, space))), one.substr(space + 1));
    }
  }
}

Ranks& alone() noexcept {
  static Alone self;
  return self;
}

}  // namespace flymc
