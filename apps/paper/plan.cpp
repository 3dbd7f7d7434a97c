#include "paper/plan.hpp"

#include <array>

namespace flymc::paper {
namespace {

// Iterations of warm-up, kept draws, and iterations a kept draw, of the five rows.
using Schedules = std::array<Schedule, 5>;

// Long enough that a chain from a draw of the prior has arrived, and that the regular row, on which
// every speed-up rests, has some 50 effective draws where that is affordable.
Schedules schedules(Experiment experiment, PaperSize size) {
  if (size == PaperSize::kQuick) {
    switch (experiment) {
      case Experiment::kMnist:
        return {
            {{3000, 1000, 5}, {4000, 1000, 5}, {6000, 1000, 20}, {500, 2000, 1}, {200, 300, 1}}};
      case Experiment::kCifar:
        return {{{1500, 300, 5}, {1500, 300, 5}, {2000, 300, 10}, {300, 500, 1}, {100, 100, 1}}};
      case Experiment::kOpv:
        return {{{600, 300, 1}, {800, 400, 1}, {1500, 2000, 1}, {500, 2000, 1}, {200, 300, 1}}};
    }
  }
  switch (experiment) {
    case Experiment::kMnist:
      return {
          {{5000, 2000, 10}, {8000, 1600, 20}, {10000, 2000, 20}, {1000, 5000, 1}, {500, 1000, 1}}};
    case Experiment::kCifar:
      return {
          {{2500, 1300, 10}, {4000, 600, 10}, {6000, 1500, 20}, {1000, 1000, 2}, {200, 200, 1}}};
    case Experiment::kOpv:
      break;
  }
  return size == PaperSize::kWhole ? Schedules{{{600, 200, 1},
                                                {600, 400, 1},
                                                {1000, 1000, 1},
                                                {1000, 5000, 1},
                                                {50, 50, 1}}}
                                   : Schedules{{{600, 800, 1},
                                                {800, 1200, 1},
                                                {1500, 5000, 1},
                                                {1000, 5000, 1},
                                                {200, 200, 1}}};
}

KernelKind kernel_of(Experiment experiment) {
  switch (experiment) {
    case Experiment::kMnist:
      return KernelKind::kRandomWalk;
    case Experiment::kCifar:
      return KernelKind::kMala;
    case Experiment::kOpv:
      break;
  }
  return KernelKind::kSlice;
}

// About where the scale of the prior is looked for. The paper's chains start from draws of it, so
// of scales that predict alike a small one is wanted.
double prior_scale(Experiment experiment) {
  switch (experiment) {
    case Experiment::kMnist:
      return 1.0 / 2.0;
    case Experiment::kCifar:
      return 1.0 / 16.0;
    case Experiment::kOpv:
      break;
  }
  return 1.0 / 64.0;
}

cli::FitOptions quiet_chain(Experiment experiment) {
  cli::FitOptions options;
  options.chains = 1;
  options.quiet = true;
  options.progress = ProgressKind::kNone;
  options.prior = {
      .automatic = false, .kind = PriorKind::kNormal, .scale = prior_scale(experiment)};
  return options;
}

}  // namespace

PaperPlan make_plan(Experiment experiment, PaperSize size) {
  PaperPlan plan;
  plan.base = quiet_chain(experiment);
  const bool quick = size == PaperSize::kQuick;
  switch (experiment) {
    case Experiment::kMnist:
      plan.name = "mnist";
      plan.title = "MNIST, 7 against 9: logistic regression";
      plan.published =
          "regular 12,214 queries an iteration, 3.7 effective draws per 1,000; untuned 6,252, 1.3 "
          "(0.7 "
          "times regular per query); map-tuned 207, 1.4 (22 times)";
      plan.rows = quick ? 3000 : 0;
      break;
    case Experiment::kCifar:
      plan.name = "cifar";
      plan.title = "CIFAR-10, three classes: softmax regression";
      plan.published =
          "regular 18,000 queries an iteration, 8.0 effective draws per 1,000; untuned 8,058, 4.2 "
          "(1.2 "
          "times regular per query); map-tuned 654, 3.3 (11 times)";
      plan.base.family = "softmax";
      plan.rows = quick ? 3000 : 0;
      break;
    case Experiment::kOpv:
      plan.name = size == PaperSize::kWhole ? "opv-full" : "opv";
      plan.title = "Molecules, HOMO-LUMO gap: robust regression";
      plan.published =
          "regular 18,182,764 queries an iteration, 1.3 effective draws per 1,000; untuned "
          "2,753,428, "
          "1.1 (5.7 times regular per query); map-tuned 575,528, 1.2 (29 times)";
      plan.base.family = "student-t";
      plan.base.own = {{"scale", kChoose}};  // with the prior's, on held-out rows; then fixed
      plan.base.prior.kind = PriorKind::kLaplace;
      plan.rows = quick ? 10000 : 0;
      break;
  }
  return plan;
}

std::vector<PaperAlgorithm> algorithms(Experiment experiment, PaperSize size,
                                       const cli::FitOptions& base) {
  cli::FitOptions paper = base;
  paper.kernel = kernel_of(experiment);
  paper.frame = FrameKind::kPlain;
  paper.init = InitKind::kPrior;
  std::vector<PaperAlgorithm> rows{{"regular", paper},
                                   {"untuned", paper},
                                   {"map-tuned", paper},
                                   {"flymc", base},
                                   {"regular-best", base}};
  rows[0].options.engine = rows[4].options.engine = EngineKind::kRegular;
  for (const std::size_t i : {1, 2}) {
    cli::FitOptions& fly = rows[i].options;
    fly.engine = EngineKind::kFly;
    fly.bound = i == 1 ? BoundKind::kUntuned : BoundKind::kMapTuned;
    fly.z = ZKind::kImplicit;
    fly.q = i == 1 ? 0.1 : 0.01;
  }
  const Schedules lengths = schedules(experiment, size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].options.schedule = lengths[i];
  }
  return rows;
}

}  // namespace flymc::paper
