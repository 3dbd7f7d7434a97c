#include "run/stored_data.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "data/load/checksum.hpp"
#include "data/table/fill_missing.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "run/holdout.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace {

RunOptions with_choices(const StoredRun& run, StoredRows rows) {
  RunOptions options = run.options;
  options.select_prior = false;
  options.own = run.settings();
  if (rows == StoredRows::kAsGiven) {
    options.engine = EngineKind::kRegular;  // which merges none
  }
  return options;
}

bool same_parameters(const Problem& problem, const std::vector<std::string>& labels) {
  if (problem.parameters.size() != labels.size()) {
    return false;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    // Compared as shown: bytes that are not UTF-8 do not survive JSON.
    const nlohmann::json now = problem.parameters[i].label;
    const auto text = now.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (nlohmann::json::parse(text) != labels[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> missing_columns(const Loaded& loaded, const LoadSpec& spec) {
  std::vector<std::string> columns;
  for (const MissingIn& column : loaded.counts.missing_in) {
    if (!is_filled(spec, column.column)) {
      columns.push_back(column.column);
    }
  }
  return columns;
}

std::optional<std::string> changed_file(const StoredRun& run,
                                        const std::vector<FileChecksum>& read) {
  if (read.empty() || read[0].checksum != run.data_checksum) {
    return run.options.data.path;
  }
  for (std::size_t i = 0; i < run.files.size(); ++i) {
    if (i + 1 >= read.size() || read[i + 1].checksum != run.files[i].checksum) {
      return run.files[i].path;
    }
  }
  return std::nullopt;
}

std::optional<std::string> changed_file(const StoredRun& run) {
  if (run.data_checksum.empty() || run.options.data.path == kStandardInput) {
    return std::nullopt;
  }
  std::vector<FileChecksum> now{{"", fingerprint_of_file(run.options.data.path)}};
  for (const FileChecksum& file : run.files) {
    now.push_back({"", fingerprint_of_file(file.path)});
  }
  return changed_file(run, now);
}

void require_stored_rows(const StoredRun& run, const std::filesystem::path& folder, bool verified) {
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::kData, why, message("name other rows with {}.", Setting{"data"}));
  };
  if (run.data_checksum.empty()) {
    fail("the data of " + shown_folder(folder) + " were built in; no file holds them");
  }
  if (run.options.data.path == kStandardInput) {
    fail("the data of " + shown_folder(folder) + " came from standard input; no file holds them");
  }
  if (const auto file = verified ? std::nullopt : changed_file(run)) {
    fail(escaped(*file) + " has changed since the run");
  }
}

StoredData load_stored_data(const std::filesystem::path& folder, StoredRows rows) {
  const StoredRun stored = read_stored_run(folder);
  const std::string path = escaped(stored.options.data.path);
  if (stored.data_checksum.empty()) {
    return {std::nullopt, "The data of this run were built in; no file holds them."};
  }
  if (stored.options.data.path == kStandardInput) {
    return {std::nullopt, "The data of this run came from standard input; no file holds them."};
  }
  const auto has_changed = [](const std::string& file) {
    return StoredData{std::nullopt, escaped(file) + " has changed since the run."};
  };
  try {
    RunOptions options = with_choices(stored, rows);
    options.data.checksums = true;
    std::optional<Loaded> loaded;
    try {
      loaded = load(options.data);
    } catch (const Error&) {  // what it is now may be no table at all
      if (const auto file = changed_file(stored)) {
        return has_changed(*file);
      }
      throw;
    }
    if (const auto file = changed_file(stored, loaded->checksums)) {
      return has_changed(*file);
    }
    options.columns = std::move(loaded->predictors);
    (void)hold_out(options, loaded->table);
    Problem problem = prepare(std::move(loaded->table), options);
    if (!same_parameters(problem, stored.labels)) {
      return {std::nullopt, path + " now gives other columns than the run has."};
    }
    return {std::move(problem), "", ErrorKind::kData, missing_columns(*loaded, options.data),
            loaded->counts.valueless};
  } catch (const Error& error) {
    return {std::nullopt, "The data cannot be read again: " + error.message(), error.kind()};
  }
}

}  // namespace flymc
