// The command line: parses, dispatches, and turns every failure into one line and an exit code.
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/commands.hpp"
#include "cli/for_processor.hpp"
#include "cli/lost_file.hpp"
#include "cli/wording.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_launch.hpp"

namespace {

constexpr std::string_view kOutOfMemory =
    "flymc: out of memory; use fewer chains (--chains) or fewer columns.\n";

// A stream that the caller closed must not become the number of a file that we open: messages
// would go into it. Each is held open the wrong way round, so that using it still fails.
void hold_standard_streams() {
  for (const auto& [descriptor, wrong_way] :
       {std::pair{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_RDONLY}}) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      ::open("/dev/null", wrong_way);  // takes the lowest number that is free: this one
    }
  }
}

int run(int argc, char** argv) {
  const std::string version = "flymc " + flymc::version() + " (" + flymc::cli::build_info() + ")";
  flymc::cli::CommandLine line(
      "Exact Bayesian regression on tall data: Firefly Monte Carlo touches a few rows an "
      "iteration,\n"
      "and the posterior is that of all rows.\n\n"
      "Start with:  flymc demo\n"
      "Then:        flymc inspect train.csv --response y\n"
      "             flymc fit train.csv --response y --model logistic --out run/\n"
      "             flymc summary run/                        what the coefficients are\n"
      "             flymc effects run/                        what a change does to the response\n"
      "             flymc check run/                          whether the model fits the data\n"
      "             flymc compare run/ other/                 which of two models is better\n"
      "             flymc predict run/ new.csv --out pred.csv\n"
      "             flymc report run/                         all of it on one page",
      version);
  int status = 0;
  flymc::cli::add_fit(line, status);
  flymc::cli::add_inspect(line, status);
  flymc::cli::add_convert(line, status);
  flymc::cli::add_summary(line, status);
  flymc::cli::add_report(line, status);
  flymc::cli::add_predict(line, status);
  flymc::cli::add_effects(line, status);
  flymc::cli::add_check(line, status);
  flymc::cli::add_compare(line, status);
  flymc::cli::add_export(line, status);
  flymc::cli::add_simulate(line, status);
  flymc::cli::add_demo(line, status);
  flymc::cli::add_doctor(line, status, version);
  flymc::paper::add_paper(line, status);
  line.parse(argc, argv, flymc::launch().rank == 0);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush()) {
    throw flymc::Error(flymc::ErrorKind::kIo,
                       "cannot write to standard output; is the disk full, or the pipe closed?");
  }
  return status;
}

std::atomic<bool> memory_ended{false};

// As without a handler, but remembered.
void remember_and_throw() {
  memory_ended = true;
  throw std::bad_alloc();
}

// Out of memory where nothing may be thrown (a destructor, the standard library's own files): the
// code and the line are those of any other place, and what was written atomically is whole. That
// memory is the cause has to be remembered: the exception itself cannot always be seen here.
[[noreturn]] void end_at_once() noexcept {
  if (memory_ended) {
    flymc::print_error(kOutOfMemory);
    ::_exit(static_cast<int>(flymc::ErrorKind::kMemory));
  }
  std::abort();
}

// What the system refused where no better words are at hand.
int exit_code_of(const std::error_code& error) {
  using flymc::ErrorKind;
  const ErrorKind kind = error == std::errc::permission_denied           ? ErrorKind::kPermission
                         : error == std::errc::operation_not_permitted   ? ErrorKind::kPermission
                         : error == std::errc::no_such_file_or_directory ? ErrorKind::kNoInput
                         : error == std::errc::not_enough_memory         ? ErrorKind::kMemory
                         : error == std::errc::resource_unavailable_try_again ? ErrorKind::kMemory
                                                                              : ErrorKind::kIo;
  return static_cast<int>(kind);
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
  } catch (const std::system_error& error) {
    return {exit_code_of(error.code()), flymc::escaped(error.what()) + "."};
  } catch (const std::exception& error) {
    return {static_cast<int>(flymc::ErrorKind::kInternal),
            fmt::format("internal error: {}; please report it.", flymc::escaped(error.what()))};
  }
}

}  // namespace

int main(int argc, char** argv) {
  flymc::cli::become_program_for_processor(argv);
  hold_standard_streams();
  flymc::cli::exit_on_lost_files();
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // libc loads its unwinder at first use: while there is memory
  std::set_new_handler(remember_and_throw);
  std::set_terminate(end_at_once);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit: a write that fails, as on a full disk
  try {
    return flymc::leave_mpi(attempt(argc, argv));
  } catch (const std::exception&) {  // not even room for the words
    flymc::print_error(kOutOfMemory);
    return static_cast<int>(flymc::ErrorKind::kMemory);
  }
}
