#include "run/holdout.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/error.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::uint32_t kHoldout = 0x401d;  // in place of a chain

}  // namespace

bool is_held_out(const RunOptions& options, std::size_t row) {
  return options.holdout > 0.0 &&
         Stream(options.seed, kHoldout, Purpose::kInit, row).uniform() < options.holdout;
}

std::size_t hold_out(const RunOptions& options, Table& table) {
  if (options.holdout == 0.0) {
    return 0;
  }
  const Setting setting{"holdout", fmt::format("{}", options.holdout)};
  if (table.sharding().ranks().size() > 1) {
    throw Error(ErrorKind::kUsage, message("{}: several ranks cannot hold out rows", setting),
                "fit with one process.");
  }
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < table.rows; ++n) {
    if (!is_held_out(options, n)) {
      kept.push_back(n);
    }
  }
  if (kept.empty() || kept.size() == table.rows) {
    throw Error(ErrorKind::kData,
                message("{}: of {} {}.", setting, counted(table.rows, "row"),
                        kept.empty() ? "none is left to fit" : "none is held out"));
  }
  const std::size_t held = table.rows - kept.size();
  table.left_out += held;
  keep_rows(table, kept);
  return held;
}

}  // namespace flymc
