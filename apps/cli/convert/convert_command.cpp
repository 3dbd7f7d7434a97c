// `flymc convert`: a table of any format as a .fly file.
#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/data_options.hpp"
#include "cli/wording.hpp"
#include "core/standard_error.hpp"
#include "data/load/convert.hpp"

namespace flymc::cli {

void add_convert(CommandLine& line, int& status) {
  const Subcommand command =
      line.add_subcommand("convert", "a table as a .fly file, which is mapped and never read in");
  auto options = std::make_shared<ConvertOptions>();
  add_data_options(command, options->data);
  command.add_option("OUT", options->out, "the file to write, something.fly").required();
  command.add_flag("--float32", options->float32, "half the size; features rounded to 7 digits");
  command.add_flag("--overwrite", options->overwrite, "replace OUT if it is there");
  add_count(command, "--threads", options->data.threads, "0 = all cores");
  command.callback([options, &status] {
    options->data.threads = std::min(options->data.threads, kMostThreads);
    status = convert(
        *options, [](const Message& warning) { print_error(warning.in(option_wording()) + "\n"); });
  });
}

}  // namespace flymc::cli
