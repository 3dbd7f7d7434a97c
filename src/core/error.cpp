#include "flymc/error.hpp"

namespace flymc {

Error with_remedy(const Error& error, const std::string& remedy) {
  const std::string message = error.what();
  return {error.kind(), message.substr(0, message.rfind("; ")) + "; " + remedy};
}

}  // namespace flymc
