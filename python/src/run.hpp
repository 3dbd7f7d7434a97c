// A fit as Python holds it: the run in memory, Ctrl-C and the time limit while it goes on.
#pragma once

#include <functional>
#include <optional>

#include "arrays.hpp"
#include "flymc/fit.hpp"
#include "new_rows.hpp"
#include "report/terminal_observer.hpp"
#include "run/run_options.hpp"

namespace flymc::python {

class Run {
 public:
  // THROWS Error as Fit.
  Run(const FitArrays& arrays, const py::dict& options);
  // Of a data frame, as `asked` says which of its columns (to_spec). THROWS Error as load() and
  // Fit.
  Run(const py::dict& columns, const py::dict& asked, const py::dict& options);

  // To so many draws a chain in all, or until `max_time_s` have passed. Other Python threads go on
  // meanwhile. A signal handler of Python that raises (Ctrl-C) stops the chains between two draws,
  // and its exception leaves here; the draws so far are kept.
  void advance(std::uint64_t draws, std::optional<double> max_time_s);

  // chain x draw x parameter, chains cut to the shortest.
  [[nodiscard]] py::array_t<double> draws() const;
  // lp__, accept_stat__, bright__ and queries__, each chain x draw.
  [[nodiscard]] py::dict statistics() const;
  [[nodiscard]] py::dict facts() const;
  // {"text", "json"}: as `flymc summary` prints it, without and with --json. `asked`: as
  // to_questions.
  [[nodiscard]] py::dict summary(const py::dict& asked) const;
  // As class_contrasts (answers.hpp).
  [[nodiscard]] py::dict contrasts(const std::string& reference) const;
  // The page of `flymc report`; `columns`: of the rows that its effects and checks are of;
  // `parts`: as below; `of_fit`: they are those of the fit. THROWS Error as run_page.
  [[nodiscard]] std::string report(const py::dict& columns, const py::dict& parts,
                                   bool of_fit) const;
  [[nodiscard]] std::uint64_t draw_count() const noexcept { return run_->draws(); }
  [[nodiscard]] const Fit& fit() const noexcept { return *run_; }
  [[nodiscard]] const RunSettings& asked() const noexcept { return asked_; }
  // Columns whose missing values left out rows.
  [[nodiscard]] const std::vector<std::string>& missing_in() const noexcept { return missing_in_; }
  // Equal rows are held once.
  [[nodiscard]] bool merged() const noexcept;
  // Makes the table of the arrays again; empty where the run is of a data frame.
  [[nodiscard]] std::function<Table()> table_again() const;
  // Of the draws so far, at most so many (0: all). `parts` names the columns of rows for a run that
  // was not made of a data frame: response, offset, trials, weights.
  [[nodiscard]] std::unique_ptr<FramePredictor> predictor(const py::dict& parts,
                                                          std::size_t at_most) const;

 private:
  // What `work` returns; an Error leaves in the words of fit().
  template <class Work>
  auto in_own_words(const Work& work) const;
  [[nodiscard]] RunSettings asked_with(const py::dict& parts) const;
  void start(Table table, const FitSettings& settings, const TerminalSettings& terminal);

  RunSettings asked_;  // of a data frame, which is not kept
  std::vector<std::string> missing_in_;
  std::optional<FitArrays> arrays_;             // in its place
  const Wording* wording_;                      // of an estimator, or of fit()
  std::unique_ptr<TerminalObserver> observer_;  // outlives the run
  std::unique_ptr<Fit> run_;
};

}  // namespace flymc::python
