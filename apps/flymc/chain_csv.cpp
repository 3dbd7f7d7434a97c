#include "flymc/chain_csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/version.hpp"
#include "flymc/words.hpp"

namespace flymc::app {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

}  // namespace

// The keys that cmdstanpy and ArviZ look for; "fixed_param" tells them not to expect NUTS columns.
std::string csv_head(const Problem& problem, const FitOptions& options, std::uint32_t chain,
                     bool regular) {
  return fmt::format(
      "# model = flymc_{}\n# flymc_version = {}\n# method = sample (Default)\n#   sample\n"
      "#     num_samples = {}\n#     num_warmup = {}\n#     save_warmup = 0 (Default)\n"
      "#     thin = {}\n#     algorithm = fixed_param\n# id = {}\n# random\n#   seed = {}\n"
      "# engine = {}\n# kernel = {}\n# rows = {}\n",
      name_of(options.model), version(), options.schedule.draws, options.schedule.warmup,
      options.schedule.thin, chain + 1, options.seed, regular ? "regular" : "fly",
      name_of(options.chosen_kernel()), problem.rows);
}

ChainCsv::ChainCsv(std::filesystem::path path, const Problem& problem, const std::string& head)
    : path_(std::move(path)),
      data_(problem.data),
      predictors_(problem.predictors()),
      folded_(data_.folded_rows(), predictors_),
      buffer_(head),
      file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) {
    throw Error(errno == EACCES ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
                fmt::format("cannot create {}: {}; choose another --out.", escaped(path_.string()),
                            std::strerror(errno)));
  }
  buffer_ += "lp__,accept_stat__,bright__,queries__";
  for (const auto& parameter : problem.parameters) {
    buffer_ += "," + parameter.column;
  }
  buffer_ += "\n";
  write_buffer();
}

void ChainCsv::accept(const Draw& draw) {
  auto out = std::back_inserter(buffer_);
  fmt::format_to(out, "{:.17g},{:.17g},{},{}", draw.log_density, draw.accept_prob, draw.bright,
                 draw.queries);
  data_.fold(Eigen::Map<const Matrix>(draw.theta.data(), data_.columns(), predictors_), folded_);
  const Index slopes = folded_.rows() - 1;
  for (Index k = 0; data_.intercept() && k < predictors_; ++k) {
    fmt::format_to(out, ",{:.17g}", folded_(slopes, k));
  }
  for (Index k = 0; k < predictors_; ++k) {
    for (Index j = 0; j < slopes; ++j) {
      fmt::format_to(out, ",{:.17g}", folded_(j, k));
    }
  }
  buffer_ += "\n";
  if (buffer_.size() > kFlushBytes) {
    write_buffer();
  }
}

void ChainCsv::write_buffer() {
  const std::size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get());
  if (written != buffer_.size() || std::fflush(file_.get()) != 0) {
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}; free space, then run again.",
                                            escaped(path_.string()), std::strerror(errno)));
  }
  buffer_.clear();
}

}  // namespace flymc::app
