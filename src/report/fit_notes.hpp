// What `fit` tells its user on the way, on stderr, unless it shall be quiet.
#pragma once

#include <string>

#include "fit/engine.hpp"
#include "fit/options.hpp"
#include "fit/prepare.hpp"
#include "flymc/message.hpp"

namespace flymc {

void say(const FitOptions& options, const std::string& text);
void say_setup(const FitOptions& options, const SetupInfo& setup);
void say_what_was_prepared(const FitOptions& options, const Problem& problem,
                           const Wording& wording);

}  // namespace flymc
