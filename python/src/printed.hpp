// What a command prints, for Python's Summary and Printed.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace flymc::python {

// {"text", "json"}.
[[nodiscard]] inline pybind11::dict printed(const std::string& text, const std::string& json) {
  pybind11::dict result;
  result["text"] = text;
  result["json"] = json;
  return result;
}

}  // namespace flymc::python
