#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "run/level_file.hpp"
#include "run/run_files.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"

namespace flymc {
namespace {

struct NumberedChain {
  std::size_t number = 0;
  ChainDraws draws;
};

// K of "chain-K.csv", 0 for any other name.
[[nodiscard]] std::size_t chain_number(const std::string& name) {
  constexpr std::string_view kPrefix = "chain-";
  constexpr std::string_view kSuffix = ".csv";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() > 20) {
    return 0;
  }
  std::size_t number = 0;
  for (std::size_t i = kPrefix.size(); i < name.size() - kSuffix.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') {
      return 0;
    }
    number = 10 * number + static_cast<std::size_t>(name[i] - '0');
  }
  return number;
}

// What a complete run must hold.
struct Promise {
  std::uint64_t chains = 0;
  std::uint64_t draws = 0;  // of each
};

[[nodiscard]] std::optional<Promise> promised(const std::filesystem::path& folder) {
  if (!read_manifest(folder)) {
    return std::nullopt;
  }
  const nlohmann::json run = read_run_json(folder);
  const nlohmann::json& config = run.at("config");
  const auto count = [](const nlohmann::json& in, const char* key) -> std::uint64_t {
    return in.is_object() && in.contains(key) && in.at(key).is_number_unsigned()
               ? in.at(key).get<std::uint64_t>()
               : 0;
  };
  const std::uint64_t chains = count(config, "chains");
  const std::uint64_t thin = count(config, "thin");
  if (!run.contains("status") || run.at("status") != "complete" || !run.contains("sampling") ||
      chains == 0 || thin == 0) {
    return std::nullopt;
  }
  return Promise{chains, count(run.at("sampling"), "iterations") / thin / chains};
}

void require_promised(const std::vector<NumberedChain>& chains, const Promise& promise,
                      const std::filesystem::path& folder) {
  const auto fail = [&](std::uint64_t number, const std::string& what) {
    throw Error(ErrorKind::kData,
                fmt::format("{}chain-{}.csv {}, but the run is complete with {} of {}",
                            shown_folder(folder), number, what, counted(promise.chains, "chain"),
                            counted(promise.draws, "draw")),
                message("put the file back, or fit again with {}.", Setting{"overwrite"}));
  };
  for (std::uint64_t number = 1; number <= promise.chains; ++number) {
    const auto chain = std::ranges::find(chains, number, &NumberedChain::number);
    if (chain == chains.end()) {
      fail(number, "is missing");
    } else if (chain->draws.draws() < promise.draws) {
      fail(number, "holds " + counted(chain->draws.draws(), "draw"));
    }
  }
}

[[nodiscard]] std::vector<NumberedChain> read_all(const std::filesystem::path& folder) {
  const auto manifest = read_manifest(folder);
  std::vector<NumberedChain> chains;
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  if (error) {
    throw Error(error == std::errc::permission_denied ? ErrorKind::kPermission : ErrorKind::kIo,
                fmt::format("cannot list {}: {}", shown_folder(folder), error.message()),
                "check its permissions.");
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    const std::size_t number = chain_number(name);
    if (number > 0 && (!manifest || manifest->names(name))) {
      chains.push_back({.number = number, .draws = read_chain_csv(entry.path())});
    }
  }
  std::ranges::sort(chains, {}, &NumberedChain::number);
  return chains;
}

[[nodiscard]] std::size_t draws_of(const NumberedChain& chain) { return chain.draws.draws(); }

void require_same_columns(const std::vector<NumberedChain>& chains, const std::string& shown) {
  for (const NumberedChain& chain : chains) {
    if (chain.draws.columns != chains.front().draws.columns) {
      throw Error(ErrorKind::kData, shown + "chain-" + std::to_string(chain.number) +
                                        ".csv: its columns differ " + "from those of chain-" +
                                        std::to_string(chains.front().number) +
                                        ".csv; they are not chains of one run.");
    }
  }
}

}  // namespace

RunChains read_run_chains(const std::filesystem::path& folder) {
  require_readable(folder);
  std::vector<NumberedChain> all = read_all(folder);
  if (const auto promise = promised(folder)) {
    require_promised(all, *promise, folder);
  }
  const std::size_t longest =
      all.empty() ? 0 : draws_of(*std::ranges::max_element(all, {}, draws_of));
  if (longest == 0) {
    throw Error(ErrorKind::kNoInput, shown_folder(folder) + " holds no draws yet",
                message("wait, go on with {} where it was stopped, or repeat the fit with {}.",
                        Setting{"resume"}, Setting{"overwrite"}));
  }
  RunChains run;
  std::erase_if(all, [&](const NumberedChain& chain) {
    const bool short_of_half = 2 * draws_of(chain) < longest;
    if (short_of_half) {
      run.notes.push_back("Chain " + std::to_string(chain.number) + " is left out: it has " +
                          counted(draws_of(chain), "draw") + ", the longest " +
                          with_commas(longest) + ".");
    }
    return short_of_half;
  });
  require_same_columns(all, shown_folder(folder));
  const std::size_t shortest = draws_of(*std::ranges::min_element(all, {}, draws_of));
  if (shortest < longest) {
    run.notes.push_back("Chains are cut to the shortest, " + counted(shortest, "draw") + " of " +
                        with_commas(longest) + ".");
  }
  for (NumberedChain& chain : all) {
    for (auto& column : chain.draws.values) {
      column.resize(shortest);
    }
    run.chains.push_back(std::move(chain.draws));
  }
  return run;
}

Summary summarise(const std::filesystem::path& run_folder, const Questions& questions) {
  const RunRecord record = read_run_record(run_folder);  // first: it tells what is no run
  Summary summary =
      summarise(record, read_run_chains(run_folder), shown_folder(run_folder), questions);
  add_streamed(run_folder, summary);
  return summary;
}

}  // namespace flymc
