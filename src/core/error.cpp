#include "flymc/error.hpp"

#include <utility>

namespace flymc {
namespace {

Message joined(const Message& problem, const Message& remedy) {
  return remedy.empty() ? problem : problem + "; " + remedy;
}

}  // namespace

Error::Error(ErrorKind kind, Message problem, Message remedy)
    : std::runtime_error(joined(problem, remedy).in(field_wording())),
      kind_(kind),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

Message Error::message() const { return joined(problem_, remedy_); }

Error with_remedy(const Error& error, const Message& remedy) {
  return {error.kind(), error.problem(), remedy};
}

}  // namespace flymc
