// The command line: parses, dispatches, and turns every failure into one line and an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "cli/wording.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_launch.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App root{
      "Exact Bayesian regression on tall data: Firefly Monte Carlo touches a few rows an "
      "iteration,\n"
      "and the posterior is that of all rows.\n\n"
      "Start with:  flymc demo\n"
      "Then:        flymc inspect train.csv --response y\n"
      "             flymc fit train.csv --response y --model logistic --out run/\n"
      "             flymc summary run/\n"
      "             flymc report run/\n"
      "             flymc predict run/ new.csv --out pred.csv"};
  root.name("flymc");
  root.set_version_flag("--version", "flymc " + flymc::version());
  root.require_subcommand(1);
  int status = 0;
  flymc::cli::add_fit(root, status);
  flymc::cli::add_inspect(root, status);
  flymc::cli::add_convert(root, status);
  flymc::cli::add_summary(root, status);
  flymc::cli::add_report(root, status);
  flymc::cli::add_predict(root, status);
  flymc::cli::add_export(root, status);
  flymc::cli::add_simulate(root, status);
  flymc::cli::add_demo(root, status);
  flymc::paper::add_paper(root, status);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& help) {
    if (flymc::launch().rank == 0) {
      root.exit(help);
    }
  } catch (const CLI::ParseError& error) {
    throw flymc::Error(flymc::ErrorKind::kUsage, flymc::cli::usage_text(root, error));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush()) {
    throw flymc::Error(flymc::ErrorKind::kIo,
                       "cannot write to standard output; is the disk full, or the pipe closed?");
  }
  return status;
}

flymc::ExitReport attempt(int argc, char** argv) {
  const bool shared = argc > 1 && std::string_view(argv[1]) == "fit";
  if (flymc::launch().rank > 0 && !shared) {
    return {};  // the first rank alone does what ranks do not share
  }
  try {
    return {run(argc, argv), ""};
  } catch (const flymc::Error& error) {
    return {error.exit_code(), error.message().in(flymc::cli::option_wording())};
  } catch (const std::bad_alloc&) {
    return {static_cast<int>(flymc::ErrorKind::kMemory),
            "out of memory; use fewer chains (--chains) or fewer columns."};
  } catch (const std::exception& error) {
    return {static_cast<int>(flymc::ErrorKind::kInternal),
            fmt::format("internal error: {}; please report it.", flymc::escaped(error.what()))};
  }
}

}  // namespace

int main(int argc, char** argv) { return flymc::leave_mpi(attempt(argc, argv)); }
