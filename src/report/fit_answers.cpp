// The questions of flymc/answers.hpp, put to what the commands are made of.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "check/check.hpp"
#include "compare/comparison.hpp"
#include "core/message.hpp"
#include "effects/effects.hpp"
#include "fit/prepare.hpp"
#include "flymc/answers.hpp"
#include "flymc/error.hpp"
#include "predict/predictor.hpp"
#include "report/check_text.hpp"
#include "report/compare_text.hpp"
#include "report/effects_text.hpp"
#include "report/page.hpp"
#include "report/run_page.hpp"

namespace flymc {
namespace {

// What texts call the response.
RunSettings asked_of(const Fit& fit) {
  RunSettings asked;
  asked.data.response = fit.problem().response;
  return asked;
}

void require_prob(double prob) {
  if (!(prob > 0.0 && prob < 1.0)) {
    throw Error(ErrorKind::kUsage,
                message("{}: must be between 0 and 1.", Setting{"prob", fmt::format("{}", prob)}));
  }
}

Table whole_table(const HeldRows& rows) {
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return rows.table(all);
}

ComparedFit told(const ComparedRun& first, const ComparedRun& run, const Wording& wording) {
  ComparedFit fit{run.name, run.model, numbers_of(first, run), run.coefficients,
                  why_not(run, wording)};
  for (const Message& note : run.notes) {
    fit.notes.push_back(note.in(wording));
  }
  return fit;
}

}  // namespace

Effects effects_of(const Fit& fit, const HeldRows& rows, const EffectsQuestion& question) {
  require_prob(question.prob);
  EffectsOptions options;
  options.of = question.of;
  options.rows = question.rows;
  options.how = {question.prob, question.threads};
  return effects_of(Predictor(draws_of(fit, asked_of(fit), question.draws)), rows, options);
}

CheckedRun check_of(const Fit& fit, const HeldRows& rows, const CheckQuestion& question) {
  require_prob(question.prob);
  CheckOptions options;
  options.rows = question.rows;
  options.prob = question.prob;
  options.threads = question.threads;
  return check_rows(Predictor(draws_of(fit, asked_of(fit), question.draws)), rows, options);
}

ComparedFits compare_fits(const std::vector<HeldFit>& fits, bool all, const Wording& wording) {
  std::vector<RunPlace> places;
  for (const HeldFit& held : fits) {
    places.emplace_back(FitInMemory{.name = held.name,
                                    .fit = held.fit,
                                    .asked = asked_of(*held.fit),
                                    .table = [&held] { return whole_table(*held.rows); },
                                    .missing_in = held.missing_in});
  }
  const std::vector<ComparedRun> runs = compare_runs(places, {});
  ComparedFits result{{}, compare_table(runs, wording, all)};
  for (const ComparedRun& run : runs) {
    result.fits.push_back(told(runs.front(), run, wording));
  }
  return result;
}

std::string report_of(const Fit& fit, const HeldRows& rows, const Wording& wording) {
  nlohmann::ordered_json page = run_page(fit, asked_of(fit), wording, rows);
  page["command"] = nullptr;
  return report_page(page);
}

}  // namespace flymc
