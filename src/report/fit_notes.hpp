// What `fit` tells its user on the way, on stderr, unless --quiet.
#pragma once

#include <string>

#include "fit/engine.hpp"
#include "fit/options.hpp"
#include "fit/prepare.hpp"

namespace flymc {

void say(const FitOptions& options, const std::string& text);
void say_setup(const FitOptions& options, const SetupInfo& setup);
void say_what_was_prepared(const FitOptions& options, const Problem& problem);

}  // namespace flymc
