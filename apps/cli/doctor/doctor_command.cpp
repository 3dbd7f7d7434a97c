// `flymc doctor`: what this program is, what it finds on this machine, and whether it samples right
// here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/doctor/self_test.hpp"
#include "core/machine_memory.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/format/duckdb.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_launch.hpp"

namespace flymc::cli {
namespace {

// Extensions that decide how fast rows go by.
constexpr std::array<std::string_view, 9> kFeatures = {
    "sse4_2", "avx", "avx2", "fma", "avx512f", "asimd", "asimddp", "sve", "sve2"};

// As the kernel names them.
std::string cpu_features() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) {
      continue;
    }
    line += ' ';
    std::vector<std::string_view> found;
    std::copy_if(kFeatures.begin(), kFeatures.end(), std::back_inserter(found),
                 [&](std::string_view name) {
                   return line.find(fmt::format(" {} ", name)) != std::string::npos;
                 });
    return fmt::format("{}", fmt::join(found, " "));
  }
  return "unknown";
}

std::string mpi_text() {
  const std::vector<std::string> kinds = mpi_kinds();
  return kinds.empty() ? "none; mpirun needs a build where MPI is installed"
                       : fmt::format("{}", fmt::join(kinds, ", "));
}

std::string duckdb_text() {
  try {
    (void)duckdb::load_library("parquet");
    return "found; parquet files can be read";
  } catch (const Error&) {
    return "not found; parquet files cannot be read (FLYMC_DUCKDB names its library)";
  }
}

std::string words_for(const SelfTest& test) {
  if (test.passed()) {
    return fmt::format("passed: posterior mean {:.5f}, by quadrature {:.5f}, standard error {:.5f}",
                       test.mean, test.quadrature, test.mcse);
  }
  return test.same_draws ? fmt::format(
                               "FAILED: posterior mean {:.5f}, by quadrature {:.5f}, "
                               "standard error {:.5f}; please report it",
                               test.mean, test.quadrature, test.mcse)
                         : "FAILED: draws depend on the number of threads; please report it";
}

}  // namespace

void add_doctor(CommandLine& line, int& status, const std::string& version) {
  const Subcommand command = line.add_subcommand(
      "doctor", "what this program is and finds here, and a self-test of a second");
  command.callback([version, &status] {
    constexpr double kGigabyte = 1e9;
    fmt::print("version    {}\n", version);
    fmt::print("processor  {} cores, {}\n", resolve_threads(0), cpu_features());
    fmt::print("memory     {:.1f} GB\n", machine_memory_bytes() / kGigabyte);
    fmt::print("MPI        {}\n", mpi_text());
    fmt::print("DuckDB     {}\n", duckdb_text());
    const SelfTest test = run_self_test();
    fmt::print("self-test  {}\n", words_for(test));
    status = test.passed() ? 0 : static_cast<int>(ErrorKind::kInternal);
  });
}

}  // namespace flymc::cli
