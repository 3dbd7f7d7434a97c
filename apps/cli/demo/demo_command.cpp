// `flymc demo`: its few options.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/demo/demo.hpp"

namespace flymc::cli {

void add_demo(CommandLine& line, int& status) {
  const Subcommand command =
      line.add_subcommand("demo", "a built-in toy problem end to end: fit, summary, picture");
  auto options = std::make_shared<DemoOptions>();
  command.add_option("--out", options->out, "folder, default flymc-demo");
  command.add_option("--seed", options->seed, "default 1");
  command.callback([options, &status] {
    const DemoResult result = run_demo(*options);
    fmt::print("{}", result.story);
    status = result.exit_code;
  });
}

}  // namespace flymc::cli
