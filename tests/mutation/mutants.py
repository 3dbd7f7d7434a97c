"""Planted errors: each changes the law of the chain, so the exactness probe must fail on it.

A mutant is (description, file, [(old, new), ...]); every old text must occur exactly once.
"""

IMPLICIT = "src/kernel/implicit_z.cpp"
EXPLICIT = "src/kernel/explicit_z.cpp"
SLICE = "src/kernel/slice.cpp"
BOUNDS = "src/target/bounds.cpp"
MAKE_BOUNDS = "include/flymc/target/bounds.hpp"
JOINT = "include/flymc/target/joint_target.hpp"

MUTANTS = [
    ("implicit: dark -> bright as the paper prints it, max(0, 1 - Lt/q)", IMPLICIT,
     [("std::log(stream.uniform()) < log_factors[i] - log_odds",
       "std::log(stream.uniform()) > log_factors[i] - log_odds")]),
    ("implicit: dark -> bright with min(1, q/Lt)", IMPLICIT,
     [("std::log(stream.uniform()) < log_factors[i] - log_odds",
       "std::log(stream.uniform()) < log_odds - log_factors[i]")]),
    ("implicit: dark candidates drawn after darkening", IMPLICIT,
     [("  choose_dark(target, tuning.dark_to_bright, stream);\n", ""),
      ("  const auto log_factors = target.query(",
       "  choose_dark(target, tuning.dark_to_bright, stream);\n"
       "  const auto log_factors = target.query(")]),
    ("implicit: q follows the bright count after warm-up", IMPLICIT,
     [("  const double log_odds = std::log(tuning.dark_to_bright / options_.bright_to_dark);\n",
       "  const double q = std::fmin(0.9, tuning.dark_to_bright *\n"
       "                                      (0.5 + static_cast<double>(target.bright_count())));\n"
       "  const double log_odds = std::log(q / options_.bright_to_dark);\n"),
      ("choose_dark(target, tuning.dark_to_bright, stream);", "choose_dark(target, q, stream);")]),
    ("implicit: q_bd left out of the acceptances", IMPLICIT,
     [("std::log(tuning.dark_to_bright / options_.bright_to_dark)",
       "std::log(tuning.dark_to_bright)")]),
    ("explicit: P(bright) replaced by its complement", EXPLICIT,
     [("stream.uniform() >= sigmoid(", "stream.uniform() < sigmoid("),
      ("stream.uniform() < sigmoid(log_factors[i])", "stream.uniform() >= sigmoid(log_factors[i])")]),
    ("explicit: a datum darkened in the sweep is visited again", EXPLICIT,
     [("  dark_.clear();\n", "  ZInfo info = visit_bright(target, current, stream);\n  dark_.clear();\n"),
      ("  ZInfo info = visit_bright(target, current, stream);\n  info.brightened",
       "  info.brightened")]),
    ("collapse: linear term dropped", BOUNDS,
     [("constant_ + linear_.dot(delta) - 0.5", "constant_ - 0.5"),
      ("*gradient += linear_ - product;", "*gradient -= product;")]),
    ("collapse: linear term dropped in the oscillator frame", "src/target/baseline.cpp",
     [("Vector gradient = collapsed.linear();",
       "Vector gradient = Vector::Zero(frame.dimension());")]),
    ("collapse: Kronecker factor K - 1 for K", BOUNDS,
     [("= predictors_ * product[c * d + i] - total", "= (predictors_ - 1) * product[c * d + i] - total")]),
    ("collapse: a datum counted twice", MAKE_BOUNDS,
     [("block.slopes.row(row) *= data.weight(n);",
       "block.slopes.row(row) *= data.weight(n) * (n == 1 ? 2.0 : 1.0);"),
      ("block.weights(row, 0) = data.weight(n) * bend;",
       "block.weights(row, 0) = data.weight(n) * bend * (n == 1 ? 2.0 : 1.0);")]),
    ("collapse: weight forgotten in the curvature", MAKE_BOUNDS,
     [("block.weights(row, 0) = data.weight(n) * bend;", "block.weights(row, 0) = bend;")]),
    ("collapse: shift e of untuned anchors dropped", MAKE_BOUNDS,
     [("    slopes[j] -= bent;\n", "")]),
    ("logistic: curvature lowered by 1 %, bound above likelihood", "include/flymc/model/logistic.hpp",
     [("return with_margin(a < 1e-4", "return 0.99 * with_margin(a < 1e-4")]),
    # Boehning's matrix is above every Hessian, strictly for K = 3: 1 % less is mostly still a bound.
    ("softmax: curvature lowered by 3 %, bound above likelihood", "include/flymc/model/softmax.hpp",
     [("return with_margin(0.5 / classes_);", "return 0.97 * with_margin(0.5 / classes_);")]),
    ("Student-t: curvature lowered by 1 %, bound above likelihood",
     "include/flymc/model/student_t.hpp",
     [("return with_margin((nu_ + 1.0)", "return 0.99 * with_margin((nu_ + 1.0)")]),
    ("joint: weight forgotten in the gap", JOINT,
     [("const double gap = weight * evaluate_gap(", "const double gap = evaluate_gap(")]),
    ("joint: the first bright datum counted twice", JOINT,
     [("    double sum = point.log_baseline;\n",
       "    double sum = point.log_baseline;\n"
       "    sum += point.log_factors.empty() ? 0.0 : point.log_factors[0];\n")]),
    ("joint: a darkened datum's shift stays in its slot", "src/target/bright_rows.cpp",
     [("remove_slot(shifts_, slot, stride());",
       "remove_slot(shifts_, shifts_.size() / stride() - 1, stride());")]),
    ("chain: refresh after the z-update skipped", "src/chain/chain.cpp",
     [("    parts_.brightness->refresh(current_, parts_.theta_kernel->order());\n", "")]),
    ("metropolis: accepts with the inverse ratio", "src/kernel/theta_kernel.cpp",
     [("std::exp(log_ratio)", "std::exp(-log_ratio)")]),
    ("random walk: the step grows with the distance from the anchor", "src/kernel/random_walk.cpp",
     [("tuning.step_size * stream.normal()",
       "tuning.step_size * (1.0 + 0.2 * current.eta.norm()) * stream.normal()")]),
    ("MALA: proposal correction dropped", "src/kernel/mala.cpp",
     [("proposal_.log_density - current.log_density +\n"
       "                           log_proposal(current, proposal_, step) -\n"
       "                           log_proposal(proposal_, current, step);",
       "proposal_.log_density - current.log_density +\n"
       "                           0.0 * log_proposal(proposal_, current, step);")]),
    ("slice: interval centred on the current position, not placed at random", SLICE,
     [("kMaxSteps = 16;", "kMaxSteps = 1;"),
      ("const double left = -width * stream.uniform();", "const double left = -0.5 * width;")]),
    ("slice: shrinks the wrong side", SLICE,
     [("(t < 0.0 ? interval.left : interval.right) = t;",
       "(t > 0.0 ? interval.left : interval.right) = 0.5 * t;")]),
    ("slice: a level higher than the one drawn", SLICE,
     [("return proposal_.log_density > log_height;",
       "return proposal_.log_density > log_height + 0.1;")]),
    ("HMC: last kick not halved", "src/kernel/hmc.cpp",
     [("(i + 1 < steps ? step : 0.5 * step)", "step")]),
    ("independence: proposal density left out", "src/kernel/independence.cpp",
     [("frame_.laplace_log_density(current.eta, scratch_) -\n"
       "                           frame_.laplace_log_density(proposal_.eta, scratch_);",
       "0.0 * frame_.laplace_log_density(current.eta, scratch_);")]),
]
