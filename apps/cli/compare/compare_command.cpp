// `flymc compare`: runs of the same data held against each other.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/own_page.hpp"
#include "cli/wording.hpp"
#include "compare/comparison.hpp"
#include "core/output_folder.hpp"
#include "report/compare_page.hpp"
#include "report/compare_text.hpp"

namespace flymc::cli {

void add_compare(CommandLine& line, int& /*status*/) {
  struct Options {
    std::vector<std::string> folders;
    CompareOptions compare;
    std::string out;
    bool json = false;
    bool all = false;
    bool overwrite = false;
  };
  const Subcommand command = line.add_subcommand(
      "compare", "runs of the same data: what each says of rows left out, evidence, coefficients");
  auto options = std::make_shared<Options>();
  command.add_arguments("RUN", options->folders, "run folders; differences are to the first")
      .required();
  command.add_option("--out", options->out, "one self-contained web page of it, too");
  command.add_flag("--overwrite", options->overwrite,
                   "replace the file of --out even where it is no page of flymc");
  command.add_flag("--json", options->json, "machine-readable");
  command.add_flag("--all", options->all, "every coefficient, not only the first 20");
  add_count(command, "--exact-rows", options->compare.exact_rows,
            "rows that leave-one-out takes all draws for, default 1000: more make its mcse smaller",
            {.least = 2});
  command.callback([options] {
    std::vector<RunPlace> folders;
    for (const std::string& folder : options->folders) {
      folders.emplace_back(std::filesystem::path(folder));
    }
    if (!options->out.empty()) {
      require_own_page({options->out,
                        "compare",
                        {options->folders.begin(), options->folders.end()},
                        options->overwrite});
    }
    const std::vector<ComparedRun> runs = compare_runs(folders, options->compare);
    if (!options->out.empty()) {
      write_text(options->out, compare_page(runs, option_wording()));
    }
    fmt::print("{}", options->json ? compare_json(runs, option_wording())
                                   : compare_table(runs, option_wording(), options->all));
  });
}

}  // namespace flymc::cli
