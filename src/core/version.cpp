#include "core/version.hpp"

namespace flymc {

std::string version() { return FLYMC_VERSION; }

}  // namespace flymc
