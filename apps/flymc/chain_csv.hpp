// A chain file: Stan CSV, readable by cmdstanpy, cmdstanr, posterior and ArviZ. The head holds no
// time, path or command line: the same run gives the same bytes.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/data/dataset.hpp"
#include "flymc/options.hpp"
#include "flymc/prepare.hpp"

namespace flymc::app {

// The comment lines at the top of every chain file of a run.
[[nodiscard]] std::string csv_head(const Problem& problem, const FitOptions& options,
                                   std::uint32_t chain, bool regular);

// Writes draws as they come, on the scale of the input columns, 17 significant digits.
// THROWS Error(kIo) when a write fails (disk full), Error(kCannotCreate) when the file cannot be
// made.
class ChainCsv final : public Sink {
 public:
  ChainCsv(std::filesystem::path path, const Problem& problem, const std::string& head);

  void accept(const Draw& draw) override;

  void finish() override { write_buffer(); }

 private:
  void write_buffer();

  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  std::filesystem::path path_;
  const Dataset& data_;
  int predictors_;
  Matrix folded_;
  std::string buffer_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace flymc::app
