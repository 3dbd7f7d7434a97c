#include "run/stored_data.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "data/load/checksum.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"

namespace flymc {
namespace {

RunOptions with_choices(const StoredRun& run) {
  RunOptions options = run.options;
  options.select_prior = false;
  options.own = run.settings();
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

StoredData load_stored_data(const std::filesystem::path& folder) {
  const StoredRun stored = read_stored_run(folder);
  const std::string path = escaped(stored.options.data.path);
  if (stored.data_checksum.empty()) {
    return {std::nullopt, "The data of this run were built in; no file holds them."};
  }
  if (stored.options.data.path == kStandardInput) {
    return {std::nullopt, "The data of this run came from standard input; no file holds them."};
  }
  try {
    if (fingerprint_of_file(stored.options.data.path) != stored.data_checksum) {
      return {std::nullopt, path + " has changed since the run."};
    }
    const RunOptions options = with_choices(stored);
    Problem problem = prepare(load(options.data).table, options);
    if (!same_parameters(problem, stored.labels)) {
      return {std::nullopt, path + " now gives other columns than the run has."};
    }
    return {std::move(problem), ""};
  } catch (const Error& error) {
    return {std::nullopt, "The data cannot be read again: " + error.message()};
  }
}

}  // namespace flymc
