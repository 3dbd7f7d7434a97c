#include "flymc/response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc::app {
namespace {

constexpr std::size_t kNamesShown = 5;

std::vector<double> distinct_values(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {  // few classes: a sorted vector beats a hash
    const auto at = std::lower_bound(result.begin(), result.end(), value);
    if (at == result.end() || *at != value) {
      result.insert(at, value);
      constexpr std::size_t kTooMany = 10000;
      if (result.size() > kTooMany) {
        break;
      }
    }
  }
  return result;
}

std::vector<std::string> names_of(const Response& response, const std::vector<double>& distinct) {
  std::vector<std::string> names;
  for (const double value : distinct) {
    names.push_back(response.labels.empty() ? fmt::format("{}", value)
                                            : response.labels[static_cast<std::size_t>(value)]);
  }
  return names;
}

[[noreturn]] void too_many(const Response& response, const std::vector<std::string>& names,
                           const char* needs) {
  throw Error(ErrorKind::kData,
              fmt::format("response {} has {} values ({}); {}", in_quotes(response.name),
                          names.size(), listed(names, ",", kNamesShown), needs));
}

void require_classes(const Response& response, const std::vector<double>& distinct,
                     ModelKind model) {
  const auto names = names_of(response, distinct);
  if (distinct.size() == 1) {
    throw Error(ErrorKind::kData, fmt::format("response {} is always {}: nothing to learn.",
                                              in_quotes(response.name), shortened(names[0])));
  }
  const bool whole = std::all_of(distinct.begin(), distinct.end(),
                                 [](double value) { return value == std::floor(value); });
  if (!whole) {
    too_many(response, names, "classes are whole numbers or text: did you mean --model student-t?");
  }
  if (model == ModelKind::kLogistic && distinct.size() > 2) {
    too_many(response, names, "logistic needs 2: did you mean --model softmax?");
  }
  constexpr std::size_t kMaxClasses = 1000;
  if (distinct.size() > kMaxClasses) {
    too_many(response, names, "softmax takes at most 1,000: did you mean --model student-t?");
  }
}

}  // namespace

std::vector<std::string> encode_response(Response& response, ModelKind model) {
  if (model == ModelKind::kStudentT) {
    if (!response.labels.empty()) {
      throw Error(ErrorKind::kData,
                  fmt::format("response {} holds text ({}); student-t needs numbers: did you mean "
                              "--model logistic or softmax?",
                              in_quotes(response.name), in_quotes(response.labels[0])));
    }
    return {};
  }
  const auto distinct = distinct_values(response.values);
  require_classes(response, distinct, model);
  auto names = names_of(response, distinct);
  for (double& value : response.values) {
    const auto code = std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin();
    value = model == ModelKind::kLogistic ? (code == 0 ? -1.0 : 1.0) : static_cast<double>(code);
  }
  return names;
}

}  // namespace flymc::app
