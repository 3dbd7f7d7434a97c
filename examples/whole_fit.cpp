// A whole fit from C++: a table in, chains, summary, draws and predictions out.
#include <cstdio>

#include "flymc/fit.hpp"
#include "flymc/load.hpp"
#include "flymc/predict.hpp"

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : "visits.csv";
  const flymc::Table table = flymc::load({.path = path, .response = "y"}).table;
  flymc::Fit fit(table, {.family = "poisson"});
  fit.run();
  for (const flymc::ParameterSummary& parameter : fit.summary().parameters) {
    std::printf("%-12s %8.4f +- %.4f\n", parameter.label.c_str(), parameter.estimate.mean,
                parameter.estimate.sd);
  }
  const flymc::PredictedRows expected = flymc::predict(fit, table);
  std::printf("first row    %8.4f expected, %.4f to %.4f\n", expected.values(0, 0),
              expected.values(0, 2), expected.values(0, 3));
  std::printf("%zu chains of %lu draws\n", fit.chains().chains.size(),
              static_cast<unsigned long>(fit.draws()));
}
