// A chain file: Stan CSV, readable by cmdstanpy, cmdstanr, posterior and ArviZ. The head holds no
// time, path or command line: the same run gives the same bytes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "fit/draw_values.hpp"
#include "fit/prepare.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/fit.hpp"
#include "flymc/message.hpp"

namespace flymc {

// The comment lines at the top of every chain file of a run.
[[nodiscard]] std::string csv_head(const Problem& problem, const FitSettings& options,
                                   std::uint32_t chain, bool regular);

// The file as `head` and the first `body_bytes` bytes (absent: all) after its old head: cut in
// place where the head stays, else written beside it and renamed. THROWS Error: kData where it is
// shorter or a link, kNoInput, kIo.
void cut_chain_file(const std::filesystem::path& path, const std::string& head,
                    std::optional<std::uint64_t> body_bytes = std::nullopt);

// Writes draws as they come, on the scale of the input columns, 17 significant digits.
// THROWS Error(kIo) when a write fails (disk full), Error(kCannotCreate) when the file cannot be
// made.
class ChainCsv final : public Sink {
 public:
  // Where to go on: so many bytes after the head, holding so many draws. None: a new file.
  struct Start {
    std::uint64_t mark = 0;
    std::uint64_t draws = 0;
  };
  ChainCsv(std::filesystem::path path, const Problem& problem, const std::string& head,
           Start start);

  void accept(const Draw& draw) override;

  void finish() override { write_buffer(); }

  // Everything accepted is safe on the disk; returns the bytes after the head.
  [[nodiscard]] std::uint64_t mark();
  // A checkpoint holds so many draws: what an error may promise.
  void draws_are_kept(std::uint64_t draws) noexcept { kept_draws_ = draws; }
  // What is safe, and how to go on after `first`.
  [[nodiscard]] Message remedy(const char* first) const;

 private:
  enum class Begin { kAnew, kAtTheEnd };
  void open(Begin begin);
  void write_buffer();
  [[noreturn]] void fail_to_write() const;

  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  std::filesystem::path path_;
  DrawValues values_;
  std::string buffer_;
  std::uint64_t mark_ = 0;
  std::uint64_t kept_draws_ = 0;
  bool failed_ = false;  // a part of the buffer may be in the file: no mark is right any more
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace flymc
