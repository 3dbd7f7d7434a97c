#include "flymc/ranks.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <new>
#include <utility>

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

std::string written(const Error& error) {
  ByteWriter out;
  out.put(error.exit_code());
  out.put_all(error.problem().bytes());
  out.put_all(error.remedy().bytes());
  return out.bytes();
}

Error read_error(const std::string& bytes) {
  ByteReader in(bytes);
  const auto kind = static_cast<ErrorKind>(in.get<int>());
  std::string problem;
  std::string remedy;
  in.get_all(problem);
  in.get_all(remedy);
  return {kind, Message::from_bytes(std::move(problem)), Message::from_bytes(std::move(remedy))};
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
  std::string failure;  // an Error in bytes; empty: none
  try {
    work();
  } catch (const Error& error) {
    failure = written(error);
  } catch (const std::bad_alloc&) {
    failure = written(Error(ErrorKind::kMemory,
                            "rank " + std::to_string(ranks.rank()) + " has too little memory",
                            "use more ranks."));
  } catch (const std::exception& error) {
    failure = written(Error(ErrorKind::kInternal, error.what()));
  }
  for (const std::string& one : ranks.gather(failure)) {
    if (!one.empty()) {
      throw read_error(one);
    }
  }
}

Ranks& single_process() noexcept {
  static Alone self;
  return self;
}

}  // namespace flymc
