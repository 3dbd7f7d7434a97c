#include "check/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace flymc {
namespace {

constexpr std::size_t kBins = 12;
constexpr std::size_t kFewestEvents = 10;
constexpr double kRounding = 1e-12;
constexpr double kNormal90 = 1.6448536269514722;

CalibrationBin bin_of(std::span<const Event> events) {
  CalibrationBin bin;
  double variance = 0.0;
  for (const Event& event : events) {
    bin.weight += event.weight;
    bin.given += event.weight * event.p;
    bin.share += event.weight * event.outcome;
    variance += event.weight * event.p * (1.0 - event.p);
  }
  bin.given /= bin.weight;
  bin.share /= bin.weight;
  bin.sd = std::sqrt(variance) / bin.weight;
  bin.low = std::max(0.0, bin.given - kNormal90 * bin.sd);
  bin.high = std::min(1.0, bin.given + kNormal90 * bin.sd);
  return bin;
}

}  // namespace

std::vector<CalibrationBin> calibration_bins(std::vector<Event> events) {
  std::ranges::sort(events, {}, &Event::p);
  const std::size_t count =
      std::min(kBins, std::max<std::size_t>(1, events.size() / kFewestEvents));
  double total = 0.0;
  for (const Event& event : events) {
    total += event.weight;
  }
  std::vector<CalibrationBin> bins;
  double before = 0.0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    before += events[i].weight;
    const bool ends = i + 1 == events.size();
    const double full = total * static_cast<double>(bins.size() + 1) / static_cast<double>(count);
    if (ends || (before >= full * (1.0 - kRounding) && events[i].p < events[i + 1].p)) {
      bins.push_back(bin_of(std::span(events).subspan(first, i + 1 - first)));
      first = i + 1;
    }
  }
  return bins;
}

double area_under_curve(std::span<Event> events) {
  std::ranges::sort(events, {}, &Event::p);
  double area = 0.0;
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < events.size();) {
    double ties_positive = 0.0;
    double ties_negative = 0.0;
    const double p = events[i].p;
    for (; i < events.size() && events[i].p == p; ++i) {
      ties_positive += events[i].weight * events[i].outcome;
      ties_negative += events[i].weight * (1.0 - events[i].outcome);
    }
    area += ties_positive * (negative + 0.5 * ties_negative);
    positive += ties_positive;
    negative += ties_negative;
  }
  const double pairs = positive * negative;
  return pairs > 0.0 ? area / pairs : std::numeric_limits<double>::quiet_NaN();
}

double error_of_area(std::span<Event> events) {
  const double area = area_under_curve(events);
  double positive = 0.0;
  double negative = 0.0;
  for (const Event& event : events) {
    positive += event.weight * event.outcome;
    negative += event.weight * (1.0 - event.outcome);
  }
  double squares = 0.0;
  double positive_below = 0.0;
  double negative_below = 0.0;
  for (std::size_t i = 0; i < events.size();) {
    std::size_t end = i;
    double ties_positive = 0.0;
    double ties_negative = 0.0;
    for (; end < events.size() && events[end].p == events[i].p; ++end) {
      ties_positive += events[end].weight * events[end].outcome;
      ties_negative += events[end].weight * (1.0 - events[end].outcome);
    }
    const double below = (negative_below + 0.5 * ties_negative) / negative;
    const double above = 1.0 - (positive_below + 0.5 * ties_positive) / positive;
    for (; i < end; ++i) {
      const Event& event = events[i];
      const double part = event.outcome * (below - area) / positive +
                          (1.0 - event.outcome) * (above - area) / negative;
      squares += event.weight * event.weight * part * part;
    }
    positive_below += ties_positive;
    negative_below += ties_negative;
  }
  return std::sqrt(squares);
}

}  // namespace flymc
