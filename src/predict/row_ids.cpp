#include "predict/row_ids.hpp"

#include <cmath>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "data/load/input_kind.hpp"
#include "flymc/error.hpp"

namespace flymc {

RowIds::RowIds(const NewData& data, const std::string& column) {
  spec_.path = data.path;
  spec_.format = data.format;
  spec_.threads = data.threads;
  spec_.features = {column};
  spec_.categorical = {column};
  spec_.missing = Missing::kKeep;
  spec_.matches_earlier = true;
  if (data.path == kStandardInput) {
    throw Error(ErrorKind::kUsage,
                message("{}: standard input cannot be read twice; save the rows first.",
                        Setting{"id", shortened(column)}));
  }
  OpenedInput input = open_input(spec_);
  if (!is_separated_text(input.kind.format)) {
    throw Error(ErrorKind::kUsage, message("{}: only csv and tsv have such a column.",
                                           Setting{"id", shortened(column)}));
  }
  constexpr std::size_t kBlockRows = 100'000;
  blocks_.emplace(spec_, std::move(input.files), BlockLimits{.rows = kBlockRows});
}

std::string RowIds::of(std::size_t row) {
  while (!block_ || row >= first_ + block_->rows) {
    first_ += block_ ? block_->rows : 0;
    block_ = blocks_->next_coded();
    if (!block_) {
      throw Error(ErrorKind::kIo, escaped(spec_.path) + ": the file changed while it was read.");
    }
  }
  const double code = block_->raw.x[row - first_];
  return std::isnan(code) ? "" : block_->levels[0][static_cast<std::size_t>(code)];
}

}  // namespace flymc
