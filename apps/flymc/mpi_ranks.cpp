#include "flymc/mpi_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "flymc/core/bytes.hpp"
#include "flymc/core/error.hpp"
#include "flymc/mpi_backend.hpp"

namespace flymc::app {
namespace {

namespace fs = std::filesystem;

int number_in(const char* name, int otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return text == nullptr ? otherwise : std::atoi(text);
}

// Beside the program, or where it was installed.
FlymcMpi* load_backend(const std::string& kind) {
  const std::string name = fmt::format("libflymc-mpi-{}.so", kind);
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  std::string why;
  for (const fs::path& folder :
       {here, here.parent_path() / "lib" / "flymc", here.parent_path() / "lib64" / "flymc"}) {
    if (!fs::exists(folder / name)) {
      continue;
    }
    // OpenMPI's own parts look for its symbols among those of the whole program.
    void* const library = ::dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      why = ::dlerror();
      continue;
    }
    using Start = FlymcMpi* (*)();
    const auto start = reinterpret_cast<Start>(::dlsym(library, "flymc_mpi_start"));
    if (FlymcMpi* const mpi = start == nullptr ? nullptr : start()) {
      return mpi;
    }
    why = "it does not start";
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("started by {}, but {} {}; install that kind of MPI with its headers and "
                          "build flymc again.",
                          kind, name, why.empty() ? "is not beside the program" : "fails: " + why));
}

// Where a rank runs, to be asked whether it still does.
struct Home {
  std::string host;
  std::int64_t pid = 0;
};

bool is_gone(std::int64_t pid) {
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) {
    return true;
  }
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end).starts_with(") Z");
}

class MpiRanks final : public Ranks {
 public:
  explicit MpiRanks(FlymcMpi* mpi) : mpi_(mpi) {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    ByteWriter mine;
    mine.put(static_cast<std::int64_t>(::getpid()));
    for (const std::string& bytes : gather(mine.bytes() + host)) {
      homes_.push_back({bytes.substr(sizeof(std::int64_t)), ByteReader(bytes).get<std::int64_t>()});
    }
    mpi_->context = this;
    mpi_->hopeless = [](void* self) { return static_cast<MpiRanks*>(self)->is_hopeless(); };
  }

  [[nodiscard]] int rank() const noexcept override { return mpi_->rank; }
  [[nodiscard]] int size() const noexcept override { return mpi_->size; }

  [[nodiscard]] std::string receive_from(int rank) override {
    double length = 0.0;
    require(mpi_->receive(rank, &length, 1));
    const auto size = static_cast<std::size_t>(length);
    std::vector<double> words((size + 7) / 8);
    require(mpi_->receive(rank, words.data(), words.size()));
    return {reinterpret_cast<const char*>(words.data()), size};
  }

  void send_to(int rank, std::string_view bytes) override {
    const auto length = static_cast<double>(bytes.size());
    std::vector<double> words((bytes.size() + 7) / 8, 0.0);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    require(mpi_->send(rank, &length, 1));
    require(mpi_->send(rank, words.data(), words.size()));
    count((1 + words.size()) * 8);
  }

  // Whether all ranks come here. One that failed does not wait for long: perhaps it did so alone.
  [[nodiscard]] bool all_leave(bool failed) {
    if (lost_) {
      return false;
    }
    if (failed) {
      deadline_ = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    }
    const double mine = 0.0;
    std::vector<double> all(static_cast<std::size_t>(size()));
    return mpi_->gather(&mine, all.data(), 1);
  }
  [[nodiscard]] bool has_lost() const noexcept { return lost_.has_value(); }
  void finish() { mpi_->finish(); }
  void abort(int exit_code) { mpi_->abort(exit_code); }

  // That one speaks for all.
  [[nodiscard]] bool is_lowest_left() const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank()); ++i) {
      if (homes_[i].host != homes_[static_cast<std::size_t>(rank())].host ||
          !is_gone(homes_[i].pid)) {
        return false;
      }
    }
    return true;
  }

 private:
  // A message up to this size needs one collective, a longer one a second.
  static constexpr std::size_t kSlotWords = 128;

  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override {
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<double> slot(kSlotWords, 0.0);
    const std::uint64_t length = mine.size();
    std::memcpy(slot.data(), &length, sizeof length);
    const std::size_t first = std::min<std::size_t>(mine.size(), (kSlotWords - 1) * 8);
    std::memcpy(slot.data() + 1, mine.data(), first);
    std::vector<double> slots(ranks * kSlotWords);
    require(mpi_->gather(slot.data(), slots.data(), kSlotWords));
    count(kSlotWords * 8);
    all.resize(ranks);
    std::vector<std::size_t> words(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      std::uint64_t size = 0;
      std::memcpy(&size, slots.data() + r * kSlotWords, sizeof size);
      const std::size_t here = std::min<std::size_t>(size, (kSlotWords - 1) * 8);
      all[r].assign(reinterpret_cast<const char*>(slots.data() + r * kSlotWords + 1), here);
      all[r].resize(size);
      words[r] = (size - here + 7) / 8;
    }
    if (std::ranges::any_of(words, [](std::size_t more) { return more > 0; })) {
      gather_rest(mine.substr(first), words, all);
    }
  }

  void gather_rest(std::string_view mine, const std::vector<std::size_t>& words,
                   std::vector<std::string>& all) {
    std::vector<double> padded(words[static_cast<std::size_t>(rank())], 0.0);
    std::memcpy(padded.data(), mine.data(), mine.size());
    std::size_t total = 0;
    for (const std::size_t more : words) {
      total += more;
    }
    std::vector<double> rest(total);
    require(mpi_->gather_varied(padded.data(), rest.data(), words.data()));
    count(padded.size() * 8);
    const double* at = rest.data();
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (words[r] > 0) {
        const std::size_t here = (kSlotWords - 1) * 8;
        std::memcpy(all[r].data() + here, at, all[r].size() - here);
      }
      at += words[r];
    }
  }

  void broadcast(int from, std::string& bytes) override {
    auto length = static_cast<double>(bytes.size());
    require(mpi_->broadcast(from, &length, 1));
    bytes.resize(static_cast<std::size_t>(length));
    std::vector<double> words((bytes.size() + 7) / 8, 0.0);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    require(mpi_->broadcast(from, words.data(), words.size()));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    count((1 + words.size()) * 8);
  }

  // While this rank waits. Others are looked for a few times a second.
  [[nodiscard]] bool is_hopeless() {
    const auto now = std::chrono::steady_clock::now();
    if (deadline_ && now > *deadline_) {
      return true;
    }
    if (now < next_look_) {
      return false;
    }
    next_look_ = now + std::chrono::milliseconds(100);
    const std::string& host = homes_[static_cast<std::size_t>(rank())].host;
    for (std::size_t r = 0; r < homes_.size(); ++r) {
      if (homes_[r].host == host && is_gone(homes_[r].pid)) {
        lost_ = static_cast<int>(r);
        return true;
      }
    }
    return false;
  }

  void require(bool done) const {
    if (!done) {
      throw Error(ErrorKind::kStopped,
                  lost_ ? fmt::format("rank {} (process {} on {}) is gone", *lost_,
                                      homes_[static_cast<std::size_t>(*lost_)].pid,
                                      homes_[static_cast<std::size_t>(*lost_)].host)
                        : std::string("the other ranks do not answer"));
    }
  }

  FlymcMpi* mpi_;
  std::vector<Home> homes_;
  std::optional<int> lost_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::chrono::steady_clock::time_point next_look_{};
};

std::unique_ptr<MpiRanks>& started() {
  static std::unique_ptr<MpiRanks> ranks;
  return ranks;
}

}  // namespace

Launch launch() {
  Launch found;
  if (const int size = number_in("OMPI_COMM_WORLD_SIZE", 0); size > 0) {
    found = {"openmpi", number_in("OMPI_COMM_WORLD_RANK", 0), size};
  } else if (const int of_pmi = number_in("PMI_SIZE", 0); of_pmi > 0) {
    found = {"mpich", number_in("PMI_RANK", 0), of_pmi};
  }
  return found;
}

Ranks& world() {
  const Launch by = launch();
  if (by.size <= 1) {
    return alone();
  }
  if (!started()) {
    started() = std::make_unique<MpiRanks>(load_backend(by.kind));
  }
  return *started();
}

int leave_world(const Farewell& farewell) {
  MpiRanks* const ranks = started().get();
  const bool failed = !farewell.message.empty();
  const bool together = ranks == nullptr || ranks->all_leave(failed);
  const bool alone_with_it = !together && !ranks->has_lost();
  if (failed && (together ? launch().rank == 0 : alone_with_it || ranks->is_lowest_left())) {
    fmt::print(stderr, "flymc: {}{}\n",
               alone_with_it ? fmt::format("rank {}: ", ranks->rank()) : "", farewell.message);
    std::fflush(stderr);
  }
  if (ranks != nullptr && together) {
    ranks->finish();
  } else if (ranks != nullptr) {
    std::fflush(nullptr);
    if (ranks->has_lost()) {
      std::_Exit(farewell.exit_code);  // all others notice too: no need to shoot at them
    }
    ranks->abort(farewell.exit_code);
  }
  return farewell.exit_code;
}

}  // namespace flymc::app
