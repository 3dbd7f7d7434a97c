// The numbers that a family has beside its coefficients, fixed while a chain runs: Student-t's nu
// and scale, the size of a negative binomial.
#pragma once

#include <cmath>
#include <map>
#include <string>

#include "flymc/message.hpp"

namespace flymc {

// By name. What is not there was not given.
using Settings = std::map<std::string, double>;

enum class Absent {
  kDefault,   // has a value of its own
  kChosen,    // is chosen from the data; the family has choose(). One setting a family at most
  kRequired,  // is an error; and an error for a family that does not have it
};

[[nodiscard]] inline bool is_positive(double value) noexcept {
  return value > 0.0 && std::isfinite(value);
}

struct OwnSetting {
  const char* name;  // of the option --name, of run.json's config and of Python's parameter
  Absent absent = Absent::kRequired;
  double usual = 1.0;  // kDefault: the value; an example else; what `simulate` takes
  const char* fit_help = "";
  const char* simulate_help = "";
  const char* meaning = "";  // "the variance is mean + mean^2 / size"
  bool (*holds)(double) = &is_positive;
  const char* rule = "must be positive";  // what `holds` asks
};

// The settings of a fit, and what to say of those that its data chose.
struct ChosenSettings {
  Settings settings;
  Message note{};           // in words; empty: nothing to say
  bool noise_free = false;  // a scale was asked of rows that a fit explains to the digit
};

}  // namespace flymc
