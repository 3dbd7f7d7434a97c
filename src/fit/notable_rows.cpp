#include "fit/notable_rows.hpp"

#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

// What rows of the data are among the rows as given; the same list at every rank.
std::vector<GivenRow> rows_as_given(const Problem& problem, const std::vector<std::size_t>& rows) {
  std::vector<GivenRow> given;
  if (problem.data.rows() == problem.rows) {
    for (const std::size_t row : rows) {
      given.push_back({row, 1});
    }
    return given;
  }
  const Shard& shard = problem.data.shard();
  const Buffer<double> records = collect_records(shard, rows, 2, [&](std::size_t row, double* out) {
    const MergedRow& merged = problem.merged[row - shard.mine().first];
    out[0] = static_cast<double>(problem.first_given + merged.first);
    out[1] = static_cast<double>(merged.count);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    given.push_back(
        {static_cast<std::size_t>(records[2 * i]), static_cast<std::size_t>(records[2 * i + 1])});
  }
  return given;
}

}  // namespace

NotableRows notable_rows(const Problem& problem, const SetupInfo& setup, const BrightTally& tally) {
  constexpr std::size_t kMost = 50;
  NotableRows notable;
  if (setup.regular) {
    return notable;
  }
  std::vector<double> rows_and_shares;
  for (const BrightTally::Entry& entry : tally.brightest(kMost)) {
    rows_and_shares.push_back(static_cast<double>(entry.datum));
    rows_and_shares.push_back(entry.share);
  }
  rows_and_shares = gather_values(problem.data.shard().ranks(), rows_and_shares).front();
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < rows_and_shares.size(); i += 2) {
    rows.push_back(static_cast<std::size_t>(rows_and_shares[i]));
  }
  const std::vector<GivenRow> given = rows_as_given(problem, rows);
  for (std::size_t i = 0; i < given.size(); ++i) {
    notable.brightest.push_back({given[i], rows_and_shares[2 * i + 1]});
  }
  notable.beacons =
      rows_as_given(problem, {setup.first_beacons.begin(), setup.first_beacons.end()});
  return notable;
}

}  // namespace flymc
