#include "report/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/duration.hpp"
#include "core/text.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostLines = 8;

double iterations(const ProgressView& view, const ProgressView::Chain& chain, bool only_new) {
  const std::uint64_t draws = only_new ? chain.new_draws : chain.draws;
  const bool resumed = chain.draws > chain.new_draws;
  const std::uint64_t warmup = resumed && !only_new ? view.warmup : chain.warmup;
  return static_cast<double>(warmup + draws * view.thin);
}

std::uint64_t rate(const ProgressView& view, std::uint64_t draws) {
  return view.elapsed_s > 0.0
             ? static_cast<std::uint64_t>(static_cast<double>(draws) / view.elapsed_s)
             : 0;
}

std::string ending(const ProgressView& view) {
  std::string text;
  if (!std::isnan(view.worst_rhat)) {
    text += fmt::format(", worst R-hat {:.3f}", view.worst_rhat);
  }
  if (!std::isnan(view.left_s())) {
    text += fmt::format(", {} left", duration_text(view.left_s()));
  }
  return text;
}

// Fits a terminal of 80 columns.
std::string of_draws(const ProgressView& view, const ProgressView::Chain& chain) {
  return fmt::format("{}, {}/s, {} bright, {:.3g} queries/draw, accept {:.2f}",
                     counted(chain.draws, "draw"), with_commas(rate(view, chain.new_draws)),
                     with_commas(chain.bright), chain.queries, chain.accept_prob);
}

// The chains together: sums of what is counted, means of what is not.
ProgressView::Chain all_chains(const ProgressView& view) {
  ProgressView::Chain all;
  double sampling = 0.0;
  for (const ProgressView::Chain& chain : view.chains) {
    all.draws += chain.draws;
    all.new_draws += chain.new_draws;
    all.warmup += chain.warmup;
    if (chain.new_draws > 0) {
      sampling += 1.0;
      all.bright += chain.bright;
      all.queries += chain.queries;
      all.accept_prob += chain.accept_prob;
    }
  }
  all.bright =
      static_cast<std::uint64_t>(static_cast<double>(all.bright) / std::max(1.0, sampling));
  all.queries /= std::max(1.0, sampling);
  all.accept_prob /= std::max(1.0, sampling);
  return all;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace

double ProgressView::share() const noexcept {
  double done = 0.0;
  for (const Chain& chain : chains) {
    done += iterations(*this, chain, false);
  }
  const auto each = static_cast<double>(warmup + draws * thin);
  return std::min(1.0, done / (each * static_cast<double>(chains.size())));
}

double ProgressView::left_s() const noexcept {
  double done = 0.0;
  for (const Chain& chain : chains) {
    done += iterations(*this, chain, true);
  }
  const auto each = static_cast<double>(warmup + draws * thin);
  const double left = (1.0 - share()) * each * static_cast<double>(chains.size());
  return done > 0.0 ? elapsed_s * left / done : std::numeric_limits<double>::quiet_NaN();
}

std::string setup_line(double elapsed_s) {
  const double whole = std::floor(elapsed_s);
  return fmt::format("set-up, {} so far",
                     whole < 10.0 ? fmt::format("{:.0f}s", whole) : duration_text(whole));
}

std::string plain_line(const ProgressView& view) {
  const ProgressView::Chain all = all_chains(view);
  if (all.draws == 0) {
    return fmt::format("warm-up {:3.0f} %  {}{}", 100.0 * view.share(),
                       counted(all.warmup, "iteration"), ending(view));
  }
  return fmt::format("sampling {:3.0f} %  {}{}", 100.0 * view.share(), of_draws(view, all),
                     ending(view));
}

std::vector<std::string> chain_lines(const ProgressView& view) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(kMostLines, view.chains.size()); ++i) {
    const ProgressView::Chain& chain = view.chains[i];
    std::string text = "waits";
    if (chain.draws > 0) {
      text = of_draws(view, chain);
    } else if (chain.warmup > 0) {
      text = fmt::format("warm-up, {} of {}", with_commas(chain.warmup),
                         counted(view.warmup, "iteration"));
    }
    lines.push_back(fmt::format("chain {:<2} {}", i + 1, text));
  }
  if (view.chains.size() > kMostLines) {
    lines.push_back(fmt::format("and {}", counted(view.chains.size() - kMostLines, "more chain")));
  }
  lines.push_back(fmt::format("{:8} {:3.0f} % of {} a chain{}", "all", 100.0 * view.share(),
                              counted(view.draws, "draw"), ending(view)));
  return lines;
}

std::string progress_json(const ProgressView& view) {
  nlohmann::ordered_json json{{"elapsed_s", view.elapsed_s},
                              {"share", view.share()},
                              {"left_s", number_or_null(view.left_s())},
                              {"worst_rhat", number_or_null(view.worst_rhat)},
                              {"chains", nlohmann::ordered_json::array()}};
  for (const ProgressView::Chain& chain : view.chains) {
    json["chains"].push_back({{"warmup", chain.warmup},
                              {"draws", chain.draws},
                              {"of", view.draws},
                              {"draws_per_s", rate(view, chain.new_draws)},
                              {"bright", chain.bright},
                              {"queries_per_draw", chain.queries},
                              {"accept_prob", chain.accept_prob}});
  }
  return json.dump();
}

}  // namespace flymc
