// What `fit` tells its user on the way, on stderr, unless --quiet.
#pragma once

#include <string>

#include "flymc/engine.hpp"
#include "flymc/options.hpp"
#include "flymc/prepare.hpp"

namespace flymc::app {

void say(const FitOptions& options, const std::string& text);
void say_setup(const FitOptions& options, const SetupInfo& setup);
void say_what_was_prepared(const FitOptions& options, const Problem& problem);

}  // namespace flymc::app
