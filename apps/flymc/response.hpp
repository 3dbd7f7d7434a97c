// Responses as models want them: -1/+1 for logistic, 0 .. K-1 for softmax, numbers for Student-t.
#pragma once

#include <string>
#include <vector>

#include "flymc/data/table.hpp"
#include "flymc/options.hpp"

namespace flymc::app {

// Encodes the response in place; returns the class labels in the order of their codes (for logistic
// the negative class first; empty for Student-t). THROWS Error(kData) for labels the model cannot
// use: too many or too few classes, text where numbers are needed.
std::vector<std::string> encode_response(Response& response, ModelKind model);

}  // namespace flymc::app
