// A whole fit from C++: a table in, chains, summary and draws out.
#include <cstdio>

#include "flymc/fit.hpp"
#include "flymc/load.hpp"

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : "visits.csv";
  flymc::Fit fit(flymc::load({.path = path, .response = "y"}).table, {.family = "poisson"});
  fit.run();
  for (const flymc::ParameterSummary& parameter : fit.summary().parameters) {
    std::printf("%-12s %8.4f +- %.4f\n", parameter.label.c_str(), parameter.estimate.mean,
                parameter.estimate.sd);
  }
  std::printf("%zu chains of %lu draws\n", fit.chains().chains.size(),
              static_cast<unsigned long>(fit.draws()));
}
