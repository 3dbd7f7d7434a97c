#include "ranks/mpi_ranks.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// A message up to this size needs one collective, a longer one a second.
constexpr std::size_t kSlotWords = 128;

// In place of a length: whether this rank failed by itself, and its exit code.
constexpr std::uint64_t kLeaves = ~std::uint64_t{0};

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

void require_sendable(std::size_t words) {
  constexpr std::size_t kMostWords = 0x7FFFFFFF;  // what a count of MPI can say
  if (words >= kMostWords) {
    throw Error(ErrorKind::kMemory,
                fmt::format("ranks would send {:.3g} GB at once; use fewer columns or classes.",
                            static_cast<double>(words) * 8e-9));
  }
}

std::size_t words_of(double bytes) { return (static_cast<std::size_t>(bytes) + 7) / 8; }

}  // namespace

MpiRanks::MpiRanks(FlymcMpi* mpi) : mpi_(mpi) {
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

std::string MpiRanks::receive_from(int rank) {
  auto& [length, words] = message_;
  require(mpi_->receive(rank, &length, 1));
  words.resize(words_of(length));
  require(mpi_->receive(rank, words.data(), words.size()));
  return {reinterpret_cast<const char*>(words.data()), static_cast<std::size_t>(length)};
}

void MpiRanks::send_to(int rank, std::string_view bytes) {
  write_message(bytes);
  require(mpi_->send(rank, &message_.length, 1));
  require(mpi_->send(rank, message_.words.data(), message_.words.size()));
  count((1 + message_.words.size()) * 8);
}

// Those who are not leaving yet see in their own gather that another is, and come here too.
std::optional<MpiRanks::Parting> MpiRanks::part(bool failed, int exit_code) {
  if (lost_) {
    return std::nullopt;
  }
  if (failed) {
    deadline_ = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  }
  const auto ranks = static_cast<std::size_t>(size());
  slots_.mine.assign(kSlotWords, 0.0);
  std::memcpy(slots_.mine.data(), &kLeaves, sizeof kLeaves);
  slots_.mine[1] = failed && !told_ ? 1.0 : 0.0;
  slots_.mine[2] = static_cast<double>(exit_code);
  slots_.all.resize(ranks * kSlotWords);
  do {
    if (!mpi_->gather(slots_.mine.data(), slots_.all.data(), kSlotWords)) {
      return std::nullopt;
    }
  } while (leaving() < ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const double* const theirs = slots_.all.data() + r * kSlotWords;
    if (theirs[1] != 0.0) {
      return Parting{static_cast<int>(r), static_cast<int>(theirs[2])};
    }
  }
  return Parting{0, exit_code};
}

// How many of the slots say so.
std::size_t MpiRanks::leaving() const noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; at < slots_.all.size(); at += kSlotWords) {
    count += std::memcmp(slots_.all.data() + at, &kLeaves, sizeof kLeaves) == 0 ? 1 : 0;
  }
  return count;
}

void MpiRanks::gather_bytes(std::string_view mine, std::vector<std::string>& all) {
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<double>& slot = slots_.mine;
  slot.assign(kSlotWords, 0.0);
  const std::uint64_t length = mine.size();
  std::memcpy(slot.data(), &length, sizeof length);
  const std::size_t first = std::min<std::size_t>(mine.size(), (kSlotWords - 1) * 8);
  std::memcpy(slot.data() + 1, mine.data(), first);
  slots_.all.resize(ranks * kSlotWords);
  require(mpi_->gather(slot.data(), slots_.all.data(), kSlotWords));
  told_ = leaving() > 0;
  require(!told_);
  count(kSlotWords * 8);
  all.resize(ranks);
  std::vector<std::size_t> words(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const double* const theirs = slots_.all.data() + r * kSlotWords;
    std::uint64_t size = 0;
    std::memcpy(&size, theirs, sizeof size);
    const std::size_t here = std::min<std::size_t>(size, (kSlotWords - 1) * 8);
    all[r].assign(reinterpret_cast<const char*>(theirs + 1), here);
    all[r].resize(size);
    words[r] = (size - here + 7) / 8;
  }
  if (std::ranges::any_of(words, [](std::size_t more) { return more > 0; })) {
    gather_rest(mine.substr(first), words, all);
  }
}

void MpiRanks::gather_rest(std::string_view mine, const std::vector<std::size_t>& words,
                           std::vector<std::string>& all) {
  rests_.mine.assign(words[static_cast<std::size_t>(rank())], 0.0);
  std::memcpy(rests_.mine.data(), mine.data(), mine.size());
  const std::size_t total = std::accumulate(words.begin(), words.end(), std::size_t{0});
  require_sendable(total);
  rests_.all.resize(total);
  require(mpi_->gather_varied(rests_.mine.data(), rests_.all.data(), words.data()));
  count(rests_.mine.size() * 8);
  const double* at = rests_.all.data();
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (words[r] > 0) {
      const std::size_t here = (kSlotWords - 1) * 8;
      std::memcpy(all[r].data() + here, at, all[r].size() - here);
    }
    at += words[r];
  }
}

void MpiRanks::broadcast(int from, std::string& bytes) {
  write_message(bytes);
  auto& [length, words] = message_;
  require(mpi_->broadcast(from, &length, 1));
  words.resize(words_of(length));
  require(mpi_->broadcast(from, words.data(), words.size()));
  bytes.assign(reinterpret_cast<const char*>(words.data()), static_cast<std::size_t>(length));
  count((1 + words.size()) * 8);
}

void MpiRanks::write_message(std::string_view bytes) {
  message_.length = static_cast<double>(bytes.size());
  message_.words.assign(words_of(message_.length), 0.0);
  require_sendable(message_.words.size());
  std::memcpy(message_.words.data(), bytes.data(), bytes.size());
}

// While this rank waits. Others are looked for a few times a second.
bool MpiRanks::is_hopeless() {
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

void MpiRanks::require(bool done) const {
  if (!done) {
    throw Error(ErrorKind::kStopped,
                lost_
                    ? fmt::format("rank {} (process {} on {}) is gone", *lost_,
                                  homes_[static_cast<std::size_t>(*lost_)].pid,
                                  homes_[static_cast<std::size_t>(*lost_)].host)
                    : std::string(told_ ? "another rank failed" : "the other ranks do not answer"));
  }
}

}  // namespace flymc
