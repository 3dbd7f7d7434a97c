// R's values as the library takes them.
#include <stdexcept>

#include "glue.hpp"
#include "wording.hpp"

namespace flymc::r {
namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "flymc_usage_error";
    case ErrorKind::kData:
      return "flymc_data_error";
    case ErrorKind::kMemory:
      return "flymc_memory_error";
    default:
      return "flymc_internal_error";
  }
}

PriorSpec to_prior(SEXP given) {
  const cpp11::list prior(given);
  const std::string kind = cpp11::as_cpp<std::string>(element(prior, "kind"));
  PriorSpec spec;
  spec.automatic = kind == "auto";
  spec.kind = kind == "laplace" ? PriorKind::kLaplace
              : kind == "flat"  ? PriorKind::kFlat
                                : PriorKind::kNormal;
  spec.scale = cpp11::as_cpp<double>(element(prior, "scale"));
  return spec;
}

EngineKind to_engine(const std::string& word) {
  return word == "fly"       ? EngineKind::kFly
         : word == "regular" ? EngineKind::kRegular
                             : EngineKind::kAuto;
}

LevelDraws to_level_draws(const std::string& word) {
  return word == "all"       ? LevelDraws::kAll
         : word == "summary" ? LevelDraws::kSummary
                             : LevelDraws::kAuto;
}

template <class T>
T given(const cpp11::list& asked, const char* name) {
  return cpp11::as_cpp<T>(element(asked, name));
}

// A count as R holds it, in a double; checked there.
std::uint64_t count(const cpp11::list& asked, const char* name) {
  return static_cast<std::uint64_t>(given<double>(asked, name));
}

std::map<std::string, std::string> to_laws(const cpp11::strings& named) {
  std::map<std::string, std::string> laws;
  if (named.size() > 0) {
    const cpp11::strings names(named.names());
    for (R_xlen_t i = 0; i < named.size(); ++i) {
      laws[std::string(names[i])] = std::string(named[i]);
    }
  }
  return laws;
}

// The elements of a list, or of nothing.
std::vector<SEXP> lists(SEXP values) {
  if (values == R_NilValue) {
    return {};
  }
  const cpp11::list all(values);
  return {all.begin(), all.end()};
}

GroupTerm to_group_term(const cpp11::list& given_term) {
  GroupTerm term;
  term.factor = given<std::string>(given_term, "factor");
  term.splines = texts(element(given_term, "splines"));
  if (term.is_smooth()) {
    return term;
  }
  const std::vector<double> signs = numbers(element(given_term, "signs"));
  for (const SEXP columns : lists(element(given_term, "columns"))) {
    term.members.push_back({texts(columns), signs[term.members.size()]});
  }
  if (term.members.size() == 1 && term.members.front().columns.size() == 1) {
    term.members.clear();  // the column of that name
  }
  term.intercept = given<bool>(given_term, "intercept");
  term.slopes = texts(element(given_term, "slopes"));
  term.correlated = given<bool>(given_term, "correlated");
  return term;
}

}  // namespace

void raise(const Error& error) {
  const auto structure = cpp11::package("flymc")["flymc_condition"];
  structure(error.message().in(argument_wording()), class_of(error.kind()));
  throw std::logic_error("flymc_condition() came back");
}

SEXP element(const cpp11::list& list, const char* name) {
  const cpp11::strings names(list.names());
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    if (std::string(names[i]) == name) {
      return list[i];
    }
  }
  return R_NilValue;
}

std::vector<double> numbers(SEXP values) {
  return values == R_NilValue ? std::vector<double>{} : cpp11::as_cpp<std::vector<double>>(values);
}

std::vector<std::string> texts(SEXP values) {
  return values == R_NilValue ? std::vector<std::string>{}
                              : cpp11::as_cpp<std::vector<std::string>>(values);
}

Settings to_settings(const cpp11::doubles& named) {
  Settings settings;
  if (named.size() == 0) {
    return settings;
  }
  const cpp11::strings names(named.names());
  for (R_xlen_t i = 0; i < named.size(); ++i) {
    settings[std::string(names[i])] = R_IsNA(named[i]) || R_IsNaN(named[i]) ? kInfer : named[i];
  }
  return settings;
}

Table to_features(const cpp11::list& data) {
  const cpp11::doubles_matrix<> x(element(data, "x"));
  Table table;
  table.rows = static_cast<std::size_t>(x.nrow());
  table.offset = numbers(element(data, "offset"));
  table.columns = texts(element(data, "columns"));
  const std::size_t width = table.columns.size();
  table.x = Buffer<double>(table.rows * width);
  const double* const from = REAL(x.data());
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t n = 0; n < table.rows; ++n) {
      table.x[n * width + j] = from[j * table.rows + n];
    }
  }
  return table;
}

Table to_table(const cpp11::list& data) {
  Table table = to_features(data);
  table.response = {.name = given<std::string>(data, "response"),
                    .values = numbers(element(data, "y")),
                    .labels = texts(element(data, "labels"))};
  table.weights = numbers(element(data, "weights"));
  table.trials = numbers(element(data, "trials"));
  const std::vector<double> row_numbers = numbers(element(data, "numbers"));
  for (std::size_t n = 0; n < row_numbers.size(); ++n) {
    const auto left_out = static_cast<std::size_t>(row_numbers[n]) - 1 - n;
    if (left_out > table.left_out) {
      table.gaps.add(n, left_out - table.left_out);
      table.left_out = left_out;
    }
  }
  for (const SEXP one : lists(element(data, "factors"))) {
    const cpp11::list factor(one);
    const std::vector<double> codes = numbers(element(factor, "codes"));
    table.factors.push_back({given<std::string>(factor, "name"),
                             texts(element(factor, "labels")),
                             {codes.begin(), codes.end()}});
  }
  return table;
}

FitSettings to_fit_settings(const cpp11::list& asked) {
  FitSettings settings;
  settings.family = given<std::string>(asked, "family");
  for (const std::string& text : texts(element(asked, "likelihood"))) {
    settings.likelihood = text;
  }
  settings.predictors = texts(element(asked, "predictors"));
  settings.own = to_settings(cpp11::doubles(element(asked, "settings")));
  settings.intercept = given<bool>(asked, "intercept");
  settings.prior = to_prior(element(asked, "prior"));
  if (element(asked, "prior_intercept") != R_NilValue) {
    settings.prior_intercept = to_prior(element(asked, "prior_intercept"));
  }
  settings.prior_aux = to_laws(cpp11::strings(element(asked, "prior_aux")));
  settings.prior_sd = to_laws(cpp11::strings(element(asked, "prior_sd")));
  settings.select_prior = given<bool>(asked, "select_prior");
  settings.engine = to_engine(given<std::string>(asked, "engine"));
  settings.chains = static_cast<std::uint32_t>(count(asked, "chains"));
  settings.schedule.warmup = count(asked, "warmup");
  settings.schedule.draws = count(asked, "draws");
  settings.schedule.thin = count(asked, "thin");
  settings.seed = count(asked, "seed");
  settings.threads = static_cast<unsigned>(count(asked, "cores"));
  for (const SEXP term : lists(element(asked, "groups"))) {
    settings.groups.push_back(to_group_term(cpp11::list(term)));
  }
  if (element(asked, "levels") != R_NilValue) {
    settings.levels = to_level_draws(given<std::string>(asked, "levels"));
  }
  for (const SEXP one : lists(element(asked, "columns"))) {
    const cpp11::list predictor(one);
    settings.columns[given<std::string>(predictor, "name")] = {
        texts(element(predictor, "columns")), given<bool>(predictor, "intercept"),
        texts(element(predictor, "offsets"))};
  }
  if (element(asked, "ess") != R_NilValue) {
    settings.ess = given<double>(asked, "ess");
  }
  return settings;
}

}  // namespace flymc::r
