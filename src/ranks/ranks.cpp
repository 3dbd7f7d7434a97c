#include "flymc/ranks.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <new>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

class Alone final : public Ranks {
 public:
  [[nodiscard]] int rank() const noexcept override { return 0; }
  [[nodiscard]] int size() const noexcept override { return 1; }
  [[noreturn]] std::string receive_from(int /*rank*/) override { fail(); }
  [[noreturn]] void send_to(int /*rank*/, std::string_view /*bytes*/) override { fail(); }

 private:
  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override {
    all.assign(1, std::string(mine));
  }
  void broadcast(int /*from*/, std::string& /*bytes*/) override {}

  [[noreturn]] static void fail() {
    throw Error(ErrorKind::kInternal, "Ranks: a message to a rank that is not there.");
  }
};

std::string written(const std::vector<std::string>& texts) {
  ByteWriter out;
  for (const std::string& text : texts) {
    out.put_all(text);
  }
  return out.bytes();
}

void append_read(const std::string& bytes, std::vector<std::string>& texts) {
  for (ByteReader in(bytes); !in.at_end();) {
    in.get_all(texts.emplace_back());
  }
}

}  // namespace

bool holds_everywhere(Ranks& ranks, bool here) {
  const auto all = ranks.gather(here ? "1" : "0");
  return std::ranges::all_of(all, [](const std::string& one) { return one == "1"; });
}

void add_up(Ranks& ranks, std::vector<std::uint64_t>& numbers) {
  const auto all = gather_values(ranks, numbers);
  std::ranges::fill(numbers, 0);
  for (const std::vector<std::uint64_t>& theirs : all) {
    std::ranges::transform(numbers, theirs, numbers.begin(), std::plus{});
  }
}

std::vector<std::string> join_texts(Ranks& ranks, const std::vector<std::string>& mine) {
  std::vector<std::string> all;
  for (const std::string& bytes : ranks.gather(written(mine))) {
    append_read(bytes, all);
  }
  return all;
}

std::vector<std::string> first_texts(Ranks& ranks, const std::vector<std::string>& mine) {
  return join_texts(ranks, ranks.rank() == 0 ? mine : std::vector<std::string>());
}

void fail_together(Ranks& ranks, const std::function<void()>& work) {
  if (ranks.size() == 1) {
    work();
    return;
  }
  std::string failure;  // kind, then text; empty: none
  const auto fail = [&](ErrorKind kind, const std::string& text) {
    failure = std::to_string(static_cast<int>(kind)) + " " + text;
  };
  try {
    work();
  } catch (const Error& error) {
    fail(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::kMemory,
         "rank " + std::to_string(ranks.rank()) + " has too little memory; use more ranks.");
  } catch (const std::exception& error) {
    fail(ErrorKind::kInternal, error.what());
  }
  for (const std::string& one : ranks.gather(failure)) {
    if (!one.empty()) {
      const std::size_t space = one.find(' ');
      throw Error(static_cast<ErrorKind>(std::stoi(one.substr(0, space))), one.substr(space + 1));
    }
  }
}

Ranks& single_process() noexcept {
  static Alone self;
  return self;
}

}  // namespace flymc
