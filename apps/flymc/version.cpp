#include "flymc/version.hpp"

namespace flymc::app {

std::string version() { return FLYMC_VERSION; }

}  // namespace flymc::app
