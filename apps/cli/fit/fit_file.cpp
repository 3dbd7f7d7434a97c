#include "cli/fit/fit_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/text.hpp"
#include "data/format/fly.hpp"
#include "data/input/input_files.hpp"
#include "data/table/formula.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "ranks/mpi_launch.hpp"
#include "report/fit_notes.hpp"
#include "run/holdout.hpp"
#include "run/run_folder.hpp"
#include "run/run_writer.hpp"
#include "run/stored_data.hpp"

namespace flymc::cli {
namespace {

[[noreturn]] void fail_without_response() {
  throw Error(ErrorKind::kUsage,
              "--response is missing: name the column to explain (for X.npy a second file), "
              "such as --response y.");
}

// The arrays of an npz have names of their own, a LIBSVM file starts its lines with the response;
// anything else must be told what to explain. Told before a large file is read, where its name is
// enough.
void require_response_option(const LoadSpec& spec) {
  const Format format = named_format(spec);
  const bool needed = format == Format::kCsv || format == Format::kTsv || format == Format::kNpy ||
                      format == Format::kParquet;
  if (spec.response.empty() && needed) {
    fail_without_response();
  }
}

void require_response(const Loaded& loaded, const std::string& path) {
  if (!loaded.table.response.name.empty()) {
    return;
  }
  if (loaded.format != Format::kNpz) {
    fail_without_response();
  }
  throw Error(ErrorKind::kData, escaped(path) +
                                    ": no array 'y'; name the response with "
                                    "--response.");
}

// Large files take a while: says so first.
void say_what_is_read(const FitOptions& options) {
  constexpr double kSlowMegabytes = 100.0;
  double megabytes = 0.0;
  for (const std::string& path : input_files(options.data.path).paths) {
    std::error_code error;
    const auto size_bytes = std::filesystem::file_size(path, error);
    megabytes += error ? 0.0 : static_cast<double>(size_bytes) / 1e6;
  }
  if (megabytes > kSlowMegabytes) {
    say(options, fmt::format("reading {} ({:.0f} MB)", escaped(options.data.path), megabytes));
  }
}

[[noreturn]] void fail_changed(const std::string& file, const FitOptions& options) {
  throw Error(ErrorKind::kData,
              fmt::format("{} has changed since {} began; put the old file back, or fit again with "
                          "--overwrite.",
                          escaped(file), shown_folder(options.out)));
}

// Which settings a message proposes.
class ProposedSettings final : public Wording {
 public:
  explicit ProposedSettings(const Message& message) { (void)message.in(*this); }
  [[nodiscard]] bool have(const char* name) const { return names_.contains(name); }

  [[nodiscard]] std::string of(const Setting& setting) const override {
    names_.insert(setting.name);
    return {};
  }
  [[nodiscard]] std::string of(const OtherValue& /*other*/) const override { return {}; }
  [[nodiscard]] std::string of(const Command& /*command*/) const override { return {}; }
  [[nodiscard]] std::string of(const Refit& /*refit*/) const override { return {}; }

 private:
  mutable std::set<std::string> names_;  // a message takes a const wording
};

// Text, dates and missing values are refused a column at a time, and the next may have another
// reason: what looks at all of them. A pipe is read once.
void point_to_inspection(const Error& error, const FitOptions& options) {
  const LoadSpec& data = options.data;
  const ProposedSettings remedy(error.remedy());
  const bool raw = remedy.have("categorical") || remedy.have("date") ||
                   ProposedSettings(error.problem()).have("missing");
  if (error.kind() == ErrorKind::kData && raw && data.path != kStandardInput) {
    const std::string response =
        data.formula.empty() ? data.response : parse_formula(data.formula).response;
    say(options, fmt::format("all columns at once: flymc inspect {}{}", shell_word(data.path),
                             response.empty() ? "" : " --response " + shell_word(response)));
  }
}

// The table, and of a resumed run the same one.
Loaded load_same(const FitOptions& options, const StoredRun* resumed) {
  LoadSpec spec = options.data;
  spec.checksums = true;
  if (resumed == nullptr) {
    try {
      return load(spec);
    } catch (const Error& error) {
      point_to_inspection(error, options);
      throw;
    }
  }
  std::optional<Loaded> loaded;
  try {
    loaded = load(spec);
  } catch (const Error& error) {  // of what may be no table any more
    const bool alone = spec.ranks->size() == 1;
    if (const auto file =
            alone && error.kind() == ErrorKind::kData ? changed_file(*resumed) : std::nullopt) {
      fail_changed(*file, options);
    }
    throw;
  }
  if (const auto file = changed_file(*resumed, loaded->checksums)) {
    fail_changed(*file, options);
  }
  return *std::move(loaded);
}

}  // namespace

Problem load_problem(const FitOptions& options, const StoredRun* resumed) {
  require_response_option(options.data);
  say_what_is_read(options);
  Loaded loaded = load_same(options, resumed);
  say(options, loaded.note);
  for (const auto& warning : loaded.warnings) {
    say(options, "warning: " + warning);
  }
  require_response(loaded, options.data.path);
  FitSettings settings = options;
  settings.columns = std::move(loaded.predictors);
  if (const std::size_t held = hold_out(options, loaded.table); held > 0) {
    say(options, fmt::format("held out {} to check the fit on; it sees {}", counted(held, "row"),
                             with_commas(loaded.table.rows)));
  }
  Problem problem = prepare(std::move(loaded.table), settings);
  problem.files = std::move(loaded.checksums);
  return problem;
}

FitOptions among_ranks(FitOptions options, Ranks& ranks) {
  options.data.ranks = &ranks;
  if (ranks.size() == 1) {
    return options;
  }
  if (options.engine == EngineKind::kRegular && options.local()) {
    if (options.kernel) {
      throw Error(ErrorKind::kUsage,
                  "--kernel split-hmc: with several ranks the regular engine would keep every row "
                  "at every rank; use --kernel hmc.");
    }
    options.kernel = KernelKind::kHmc;
  }
  options.engine = options.engine == EngineKind::kAuto ? EngineKind::kFly : options.engine;
  options.threads = std::max(1U, options.threads);
  options.data.threads = options.threads;
  options.quiet = options.quiet || ranks.rank() > 0;
  return options;
}

FitResult fit_file(const FitOptions& asked) {
  const FitContext context;  // the clock of --max-time starts here
  Ranks& ranks = mpi_ranks();
  FitOptions options = among_ranks(asked, ranks);
  fail_together(ranks, [&] {
    const InputFiles files = input_files(options.data.path);
    require_outside_parts(options.data.path, options.out);
    for (const std::string& path : files.paths) {
      require_outside(path, options.out);
    }
    require_free(options.out, options.overwrite);
    if (options.data.offset.empty()) {  // the run remembers it: new rows need it, too
      options.data.offset = stored_offset(options.data.path);
    }
  });
  const Problem problem = load_problem(options);
  const StopSignal stop;
  return fit(problem, options, stop, context);
}

}  // namespace flymc::cli
