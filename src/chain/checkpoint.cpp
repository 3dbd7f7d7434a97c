#include "chain/checkpoint.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::uint64_t kMagic = 0x54504B43594C46;  // "FLYCKPT"
constexpr std::uint32_t kVersion = 1;

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void put_point(ByteWriter& out, const Point& point) {
  out.put_all(point.zeta);
  out.put(point.log_density);
  out.put_all(point.gradient);
  out.put_all(point.log_factors);
  out.put_all(point.slopes);
  out.put_all(point.parts);
  out.put(static_cast<std::uint64_t>(point.forces.rows()));
  out.put_all(Vector(point.forces.reshaped()));
  out.put(point.level_step);
}

Point get_point(ByteReader& in) {
  Point point;
  in.get_all(point.zeta);
  point.log_density = in.get<double>();
  in.get_all(point.gradient);
  in.get_all(point.log_factors);
  in.get_all(point.slopes);
  in.get_all(point.parts);
  const auto rows = in.get<std::uint64_t>();
  Vector forces;
  in.get_all(forces);
  const auto size = static_cast<std::uint64_t>(forces.size());
  if (rows > size || (rows == 0 ? size > 0 : size % rows != 0)) {
    throw std::out_of_range("forces of no shape");
  }
  const auto columns = rows > 0 ? static_cast<Index>(size / rows) : 0;
  point.forces = forces.reshaped(static_cast<Index>(rows), columns);
  point.level_step = in.get<double>();
  return point;
}

void put_tuning(ByteWriter& out, const Tuning& tuning) {
  out.put(tuning.step_size);
  out.put(tuning.dark_to_bright);
  out.put(static_cast<std::int32_t>(tuning.kicks));
}

Tuning get_tuning(ByteReader& in) {
  Tuning tuning;
  tuning.step_size = in.get<double>();
  tuning.dark_to_bright = in.get<double>();
  tuning.kicks = in.get<std::int32_t>();
  return tuning;
}

void put_summary(ByteWriter& out, const RunSummary& summary) {
  out.put(summary.iterations);
  out.put(summary.draws);
  out.put(summary.queries_theta);
  out.put(summary.queries_z);
  out.put(summary.evaluations);
  out.put(summary.mean_bright);
  out.put(summary.mean_accept_prob);
  out.put(summary.wall_s);
  out.put(summary.warmup_queries);
  put_tuning(out, summary.tuning);
  out.put(static_cast<std::uint8_t>(summary.warmup_failed));
}

RunSummary get_summary(ByteReader& in) {
  RunSummary summary;
  summary.iterations = in.get<std::uint64_t>();
  summary.draws = in.get<std::uint64_t>();
  summary.queries_theta = in.get<std::uint64_t>();
  summary.queries_z = in.get<std::uint64_t>();
  summary.evaluations = in.get<std::uint64_t>();
  summary.mean_bright = in.get<double>();
  summary.mean_accept_prob = in.get<double>();
  summary.wall_s = in.get<double>();
  summary.warmup_queries = in.get<std::uint64_t>();
  summary.tuning = get_tuning(in);
  summary.warmup_failed = in.get<std::uint8_t>() != 0;
  return summary;
}

void put_tally(ByteWriter& out, const BrightTally& tally) {
  std::vector<std::pair<Datum, std::uint64_t>> sorted(tally.counts().begin(), tally.counts().end());
  std::ranges::sort(sorted);
  std::vector<Datum> data;
  std::vector<std::uint64_t> counts;
  for (const auto& [datum, count] : sorted) {  // the same tally, the same bytes
    data.push_back(datum);
    counts.push_back(count);
  }
  out.put(tally.draws());
  out.put_all(data);
  out.put_all(counts);
}

BrightTally get_tally(ByteReader& in) {
  const auto draws = in.get<std::uint64_t>();
  std::vector<Datum> data;
  std::vector<std::uint64_t> counts;
  in.get_all(data);
  in.get_all(counts);
  BrightTally::Counts map;
  for (std::size_t i = 0; i < data.size(); ++i) {
    map[data[i]] = counts.at(i);
  }
  if (map.size() != counts.size()) {
    throw std::out_of_range("counts of nothing, or of one datum twice");
  }
  BrightTally tally;
  tally.restore(std::move(map), draws);
  return tally;
}

Checkpoint get_checkpoint(ByteReader& in) {
  Checkpoint out;
  out.seed = in.get<std::uint64_t>();
  out.chain = in.get<std::uint32_t>();
  out.regular = in.get<std::uint8_t>() != 0;
  out.state.current = get_point(in);
  in.get_all(out.state.bright);
  out.state.iteration = in.get<std::uint64_t>();
  out.state.tuning = get_tuning(in);
  out.summary = get_summary(in);
  out.tally = get_tally(in);
  out.mark = in.get<std::uint64_t>();
  if (!in.at_end()) {
    out.levels.get(in);
  }
  return out;
}

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw Error(
      ErrorKind::kData, name + ": " + what,
      message("remove it to start this chain over, or fit again with {}.", Setting{"overwrite"}));
}

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  ByteWriter out;
  out.put(kMagic);
  out.put(kVersion);
  out.put(checkpoint.seed);
  out.put(checkpoint.chain);
  out.put(static_cast<std::uint8_t>(checkpoint.regular));
  put_point(out, checkpoint.state.current);
  out.put_all(checkpoint.state.bright);
  out.put(checkpoint.state.iteration);
  put_tuning(out, checkpoint.state.tuning);
  put_summary(out, checkpoint.summary);
  put_tally(out, checkpoint.tally);
  out.put(checkpoint.mark);
  if (checkpoint.levels.draws() > 0) {
    checkpoint.levels.put(out);
  }
  out.put(crc_of(out.bytes()));
  return out.bytes();
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
  constexpr std::size_t kCrc = sizeof(std::uint32_t);
  if (bytes.size() < sizeof(kMagic) + sizeof(kVersion) + kCrc ||
      ByteReader(bytes).get<std::uint64_t>() != kMagic) {
    fail(name, "not a checkpoint");
  }
  const std::string_view body = bytes.substr(0, bytes.size() - kCrc);
  if (crc_of(body) != ByteReader(bytes.substr(body.size())).get<std::uint32_t>()) {
    fail(name, "damaged: its checksum is wrong");
  }
  ByteReader in(body.substr(sizeof(kMagic)));
  if (in.get<std::uint32_t>() != kVersion) {
    fail(name, "written by another version of flymc");
  }
  try {
    Checkpoint checkpoint = get_checkpoint(in);
    if (in.at_end()) {
      return checkpoint;
    }
  } catch (const std::out_of_range&) {
  }
  fail(name, "damaged");
}

}  // namespace flymc
