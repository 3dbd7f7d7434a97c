// Ranks over MPI (mpi_backend.hpp), which notice when another is gone or has failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/ranks.hpp"
#include "ranks/mpi_backend.hpp"

namespace flymc {

// Every call THROWS Error(kStopped) where the others will not come.
class MpiRanks final : public Ranks {
 public:
  // REQUIRES: the backend was started; one object a process.
  explicit MpiRanks(FlymcMpi* mpi);

  [[nodiscard]] int rank() const noexcept override { return mpi_->rank; }
  [[nodiscard]] int size() const noexcept override { return mpi_->size; }
  [[nodiscard]] std::string receive_from(int rank) override;
  void send_to(int rank, std::string_view bytes) override;

  // What the ranks go with, where all come here: the lowest that failed by itself speaks, and its
  // exit code is that of all.
  struct Parting {
    int speaker = 0;
    int exit_code = 0;
  };
  // One that failed does not wait for long: perhaps the others never look up.
  [[nodiscard]] std::optional<Parting> part(bool failed, int exit_code);

  [[nodiscard]] bool has_lost() const noexcept { return lost_.has_value(); }
  // One speaks for all of the others. Those who leave because of it are gone soon, too.
  [[nodiscard]] bool speaks_of_lost() const noexcept { return rank() == (lost_ == 0 ? 1 : 0); }
  void finish() { mpi_->finish(); }
  void abort(int exit_code) { mpi_->abort(exit_code); }

 private:
  // Where a rank runs, to be asked whether it still does.
  struct Home {
    std::string host;
    std::int64_t pid = 0;
  };

  void gather_bytes(std::string_view mine, std::vector<std::string>& all) override;
  void gather_rest(std::string_view mine, const std::vector<std::size_t>& words,
                   std::vector<std::string>& all);
  void broadcast(int from, std::string& bytes) override;
  [[nodiscard]] std::size_t leaving() const noexcept;
  [[nodiscard]] bool is_hopeless();
  void require(bool done) const;

  // Messages under way outlive a call that gives up: MPI may still write to them.
  struct Message {
    double length = 0.0;  // in bytes
    std::vector<double> words;
  };
  struct Gathering {
    std::vector<double> mine;
    std::vector<double> all;
  };
  void write_message(std::string_view bytes);

  FlymcMpi* mpi_;
  Message message_;
  Gathering slots_;
  Gathering rests_;  // of messages longer than a slot
  std::vector<Home> homes_;
  std::optional<int> lost_;
  bool told_ = false;  // that another failed
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace flymc
