#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <span>
#include <system_error>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "fit/parameters.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"
#include "flymc/family/likelihood.hpp"
#include "run/export/run_export.hpp"
#include "run/export/zarr_store.hpp"
#include "run/run_draws.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

struct Statistic {
  const char* name;  // ArviZ's, where it has one
  std::size_t column;
};
constexpr std::array<Statistic, 4> kSampleStats = {
    {{"lp", 0}, {"acceptance_rate", 1}, {"bright", 2}, {"queries", 3}}};

// These columns of a chain, draw by draw.
std::vector<double> chunk_of(const ChainDraws& chain, std::span<const std::size_t> columns) {
  std::vector<double> values(chain.draws() * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t s = 0; s < chain.draws(); ++s) {
      values[s * columns.size() + c] = chain.values[columns[c]][s];
    }
  }
  return values;
}

// `dimensions`: those behind chain and draw, whose order the columns of the chain files have.
void add_columns(ZarrStore& store, const ExportedRun& run, const std::string& path,
                 const std::vector<ZarrDimension>& dimensions,
                 std::span<const std::size_t> columns) {
  std::vector<ZarrDimension> all = {{"chain", run.chains.size()}, {"draw", run.draws()}};
  all.insert(all.end(), dimensions.begin(), dimensions.end());
  store.begin_numbers(path, all);
  for (const ChainDraws& chain : run.chains) {
    store.add_chunk(chunk_of(chain, columns));
  }
}

// As many columns from `first` on as the dimensions have places.
void add_variable(ZarrStore& store, const ExportedRun& run, const std::string& path,
                  const std::vector<ZarrDimension>& dimensions, std::size_t first) {
  std::size_t count = 1;
  for (const ZarrDimension& dimension : dimensions) {
    count *= dimension.size;
  }
  std::vector<std::size_t> columns(count);
  std::iota(columns.begin(), columns.end(), first);
  add_columns(store, run, path, dimensions, columns);
}

// A group with the coordinates that all its variables have.
void add_group(ZarrStore& store, const ExportedRun& run, const std::string& group) {
  store.add_group(group, {{"inference_library", "flymc"},
                          {"inference_library_version", version()},
                          {"model", run.run.options.family}});
  store.add_integers(group + "/chain", {"chain", run.chains.size()});
  store.add_integers(group + "/draw", {"draw", run.draws()});
}

std::vector<std::string> names_at(const std::vector<std::string>& names,
                                  const std::vector<Index>& at) {
  std::vector<std::string> chosen;
  for (const Index index : at) {
    chosen.push_back(names[static_cast<std::size_t>(index)]);
  }
  return chosen;
}

struct AuxiliaryVariables {
  const PredictorDesign& design;
  std::vector<std::string> features;
};
// One number a draw, or with a formula sigma_alpha and sigma_beta. Returns the column behind them.
std::size_t add_auxiliary(ZarrStore& store, const ExportedRun& run, const AuxiliaryVariables& made,
                          std::size_t first) {
  const std::string path = "posterior/" + made.design.name;
  if (!made.design.by_formula) {
    add_variable(store, run, path, {}, first);
    return first + 1;
  }
  if (made.design.intercept) {
    add_variable(store, run, path + "_alpha", {}, first++);
  }
  if (!made.features.empty()) {
    const std::string dimension = made.design.name + "_feature";
    store.add_texts("posterior/" + dimension, dimension, made.features);
    add_variable(store, run, path + "_beta", {{dimension, made.features.size()}}, first);
  }
  return first + made.features.size();
}

void add_posterior(ZarrStore& store, const ExportedRun& run, const fs::path& folder) {
  const bool classes = family_type(run.run.options).one_a_class();
  const std::vector<std::string> columns = feature_names(run.run, folder);
  const auto designs = predictor_designs(run.run.options, run.run.classes.size(), columns);
  const std::vector<std::string> features = names_at(columns, designs.front().columns);
  std::vector<ZarrDimension> dimensions;
  add_group(store, run, "posterior");
  if (classes) {
    store.add_texts("posterior/class", "class", run.run.classes);
    dimensions.push_back({"class", run.run.classes.size()});
  }
  std::size_t first = kSampleStats.size();
  if (has_intercept(run.run.options)) {
    add_variable(store, run, "posterior/alpha", dimensions, first);
    first += classes ? run.run.classes.size() : 1;
  }
  if (!features.empty()) {
    store.add_texts("posterior/feature", "feature", features);
    dimensions.push_back({"feature", features.size()});
    add_variable(store, run, "posterior/beta", dimensions, first);
    first += features.size() * (classes ? run.run.classes.size() : 1);
  }
  for (const PredictorDesign& design : designs) {
    if (!design.name.empty()) {
      first = add_auxiliary(store, run, {design, names_at(columns, design.columns)}, first);
    }
  }
}

// Of group terms: a variable each of their standard deviations, correlations and levels, along a
// dimension that names them as the chain files do.
struct GroupVariable {
  const char* head;  // of the columns
  const char* name;
  const char* dimension;
};
constexpr std::array<GroupVariable, 3> kGroupVariables = {{{"sd.", "group_sd", "group_sd_of"},
                                                           {"cor.", "group_cor", "group_cor_of"},
                                                           {"u.", "group_u", "group_level"}}};

void add_group_terms(ZarrStore& store, const ExportedRun& run) {
  const std::vector<std::string>& columns = run.chains.front().columns;
  for (const auto& [head, name, dimension] : kGroupVariables) {
    std::vector<std::size_t> places;
    std::vector<std::string> labels;
    for (std::size_t i = kSampleStats.size(); i < columns.size(); ++i) {
      if (columns[i].starts_with(head)) {
        places.push_back(i);
        labels.push_back(columns[i].substr(std::strlen(head)));
      }
    }
    if (!places.empty()) {
      store.add_texts(fmt::format("posterior/{}", dimension), dimension, labels);
      add_columns(store, run, fmt::format("posterior/{}", name), {{dimension, places.size()}},
                  places);
    }
  }
}

// Every other class against the reference: alpha_contrast and beta_contrast.
void add_contrasts(ZarrStore& store, const ExportedRun& run) {
  std::vector<std::string> pairs;
  for (const std::string& label : run.run.classes) {
    if (label != run.reference) {
      pairs.push_back(fmt::format("{} vs {}", label, run.reference));
    }
  }
  const bool intercept = has_intercept(run.run.options);
  const std::size_t features = run.contrasts.size() / pairs.size() - (intercept ? 1 : 0);
  std::size_t first = kSampleStats.size() + run.run.labels.size();
  store.add_texts("posterior/class_contrast", "class_contrast", pairs);
  if (intercept) {
    add_variable(store, run, "posterior/alpha_contrast", {{"class_contrast", pairs.size()}}, first);
    first += pairs.size();
  }
  if (features > 0) {
    add_variable(store, run, "posterior/beta_contrast",
                 {{"class_contrast", pairs.size()}, {"feature", features}}, first);
  }
}

void write_store(const ExportedRun& run, const fs::path& root) {
  ZarrStore store(root);
  store.add_group("", {{"inference_library", "flymc"}, {"inference_library_version", version()}});
  add_posterior(store, run, run.run.options.out);
  add_group_terms(store, run);
  if (!run.contrasts.empty()) {
    add_contrasts(store, run);
  }
  add_group(store, run, "sample_stats");
  for (const Statistic& statistic : kSampleStats) {
    add_variable(store, run, fmt::format("sample_stats/{}", statistic.name), {}, statistic.column);
  }
  store.finish();
}

// The root of every store of ours says who made it.
bool names_us(const fs::path& attributes) {
  std::error_code ignored;
  std::ifstream file(attributes, std::ios::binary);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  return fs::is_regular_file(fs::symlink_status(attributes, ignored)) && json.is_object() &&
         json.contains("inference_library") && json.at("inference_library") == "flymc";
}

// What export makes may be replaced; one file of another kind, and nothing is.
void require_exported(const fs::path& out) {
  std::set<std::string> folders = {"posterior", "sample_stats",   "chain",          "draw",
                                   "class",     "class_contrast", "feature",        "alpha",
                                   "beta",      "alpha_contrast", "beta_contrast",  "lp",
                                   "bright",    "queries",        "acceptance_rate"};
  for (const GroupVariable& variable : kGroupVariables) {
    folders.insert({variable.name, variable.dimension});
  }
  for (const FamilyType* family : families()) {
    for (const FamilyType* type : {&family->of_classes(kMostPredictors), family->inferring}) {
      for (const Auxiliary& one :
           type != nullptr ? type->auxiliaries : std::span<const Auxiliary>()) {
        for (const char* suffix : {"", "_alpha", "_beta", "_feature"}) {
          folders.insert(one.name + std::string(suffix));
        }
      }
    }
  }
  std::error_code error;
  const bool ours = fs::is_directory(fs::symlink_status(out, error)) && names_us(out / ".zattrs");
  std::string stranger;
  for (auto entry = fs::recursive_directory_iterator(out, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const bool known = entry->is_symlink()     ? false
                       : entry->is_directory() ? folders.contains(path.filename().string())
                                               : is_zarr_file(path);
    stranger = known || !stranger.empty() ? stranger : path.string();
  }
  if (!ours || error || !stranger.empty()) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} holds what export did not make{} and is not overwritten",
                            in_quotes(out.string()),
                            stranger.empty() ? "" : " (" + in_quotes(stranger) + ")"),
                message("choose another {}.", Setting{"out"}));
  }
}

[[noreturn]] void fail_to_place(const fs::path& out, int error) {
  throw Error(ErrorKind::kCannotCreate,
              fmt::format("cannot create {}: {}", in_quotes(out.string()), std::strerror(error)),
              message("choose another {}.", Setting{"out"}));
}

// Puts the store `made` in the place of what is there, which is in its place afterwards, or where
// nothing is: at once, so that a kill leaves one of the two.
void place(const fs::path& made, const fs::path& out, bool exists) {
  const unsigned how = exists ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, out.c_str(), how) == 0) {
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    fail_to_place(out, errno);
  }
  const fs::path old = made.parent_path() / "old";  // a file system that cannot exchange
  std::error_code error;
  if (exists) {
    fs::rename(out, old, error);
  }
  if (!error) {
    fs::rename(made, out, error);
  }
  if (error) {
    std::error_code ignored;
    fs::rename(old, out, ignored);
    fail_to_place(out, error.value());
  }
}

}  // namespace

void export_zarr(const ExportedRun& run, const fs::path& asked, bool overwrite) {
  const fs::path out = asked.has_filename() ? asked : asked.parent_path();
  std::error_code ignored;
  const bool exists = fs::exists(fs::symlink_status(out, ignored));
  if (exists && !overwrite) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} is there already", in_quotes(out.string())),
                message("use {} or another {}.", Setting{"overwrite"}, Setting{"out"}));
  }
  if (exists) {
    require_exported(out);
  }
  const NewFolder home(out.has_parent_path() ? out.parent_path() : ".");
  const TemporaryFolder hidden(out);
  const fs::path made = hidden.path() / "new";
  write_store(run, made);
  place(made, out, exists);
}

}  // namespace flymc
