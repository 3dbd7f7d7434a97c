#include "report/fit_notes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/duration.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "diagnose/modes_note.hpp"

namespace flymc {
namespace {

std::string in_words(double count) {
  return count >= 100.0 ? with_commas(static_cast<std::uint64_t>(std::llround(count)))
                        : fmt::format("{:.2g}", count);
}

}  // namespace

void say(const TerminalSettings& options, const std::string& text) {
  if (options.quiet) {
    return;
  }
  if (options.progress == ProgressKind::kJson) {  // every line is an object
    print_error(nlohmann::json{{"message", text}}.dump(-1, ' ', false,
                                                       nlohmann::json::error_handler_t::replace) +
                "\n");
  } else {
    print_error(text + "\n");
  }
}

void say_setup(const TerminalSettings& options, const SetupInfo& setup) {
  say(options,
      fmt::format("set-up: {} over the data, {}, {}",
                  counted(static_cast<std::size_t>(setup.passes), "pass"),
                  counted(setup.queries, "likelihood query"), duration_text(setup.wall_s)));
  if (setup.rounds > 0) {
    say(options, fmt::format("the posterior is skewed: {} from its mode to its mean, {}",
                             counted(static_cast<std::size_t>(setup.rounds), "move"),
                             duration_text(setup.reanchor_s)));
  }
  if (const std::string modes = modes_note(setup.mode_nats); !modes.empty()) {
    say(options, modes);
  }
  if (setup.separated) {
    say(options,
        "warning: the classes are separable: only the prior keeps the coefficients finite.");
  }
  if (setup.forecast) {
    const auto price = [](const Cost& cost) { return in_words(cost.queries() / cost.draws()); };
    say(options,
        fmt::format("forecast: {} queries an effective draw with FlyMC ({} bright, {}), {} without:"
                    " running {}",
                    price(setup.forecast->fly), in_words(setup.forecast->fly.bright),
                    counted(setup.beacons, "beacon"), price(setup.forecast->regular),
                    setup.regular ? "the regular engine" : "FlyMC"));
  }
  if (setup.group_forecast) {
    say(options,
        setup.regular
            ? fmt::format("forecast: bounds of these rows would hold chains back: running "
                          "the regular engine, {} queries an iteration",
                          in_words(setup.group_forecast->regular))
            : fmt::format("forecast: {} queries an iteration with FlyMC ({} bright, {}), "
                          "{} without: running FlyMC",
                          in_words(setup.group_forecast->fly), in_words(setup.expected_bright),
                          counted(setup.beacons, "beacon"),
                          in_words(setup.group_forecast->regular)));
  }
}

void say_what_was_prepared(const TerminalSettings& options, const Problem& problem,
                           const Wording& wording) {
  for (const Message& note : problem.notes) {
    say(options, note.in(wording));
  }
  for (const Message& warning : problem.warnings) {
    say(options, "warning: " + warning.in(wording));
  }
}

}  // namespace flymc
