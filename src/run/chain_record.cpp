#include "run/chain_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/mapped_files.hpp"
#include "core/output_folder.hpp"
#include "flymc/error.hpp"

namespace flymc {

ChainRecord::ChainRecord(Files files, const Problem& problem, const std::string& head,
                         Checkpoint start)
    : path_(std::move(files.checkpoint)),
      now_(std::move(start)),
      csv_(std::move(files.csv), problem, head, {now_.mark, now_.summary.draws}) {
  if (problem.groups && !problem.groups->keeps_levels) {
    levels_.emplace(problem);
  }
}

void ChainRecord::accept(const Draw& draw) {
  csv_.accept(draw);
  if (draw.coins != nullptr) {
    now_.tally.add(*draw.coins);
  }
  if (levels_) {
    now_.levels.add(levels_->levels_of(draw.theta));
  }
}

void ChainRecord::keep(const ChainState& state, const RunSummary& summary) {
  try {
    require_unchanged_files();  // or these draws may come from bytes that are not the table's
  } catch (const Error& error) {
    throw with_remedy(error, csv_.remedy("put it back as it was"));
  }
  now_.mark = csv_.mark();
  now_.state = state;
  now_.summary = summary;
  try {
    write_text(path_, to_bytes(now_));
  } catch (const Error& error) {
    throw with_remedy(error,
                      csv_.remedy(error.kind() == ErrorKind::kIo ? "free space" : "repair that"));
  }
  csv_.draws_are_kept(summary.draws);
}

}  // namespace flymc
