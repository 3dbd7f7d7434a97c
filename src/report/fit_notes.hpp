// What `fit` tells its user on the way, on stderr, unless it shall be quiet.
#pragma once

#include <string>

#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "flymc/message.hpp"
#include "report/terminal_settings.hpp"

namespace flymc {

void say(const TerminalSettings& options, const std::string& text);
void say_setup(const TerminalSettings& options, const SetupInfo& setup);
void say_what_was_prepared(const TerminalSettings& options, const Problem& problem,
                           const Wording& wording);

}  // namespace flymc
