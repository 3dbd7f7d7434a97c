"""Planted errors: each changes the law of the chain, so the exactness probe must fail on it; or a
formula that is proved, so the test that checks it must.

A mutant is (description, file, [(old, new), ...]); every old text must occur exactly once. An edit
(old, new, file) is of another header than the mutant's.
"""

IMPLICIT = "src/kernel/implicit_z.cpp"
EXPLICIT = "src/kernel/explicit_z.cpp"
SLICE = "src/kernel/slice.cpp"
WEIGHTED = "src/kernel/weighted_z.cpp"
SPLIT = "src/kernel/split_hmc.cpp"
BASELINE = "src/posterior/baseline.cpp"
COLLAPSED = "src/posterior/collapsed.cpp"
GLOBAL = "include/flymc/posterior/global_bounds.hpp"
LOCAL = "include/flymc/posterior/local_bounds.hpp"
PASS = "include/flymc/detail/posterior/local_pass.hpp"
DARK = "include/flymc/detail/posterior/dark_target.hpp"
FACTOR = "include/flymc/detail/posterior/bright_factor.hpp"
BRIGHT = "include/flymc/detail/posterior/bright_term.hpp"
REGION = "include/flymc/detail/posterior/region_term.hpp"
BEACON = "include/flymc/detail/posterior/beacon_term.hpp"
MODES = "src/kernel/mode_jumps.cpp"
SPARSE = "src/posterior/sparse_gram.cpp"
COINS = "include/flymc/detail/posterior/coins.hpp"

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
    ("collapse: linear term dropped", COLLAPSED,
     [("constant_ + linear_.dot(delta) - 0.5", "constant_ - 0.5"),
      ("*gradient += linear_ - product;", "*gradient -= product;")]),
    ("collapse: linear term dropped in the oscillator frame", BASELINE,
     [("frame.pull_back(likelihood.linear() + parabola_.slope, linear_);",
       "frame.pull_back(parabola_.slope, linear_);")]),
    ("collapse: Kronecker factor K - 1 for K", COLLAPSED,
     [("= blocks_ * product[c * d + i] - total", "= (blocks_ - 1) * product[c * d + i] - total")]),
    ("collapse: a datum counted twice", GLOBAL,
     [("block.slopes.row(row) *= data.weight(n);",
       "block.slopes.row(row) *= data.weight(n) * (n == 1 ? 2.0 : 1.0);"),
      ("block.weights(row, 0) = data.weight(n) * curvature[0];",
       "block.weights(row, 0) = data.weight(n) * curvature[0] * (n == 1 ? 2.0 : 1.0);")]),
    ("collapse: weight forgotten in the curvature", GLOBAL,
     [("block.weights(row, 0) = data.weight(n) * curvature[0];", "block.weights(row, 0) = curvature[0];")]),
    ("collapse: shift e of untuned anchors dropped", GLOBAL,
     [("return value - add_curvature(curvature_form<M>(), t.curvature, scratch, k, slopes);",
       "std::vector<double> lost(slopes, slopes + k);\n"
       "  return value - add_curvature(curvature_form<M>(), t.curvature, scratch, k, lost.data());")]),
    ("logistic: curvature lowered by 1 %, bound above likelihood", "include/flymc/family/logistic.hpp",
     [("return with_margin(a < 1e-4", "return 0.99 * with_margin(a < 1e-4")]),
    # Boehning's matrix is above every Hessian, strictly for K = 3: 1 % less is mostly still a bound.
    ("softmax: curvature lowered by 3 %, bound above likelihood", "include/flymc/family/softmax.hpp",
     [("return with_margin(0.5 / classes_);", "return 0.97 * with_margin(0.5 / classes_);")]),
    ("Student-t: curvature lowered by 1 %, bound above likelihood",
     "include/flymc/family/student_t.hpp",
     [("return with_margin((nu_ + 1.0)", "return 0.99 * with_margin((nu_ + 1.0)")]),
    ("joint: weight forgotten in the gap", FACTOR,
     [("facts.weight * evaluate_gap(model, tangent, facts.memo",
       "evaluate_gap(model, tangent, facts.memo")]),
    ("joint: the first bright datum counted twice", BRIGHT,
     [("    double sum = 0.0;\n    for (const double factor",
       "    double sum = point.log_factors.empty() ? 0.0 : point.log_factors[0];\n"
       "    for (const double factor")]),
    ("sparse Gram: background times entries dropped", SPARSE,
     [("moment_ + 0.5 * weights.sum() * background_", "0.5 * weights.sum() * background_")]),
    ("sparse Gram: background counted once a block, not once a weight", SPARSE,
     [("0.5 * weights.sum() * background_", "0.5 * background_")]),
    ("sparse Gram: entries beside the diagonal dropped", SPARSE,
     [("for (std::size_t b = a; b < ends_[row]; ++b)", "for (std::size_t b = a; b <= a; ++b)")]),
    ("sparse Gram: background left out", SPARSE,
     [("background_ = data.background();", "background_ = Vector::Zero(data.columns());")]),
    ("joint: a kept row is that of the datum before", "src/posterior/framed_rows.cpp",
     [("return kept ? values_.data() + row * width_ : nullptr",
       "return kept ? values_.data() + (row > 0 ? row - 1 : 0) * width_ : nullptr")]),
    ("joint: a row is kept under another datum's number", BRIGHT,
     [("framed_rows.keep(datum, slot.row)", "framed_rows.keep(datum / 2, slot.row)")]),
    ("joint: a darkened datum's shift stays in its slot", "src/posterior/bright_rows.cpp",
     [("remove_slot(shifts_, slot, predictors());",
       "remove_slot(shifts_, shifts_.size() / predictors() - 1, predictors());")]),
    ("chain: refresh after the z-update skipped", "src/chain/chain.cpp",
     [("    parts_.brightness->refresh(current_, parts_.theta_kernel->order());\n", "")]),
    ("metropolis: accepts with the inverse ratio", "src/kernel/theta_kernel.cpp",
     [("std::exp(log_ratio)", "std::exp(-log_ratio)")]),
    ("random walk: the step grows with the distance from the anchor", "src/kernel/random_walk.cpp",
     [("tuning.step_size * stream.normal()",
       "tuning.step_size * (1.0 + 0.2 * current.zeta.norm()) * stream.normal()")]),
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
     [("frame_.laplace_log_density(current.zeta, scratch_) -\n"
       "                           frame_.laplace_log_density(proposal_.zeta, scratch_);",
       "0.0 * frame_.laplace_log_density(current.zeta, scratch_);")]),
    ("weighted: rate scale in one of the two acceptances only", WEIGHTED,
     [("log_proposal(scale * target.queried_rate(i))", "log_proposal(target.queried_rate(i))")]),
    ("weighted: candidates collected after darkening", WEIGHTED,
     [("  choose_dark(target, scale, stream);\n", ""),
      ("  const auto log_factors = target.query(",
       "  choose_dark(target, scale, stream);\n  const auto log_factors = target.query(")]),
    ("weighted: rates of data whose inner tangent rises above them are nothing",
     "include/flymc/detail/posterior/cubature.hpp",
     [("std::abs(evaluate_gap(model_, tangent, memo, u.data(), slopes_.data()))",
       "(evaluate_gap(model_, tangent, memo, u.data(), slopes_.data()))")]),
    ("local: slack differs between shells", BRIGHT,
     [("rows_.memo(slot), rows_.slack(slot)};",
       "rows_.memo(slot), (shell > 0 ? 2.0 : 1.0) * rows_.slack(slot)};"),
      ("facts, u_.data(), slopes);",
       "[&] { auto other = facts;\n"
       "      other.slack *= shell > 0 ? 2.0 : 1.0; return other; }(), u_.data(), slopes);", COINS)]),
    ("local: an outer shell's curvature used inside", BRIGHT,
     [("rows_.tangent(slot, shell)", "rows_.tangent(slot, std::max(shell, 1))"),
      ("n.touch(), shell, curvature_.data() + tangents_.pairs,",
       "n.touch(), std::max(shell, 1), curvature_.data() + tangents_.pairs,", COINS)]),
    ("local: what a wider shell adds is dropped", BASELINE,
     [("if (has_region(shell)) {", "if (has_region(0)) {")]),
    ("local: curvature of half the radius, bound above likelihood",
     "include/flymc/detail/posterior/tangents.hpp",
     [("scratch[p] = radius * touch.leverage[p];",
       "scratch[p] = 0.5 * radius * touch.leverage[p];")]),
    ("logistic: local curvature of a small radius below its supremum",
     "include/flymc/family/logistic.hpp",
     [("kSeries = 1e-10;", "kSeries = 2.0;"), ("kTilt = 0.0321;", "kTilt = 0.0;")]),
    ("local: linear term dropped", PASS,
     [("Collapsed(theta_hat, sums.value, pass_.gradient,",
       "Collapsed(theta_hat, sums.value, Vector::Zero(pass_.gradient.size()),")]),
    ("local: weight forgotten in the innermost curvature", PASS,
     [("      block.weights.row(row) *= weight;\n", "")]),
    ("local: weight forgotten in the curvature of a block", PASS,
     [("block.weights(row, 0) = weight * out(row, kCurvature);",
       "block.weights(row, 0) = out(row, kCurvature);")]),
    ("local: a beacon stays in the sums", LOCAL,
     [("bounds.light.add(detail::sum_tangents(model, data, pass, remote_rows, lit), -1.0);", "")]),
    ("beacon: parabola added, never taken off", BEACON,
     [("if (slot < setting_.parabolic_beacons) {",
       "if (slot < setting_.parabolic_beacons && setting_.beacons.size() == 0) {")]),
    ("exact region: slack left out", REGION,
     [("weight * one) - bounds_.coins.slack(n);", "weight * one);")]),
    ("exact region: the collapsed parabola counted twice", REGION,
     [("value -= bounds_.light.evaluate(", "value -= 0.0 * bounds_.light.evaluate(")]),
    ("split HMC: last half kick omitted", SPLIT,
     [("    split->evaluate_bright(proposal_);\n    kick_bright(0.5 * step);",
       "    split->evaluate_bright(proposal_);\n"
       "    kick_bright(i + 1 < tuning.kicks ? 0.5 * step : 0.0);")]),
    ("split HMC: not a palindrome, the kick of a level before its flow only", SPLIT,
     [("    kick(part, 0.5 * step);\n  }\n  if (level", "    kick(part, step);\n  }\n  if (level"),
      ("last);\n    kick(part, 0.5 * step);", "last);\n    kick(part, 0.0);")]),
    ("split HMC: a level's second kick with the step of the next level", SPLIT,
     [("last);\n    kick(part, 0.5 * step);", "last);\n    kick(part, 0.25 * step);")]),
    ("split HMC: another trajectory outside than inside", SPLIT,
     [("const double nominal = kTrajectoryAngle / tuning.kicks;",
       "const double nominal = kTrajectoryAngle / tuning.kicks * (current.zeta.norm() > 1.5 ? 0.5 : 1.0);")]),
    ("split HMC: the Gaussian's pull left out of the flow", SPLIT,
     [("push_[j] = pull[j] * sine;", "push_[j] = 0.0 * pull[j];")]),
    ("Laplace prior: remainder dropped", DARK,
     [("point.parts[kPriorPart] = baseline_.remainder(",
       "point.parts[kPriorPart] = 0.0 * baseline_.remainder(")]),
    ("frame: the whitened frame takes zeta for theta", BASELINE,
     [("form_ = frame.pull_back_form(gaussian_precision(prior, likelihood));",
       "form_ = gaussian_precision(prior, likelihood);")]),
    ("mode jumps: the proposal's density left out where the chain is", MODES,
     [("mixture_.log_density(current.zeta) -", "0.0 * mixture_.log_density(current.zeta) -")]),
    ("mode jumps: modes drawn evenly, but not so in the proposal's density", MODES,
     [("left > components_[k].weight", "left > 0.5")]),
    ("mode jumps: the volumes of the modes left out", MODES,
     [("std::log(one.weight) + one.root.diagonal().array().log().sum()", "std::log(one.weight)")]),
    ("mode jumps: the density of tails that are not those drawn from", MODES,
     [("std::log1p(scratch_.squaredNorm() / kTails)", "std::log1p(scratch_.squaredNorm())")]),
    ("elliptical: the Laplace approximation left out at the proposal",
     "src/kernel/elliptical.cpp",
     [("proposal_.log_density - frame_.laplace_log_density(proposal_.zeta, scratch_) > height",
       "proposal_.log_density - 0.8 * frame_.laplace_log_density(proposal_.zeta, scratch_) > height")]),
]

SLOPE = "include/flymc/detail/family/auto/slope.hpp"
REMAINDER = "include/flymc/detail/family/auto/remainder.hpp"
CURVATURE = "include/flymc/detail/family/auto/curvature.hpp"
INTERVAL = "include/flymc/detail/family/auto/interval.hpp"
INTRINSICS = "src/family/auto/intrinsics.cpp"
GAMMA = "src/family/auto/gamma.cpp"
SIZE = "include/flymc/family/negative_binomial.hpp"
NORMAL = "src/family/auto/log_normal_cdf.cpp"
DISPERSION = "src/family/auto/dispersion.cpp"

# Lemmas 1 to 3 and the rules of remainders (docs/method/automatic.md).
SCALAR_MUTANTS = [
    ("Lemma 1: what a monomial adds to the slope of its parent dropped", SLOPE,
     [("parent = (parent + size) * kRounding;", "parent = (parent + 0.0 * size) * kRounding;")]),
    ("Lemma 2: the other factor at the centre, not over the box", SLOPE,
     [("f.top[t] * g.range", "f.top[t] * point(g.c[0])")]),
    ("Lemma 2: coefficients of the other factor for its slopes", SLOPE,
     [("radii_of_g[kFactors.right]);", "0.0 * radii_of_g[kFactors.right]);")]),
    ("Lemma 3: the last derivative at the centre, not over the range", SLOPE,
     [("h.top[t] = rest * last[t];", "h.top[t] = f[M] * last[t];")]),
    ("Lemma 3: a power of the inner function left out", SLOPE,
     [("h.c[i] += f[kDegree] * power.c[i];",
       "h.c[i] += (kDegree < M - 1 ? f[kDegree] : 0.0) * power.c[i];")]),
    ("Lemma 3: the range of the step one-sided", SLOPE,
     [("over.next * d.range +", "over.next * Interval{0.0, d.range.hi} +")]),
    ("remainders: a product of linear parts for one of changes", REMAINDER,
     [("g.value * f.rest + df * dg;", "g.value * f.rest + f.linear * g.linear;")]),
    ("remainders: slopes of an inner function that stay where they were", REMAINDER,
     [("f.slope_change * (g.slope[l] + g.slope_change[l]);", "f.slope_change * g.slope[l];")]),
]

INTRINSIC_MUTANTS = [
    ("sums: how far terms reach forgotten", INTERVAL,
     [("const double room = radius_ + terms_", "const double room = terms_")]),
    ("sigmoid: the sign in its third derivative", INTRINSICS,
     [("return h * (1.0 - 6.0 * h);", "return h * (1.0 + 6.0 * h);")]),
    ("sigmoid: the fourth derivative turns at one place less", INTRINSICS,
     [("{0.842632948129376642, 0.127683921967801755},\n", "")]),
    ("log1mexp: the sign of its second derivative", INTRINSICS,
     [("{g, -h,", "{g, h,")]),
    ("digamma: Stirling's series from 9 on", GAMMA,
     [("constexpr double kStirling = 16.0;", "constexpr double kStirling = 9.0;")]),
    ("lrising: half of the change of 1/x has the wrong sign", GAMMA,
     [("f[1] = log_ratio - 0.5 * change[1];", "f[1] = log_ratio + 0.5 * change[1];")]),
    ("lrising: what is left of the smaller log Gamma forgotten", GAMMA,
     [("to.rest - from.rest,", "to.rest,")]),
    ("lrising_steps: the half in Stirling's series forgotten", DISPERSION,
     [("(terms - 0.5) * log1p(tx)", "terms * log1p(tx)")]),
    ("log1p_ratio: the recurrence begins with the logarithm's own slope", DISPERSION,
     [("f[k] = (log[k] - f[k - 1]) / x;", "f[k] = (log[k] + f[k - 1]) / x;")]),
    ("log1p_ratio: the sign of its derivatives does not alternate", DISPERSION,
     [("power *= -t * inverse;", "power *= t * inverse;")]),
    ("log Phi: the third derivative has no maximum", NORMAL,
     [("{{}, {}, {}, kThird, kFourth,", "{{}, {}, {}, {}, kFourth,")]),
]

SIZE_MUTANTS = [
    ("negative binomial in its dispersion: the count in the logarithm forgotten", SIZE,
     [("t * (eta[0] - softplus(e)) -", "t * eta[0] -")]),
    ("negative binomial in its dispersion: a factor less", SIZE,
     [("lrising_steps(exp(-eta[1]), t) +", "lrising_steps(exp(-eta[1]), t - 1.0) +")]),
    ("negative binomial in its dispersion: the mean for its ratio", SIZE,
     [("exp(eta[0]) * log1p_ratio(exp(e));", "exp(eta[0]) * log1p_ratio(exp(eta[0]));")]),
]

BOUND_MUTANTS = [
    ("Theorem 2: the upper end of the quartic part", CURVATURE,
     [("const double quartic = phi.top[0].lo;", "const double quartic = phi.top[0].hi;")]),
    ("Theorem 2: nothing asked for inside the region", CURVATURE,
     [("if (quartic > 0.0 && cubic < 2.0 * quartic) {", "if (quartic > HUGE_VAL) {")]),
    ("Theorem 2: the cubic part left out", CURVATURE,
     [("2.0 * (cubic - quartic));", "-2.0 * quartic);")]),
    ("wide regions: the outer piece asked on one side only", CURVATURE,
     [("detail::bend_beside(density, anchor, -r)", "outside")]),
    ("wide regions: the cubic part of an outer piece left out", CURVATURE,
     [("moved.rest - std::abs(phi.c[3]) -", "moved.rest -")]),
    ("Theorem 3: half of the cubic part", CURVATURE,
     [("sum += 2.0 * absolute<P>(slice);", "sum += absolute<P>(slice);")]),
    ("Theorem 3: slices without their absolute value", CURVATURE,
     [("sum += 2.0 * absolute<P>(slice);", "sum += 2.0 * slice;")]),
    ("Theorem 3: the slice of the last predictor dropped", CURVATURE,
     [("for (const Form<P>& slice : slices) {", "slices.back().setZero();\n  for (const Form<P>& slice : slices) {")]),
    ("Theorem 3: odd monomials taken for even ones", CURVATURE,
     [("const double size = even ?", "const double size = even || size_t(P) > 0 ?")]),
    ("Theorem 3: the radius of shared predictors for all", CURVATURE,
     [("return shared[k] ? std::min(radius, shared_radius) : radius;",
       "return std::min(radius, shared_radius);")]),
    ("Theorem 3: whitened in another order than the region's", CURVATURE,
     [("for (const bool shared : {true, false}) {", "for (const bool shared : {false, true}) {")]),
    ("Theorem 3: the Hessian without its mixed derivatives", CURVATURE,
     [("hessian(i, j) = whitened.at(jet.second, i, j);",
       "hessian(i, j) = i == j ? whitened.at(jet.second, i, j) : 0.0;")]),
]

GRAPH = "src/family/auto/graph.cpp"
LOWER = "src/family/auto/lower.cpp"
EMIT = "src/family/auto/emit.cpp"
TAPE = "src/family/auto/tape.cpp"
ROW_CODE = "src/family/auto/row_code.cpp"
SYNTAX = "src/family/auto/syntax.cpp"

# Rewrites, sharing and evaluation of likelihoods as text (docs/method/automatic.md).
EXPRESSION_MUTANTS = [
    ("log-sum-exp: a - b for b - a", GRAPH,
     [("function(Op::kSoftplus, subtract(to, from))", "function(Op::kSoftplus, subtract(from, to))")]),
    ("log of a product: the second factor dropped", GRAPH,
     [(": add(*log_a, *log_b);", ": *log_a;")]),
    ("1 - sigmoid(x): its argument without the minus", GRAPH,
     [("return function(Op::kSigmoid, negate(first(b)));", "return function(Op::kSigmoid, first(b));")]),
    ("1 / e^x: its argument without the minus", GRAPH,
     [("return function(Op::kExp, negate(first(a)));", "return function(Op::kExp, first(a));")]),
    ("x^3: one factor too many", GRAPH,
     [("? even : multiply(even, a);", "? even : multiply(even, even);")]),
    ("sharing: a literal taken for another", GRAPH,
     [("std::bit_cast<std::uint64_t>(node.literal)};",
       "std::bit_cast<std::uint64_t>(node.literal) & 0xFFF0000000000000U};")]),
    ("sharing: a - b taken for b - a", GRAPH,
     [("return op == Op::kAdd || op == Op::kMultiply;",
       "return op == Op::kAdd || op == Op::kMultiply || op == Op::kSubtract;")]),
    ("sharing: a column taken for another", GRAPH,
     [("{Op::kColumn, false, true, 0, {}, 0.0, index}", "{Op::kColumn, false, true, 0, {}, 0.0, 0}")]),
    ("shared parts: data forgotten", GRAPH,
     [("added.of_data = added.of_data || operand.of_data;", "")]),
    ("shared parts: remembered of another tape", TAPE,
     [("slot.tape == tape && have", "have")]),
    ("shared parts: remembered of another region", TAPE,
     [("have_same_bits<T>(slot.predictor, predictor)", "true")]),
    ("lgamma(x + d) - lgamma(x): rising from x + d", LOWER,
     [("graph_.log_rising(from, rise)", "graph_.log_rising(to, rise)")]),
    ("lgamma(x + d) - lgamma(x): a fall for a rise", LOWER,
     [("graph_.log_rising(to, fall), true}", "graph_.log_rising(to, fall), false}")]),
    ("lgamma(x + d) - lgamma(x): data never fall", LOWER,
     [("return decide(rises) ?", "return decide(graph_.literal(1.0)) || decide(rises) ?")]),
    ("if: the branches swapped", LOWER,
     [("decide(decides) ? operand(tree, 1) : operand(tree, 2);",
       "decide(decides) ? operand(tree, 2) : operand(tree, 1);")]),
    ("if: not means nothing", LOWER,
     [("return !decide(node.from[0]);", "return decide(node.from[0]);")]),
    ("registers: given away before the last use", EMIT,
     [("if (--uses_.at(id) == 0 &&", "if (--uses_.at(id) <= 1 &&")]),
    ("tapes: the other one", TAPE,
     [("!= 0.0 ? choice.yes : choice.no;", "== 0.0 ? choice.yes : choice.no;")]),
    ("tapes: x - d for d - x", TAPE,
     [("values[step.right] - x", "x - values[step.right]")]),
    ("data: if of numbers takes the other one", ROW_CODE,
     [("return a != 0.0 ? b : c;", "return a != 0.0 ? c : b;")]),
    ("data: a negative rise is taken", ROW_CODE,
     [("return a >= 0.0 ? a : std::nan(\"\");", "return a;")]),
    ("grammar: > is <", SYNTAX,
     [("each.is_swapped ? std::vector{b, a} : std::vector{a, b};", "std::vector{a, b};")]),
    ("grammar: x - y - z is x - (y - z)", SYNTAX,
     [("operands.push_back({number_or_smooth(next, (this->*part)()), is_reversed});",
       "operands.push_back({number_or_smooth(next, (this->*part)()),\n"
       "                    is_reversed != (operands.size() > 1 && operands.back().is_reversed)});")]),
]

GRAMS = "src/posterior/grams.cpp"
FINDER = "src/posterior/shell_finder.cpp"
TANGENTS = "include/flymc/detail/posterior/tangents.hpp"

# Several predictors with columns of their own.
PREDICTOR_MUTANTS = [
    ("predictors: an offset of another than the first forgotten", "src/data/table/dataset.cpp",
     [("out.col(k) += block.x.col(column);", "out.col(k) += 0.0 * block.x.col(column);")]),
    ("predictors: mixed curvatures left out of the sums", GRAMS,
     [("add_products(left_panels_.data()",
       "if (block.k == block.l) add_products(left_panels_.data()")]),
    ("predictors: a shell without the radius of what all data share", FINDER,
     [("return shells_.of(norm, shared);", "return shells_.of(norm, 0.0 * shared);")]),
    ("predictors: shared ones each by its own deviation, not whitened", FINDER,
     [("shared_ = Matrix(cholesky.matrixL().solve(shared_));",
       "shared_ = Matrix((root * root.transpose()).diagonal().cwiseSqrt().cwiseInverse().asDiagonal() "
       "* shared_);")]),
    ("predictors: a region of half the shared radius, bound above likelihood", TANGENTS,
     [("tangents.shared.data(), tangents.shells.shared_radius(shell), any},",
       "tangents.shared.data(), 0.5 * tangents.shells.shared_radius(shell), any},")]),
    ("predictors: mixed curvatures twice in a gap", "include/flymc/detail/family/tangent.hpp",
     [("value += *weights * u[k] * u[l];", "value += 2.0 * *weights * u[k] * u[l];")]),
    ("predictors: oscillators below zero forgotten beyond the last shell", BASELINE,
     [("value += 0.5 * below * zeta[j] * zeta[j];", "value += 0.0 * below * zeta[j] * zeta[j];")]),
    ("predictors: a beacon's parabola in the sums may bend up", LOCAL,
     [("parabola_curvature(model, n.touch_point, n.row.response, weights);",
       "evaluate_information(model, n.touch_point, n.row.response, weights);")]),
    ("predictors: independent in the posterior metric", "src/posterior/leverage.cpp",
     [("          kMargin * kMargin *\n", "          (l < k ? 0.0 : kMargin * kMargin) *\n")]),
    ("predictors: a force on the coefficient of the column before", "src/data/table/design.cpp",
     [("theta[first(k) + c] += u[k] * x[column(k, c)];",
       "theta[first(k) + c] += u[k] * x[std::max<Index>(column(k, c), 1) - 1];")]),
]

# Sums of products of rows, by tiles with edges.
LEVERAGE = "src/posterior/leverage.cpp"
PRODUCT_MUTANTS = [
    ("products: the lower half of a diagonal tile left out", GRAMS,
     [("lower ? std::min(i + kRowsOfTile, out.cols())", "lower ? std::min(i + kHalfTile, out.cols())")]),
    ("products: a narrow tile for five rows", GRAMS,
     [("rows <= kHalfTile;", "rows <= kHalfTile + 1;")]),
    ("products: of other columns than the first the lower triangle alone", GRAMS,
     [("depth, block.k == block.l, grams_[p]", "depth, true, grams_[p]")]),
    ("leverage: the last column of a root left out", LEVERAGE,
     [("std::min(column + kTileColumns, size) : size",
       "std::min(column + kTileColumns, size - 1) : size")]),
    ("leverage: doubles of the first rows for all", LEVERAGE,
     [("squared_norms(rows + first * size_,", "squared_norms(rows,")]),
    ("leverage: doubles written one after another", LEVERAGE,
     [("out[(first + i) * stride]", "out[first + i]")]),
    ("leverage: rounding of floats left out", LEVERAGE,
     [("unit * (kMargin / (1.0 - error))", "unit * kMargin")]),
    ("leverage: a root below its diagonal begins a row late", LEVERAGE,
     [("upper ? 0 : column;", "upper ? 0 : column + 1;")]),
]

BASIS = "src/data/table/formula_basis.cpp"
SPLINES = "src/data/table/b_splines.cpp"
FORMULA_TABLE = "src/data/table/formula_table.cpp"

# The columns of a formula against those of R.
FORMULA_MUTANTS = [
    ("poly: the recurrence without its last term", BASIS,
     [("p[i + 1] -= squares[i] / squares[i - 1] * p[i - 1];", "")]),
    ("poly: not of length one", BASIS,
     [("out[i - 1] = p[i] / std::sqrt(squares[i]);", "out[i - 1] = p[i];")]),
    ("scale: divisor n", BASIS,
     [("std::sqrt(squares[1] / (rows - 1.0))", "std::sqrt(squares[1] / rows)")]),
    ("splines: the recursion divides by the distance of the next knots", SPLINES,
     [("const double share = b[r] / (t_right - t_left);",
       "const double share = b[r] / (t_right - knot(knots, end + r - 1));")]),
    ("splines: with the one that the intercept is for", SPLINES,
     [("out[first + r - 1] = b[r];", "out[std::min(first + r, knots.size())] = b[r];")]),
    ("splines: knots at order statistics, not between them", SPLINES,
     [("  if (place == below) {", "  if (true) {")]),
    ("categories: never the first level", FORMULA_TABLE,
     [("    if (rest.empty()) {\n      return true;", "    if (true) {\n      return true;")]),
    ("categories: every level of a product", FORMULA_TABLE,
     [("return std::includes(earlier.begin(), earlier.end(), rest.begin(),",
       "return false && std::includes(earlier.begin(), earlier.end(), rest.begin(),")]),
    ("categories: without an intercept the first lacks a level, too", FORMULA_TABLE,
     [("(!formula_.intercept && !std::exchange(met_category_, true))", "false")]),
    ("products: the last variable varies fastest", FORMULA_TABLE,
     [("for (const std::size_t v : term) {\n        made = extended",
       "for (const std::size_t v : Term(term.rbegin(), term.rend())) {\n        made = extended")]),
]

# Outside of the rows of a fit.
SPLINE_MUTANTS = [
    ("splines: the value at the end goes on behind it", SPLINES,
     [("b[r] = left + (t_right - value) * share;",
       "b[r] = left + (t_right - std::min(value, knots.back())) * share;")]),
    ("splines: at the right end the piece of no length", SPLINES,
     [(": std::lower_bound(knots.begin(), knots.end(), knots.back());", ": knots.end() - 1;")]),
]

SMOOTH = "src/data/table/smooth_basis.cpp"
SMOOTH_MUTANTS = [
    ("smooth: second derivatives count with the wrong sign", SMOOTH,
     [("at.m[0] = h * h / 6.0 * (l * l * l - l);", "at.m[0] = h * h / 6.0 * (l - l * l * l);")]),
    ("smooth: outside of the knots the chord, not the tangent", SMOOTH,
     [("at.m[1] = -h * h / 6.0 * r;", "at.m[1] = 0.0;")]),
    ("smooth: the penalty of knots that lie as far apart everywhere", SMOOTH,
     [("b(i, i) = (h(i) + h(i + 1)) / 3.0;", "b(i, i) = 2.0 / 3.0 / static_cast<double>(k - 1);")]),
    ("smooth: the line is not taken away", SMOOTH,
     [("splines.v.row(i) -= line.row(0) + t * line.row(1);",
       "splines.v.row(i) -= line.row(0) + 0.0 * t * line.row(1);")]),
]

# Priors of parameters on their own scale.
PRIOR = "src/family/prior.cpp"
PRIOR_MUTANTS = [
    ("priors: uniform in the logarithm for uniform in the parameter", PRIOR,
     [("return {t, 1.0, 0.0};", "return {0.0, 0.0, 0.0};")]),
    ("priors: half-Cauchy without its Jacobian", PRIOR,
     [("return {t - power * softplus(z), 1.0 - 2.0 * power * share,",
       "return {-power * softplus(z), -2.0 * power * share,")]),
]

# Right censored times.
CENSORED_MUTANTS = [
    ("censored: the density for the survival", "src/family/weibull.hpp",
     [("if(y > 0, shape + z - log(t), 0)", "if(y > 0, shape + z - log(t), shape + z - log(t))")]),
    ("censored: the odds of survival for the survival", "src/family/log_logistic.hpp",
     [("-softplus(z))", "-z)")]),
    ("censored: those that were not seen count as seen", "src/family/exponential.hpp",
     [("if(y > 0, -mu, 0)", "if(y > 0, -mu, -mu)")]),
]

# Successes whose chance varies.
BETA_BINOMIAL_MUTANTS = [
    ("beta-binomial: failures rise as successes do", "src/family/beta_binomial.hpp",
     [("lrising(sigmoid(-mu)*f, m - s)", "lrising(sigmoid(-mu)*f, s)")]),
    ("beta-binomial: what all trials share left out", "src/family/beta_binomial.hpp",
     [(" - lrising(f, m)", "")]),
    ("beta-binomial: the precision for its logarithm", "src/family/beta_binomial.hpp",
     [("f = exp(phi);", "f = phi;")]),
    ("beta-binomial: a tally of another unit", "src/family/beta_binomial.hpp",
     [("m = floor(y / 67108864)", "m = floor(y / 67108863)")]),
]

# Group effects, by quadrature.
ARROW = "src/groups/arrow.cpp"
GROUP_TARGET = "src/groups/group_target.cpp"
GROUP_MOVES = "src/groups/group_moves.cpp"
GROUP_MUTANTS = [
    ("groups: log Z without its determinant", ARROW,
     [("log_z_ = 0.5 * (squares + y_b_.squaredNorm()) - log_det_ + of_shared;",
       "log_z_ = 0.5 * (squares + y_b_.squaredNorm()) + of_shared;")]),
    ("groups: scales at fixed zeta with the Jacobian of the regions' frame, at both ends",
     GROUP_MOVES,
     [("ratio += target_.log_density_of_scales(other_) + target_.residual(proposal_) -",
       "ratio += other_.frame.log_det() - target_.here().frame.log_det() +\n"
       "           target_.log_density_of_scales(other_) + target_.residual(proposal_) -")]),
    ("groups: levels without their own prior, -|v|^2/2, in the collapsed sums", ARROW,
     [("double sum = i == j ? 1.0 : 0.0;", "double sum = 0.0;")]),
    ("groups: the anchor's levels not in the fixed effects' slopes", ARROW,
     [("r[static_cast<Index>(j)] += c[(g * q + i) * p + j] * u[i];", "")]),
    ("groups: the inside value of a bright row outside", GROUP_TARGET,
     [("const bool constant = outside && !row.global;", "const bool constant = false;")]),
    ("groups: rows of a level outside left out", GROUP_TARGET,
     [("const bool all = outside || is_beacon(level);", "const bool all = is_beacon(level);")]),
    ("groups: a level that turns never pays for leaving", GROUP_MOVES,
     [("!(stream.uniform() < accept_prob(value - before))", "false")]),
    ("groups: scales given levels without their determinant", "src/groups/group_tuning.cpp",
     [("return 0.5 * levels * precision.log_det - 0.5", "return -0.5")]),
    ("groups: scales with fixed effects held move without their prior", GROUP_MOVES,
     [("other_.at.du.data()) + scales.log_prior_of_levels(tried);", "other_.at.du.data());"),
      ("scales.log_prior_of_levels(psi) + target_.residual(current);",
       "target_.residual(current);")]),
    ("groups: scales with coins summed out as if every proposal were as likely", GROUP_MOVES,
     [("accept_prob(ratio + then - now)", "accept_prob(then - now)")]),
    ("groups: scales with coins summed out without their prior", GROUP_MOVES,
     [("return scales.log_prior_of_levels(at) + held_", "return held_")]),
    ("groups: coins stay when scales have moved without them", GROUP_MOVES,
     [("  target_.relight(rows_.throw_coins(at, stream));\n", "")]),
    ("groups: the proposal's density upside down", "src/groups/group_tuning.cpp",
     [("return log_t(psi) - log_t(moved);", "return log_t(moved) - log_t(psi);")]),
]

# Where bounds touch, by the posterior of fixed effects alone.
GROUP_ANCHOR_MUTANTS = [
    ("groups: bounds touch at the mode", "src/groups/group_bounds.cpp",
     [("if (!settle()) {", "if (settle() || true) {")]),
    ("groups: slopes averaged to one side", "src/groups/group_bounds.cpp",
     [("add(kCubatureWeight, eta + kCubatureReach * sd);", "add(kCubatureWeight, eta);")]),
    ("groups: slopes averaged over too little", "src/groups/group_bounds.cpp",
     [("const double sd = ConstVectorView(pulled.data(), q()).norm();",
       "const double sd = 0.5 * ConstVectorView(pulled.data(), q()).norm();")]),
    ("groups: a level that leans is not where its quantiles are", "src/groups/group_bounds.cpp",
     [("u += region.middle();", "")]),
]

# Where a level of few rows is, by quadrature.
LEVEL_QUANTILE_MUTANTS = [
    ("quantiles: a level without its prior", "src/groups/level_quantiles.cpp",
     [("log_density_[k] = -0.5 * z * z;", "log_density_[k] = 0.0 * z;")]),
    ("quantiles: rows without their weights", "src/groups/level_quantiles.cpp",
     [("log_density_[k] += weight * value_[k];", "log_density_[k] += value_[k];")]),
    ("quantiles: a row that moves as much as its level", "src/groups/level_quantiles.cpp",
     [("eta_[k] = eta + w * off_[k];", "eta_[k] = eta + off_[k];")]),
]

# Coins summed out where scales move, and thrown anew, by their frequencies.
ALL_ROWS = "src/groups/all_rows.cpp"
ALL_ROWS_MUTANTS = [
    ("coins: thrown without their slack", ALL_ROWS,
     [("gap_with_slack(target_.gaps()[i], bounds_.slack(hit.row), hit.constant);",
       "gap_with_slack(target_.gaps()[i], 0.0, hit.constant);")]),
    ("coins: the process that is thinned is too slow", ALL_ROWS,
     [("* 0.5 * bounds_.curvature[n] * u * u;", "* 0.05 * bounds_.curvature[n] * u * u;")]),
    ("coins: a row that is hit twice has one chance", ALL_ROWS,
     [(", hit.times)) {", ", 1.0)) {")]),
    ("coins: levels outside have the gaps of inside", ALL_ROWS,
     [("at.outside[problem_.grouping.level(n)] != 0 && !bounds_.is_global(n);", "false;")]),
    ("coins: a row takes nothing from the way to the next hit", ALL_ROWS,
     [("next -= most;", "")]),
    ("coins: the way to the next hit begins where the last one was", ALL_ROWS,
     [("stream.poisson(most - next)", "stream.poisson(most)")]),
    ("coins: levels whose prior is twice as narrow", ARROW,
     [("return -0.5 * prior_ - determinant_.log();", "return -prior_ - determinant_.log();")]),
    ("coins: no Jacobian where rows are counted one by one", ARROW,
     [("return -0.5 * prior_ - determinant_.log();", "return -0.5 * prior_;")]),
    ("coins: rows without their weights", "src/groups/row_target.cpp",
     [("data_.weights(range.first));", "nullptr);")]),
]

# Scales that move with the fixed effects held, by densities and Jacobians.
HELD_MUTANTS = [
    ("held: scales without their determinant", ARROW,
     [("return 0.5 * squares_ - determinant_.log();", "return 0.5 * squares_;")]),
    ("held: one scale whose levels have no prior of their own", ARROW,
     [("std::sqrt(1.0 + sd * sums_.d[g] * sd)", "std::sqrt(sd * sums_.d[g] * sd)")]),
    ("held: one scale whose levels stay where they were", ARROW,
     [("u[0] = at.pull * (at.y + zeta_[g]) - anchor_.u[g];",
       "u[0] = at.y + zeta_[g] - anchor_.u[g];")]),
    ("held: levels' slopes keep what fixed effects take", ARROW,
     [("-= ConstRowMatrixView(sums_.c.data(), rows, dbeta.size()) * dbeta;", "-= Vector::Zero(rows);")]),
    ("held: levels' slopes keep what the shared parameter takes", ARROW,
     [("-= ConstRowMatrixView(sums_.t.data(), rows, shared.size()) * shared;",
       "-= Vector::Zero(rows);")]),
]

# Levels dealt out to ranks, by draws that are those of a process alone.
RANKED_MUTANTS = [
    ("ranked: levels' slopes stay where they were summed", "src/groups/arrow_pass.cpp",
     [("{&sums.d, &sums.c, &sums.b, &sums.t}", "{&sums.d, &sums.c, &sums.t}")]),
    ("ranked: sums of all levels are those of the last rank's", "src/ranks/sums_along.cpp",
     [("ByteReader(bytes).get_all(sums);\n    }\n    add", "}\n    add")]),
    ("ranked: what a level's rank found of bright rows is not heard", GROUP_TARGET,
     [("point.log_factors[slot] = *next++;", "++next;")]),
    ("ranked: queries of other ranks are not counted", GROUP_TARGET,
     [("if (rank++ != ranks.rank()) {", "if (rank++ > ranks.size()) {")]),
    ("ranked: a piece's first level is sent to the rank before", "src/groups/level_shard.cpp",
     [("std::ranges::upper_bound(pieces_, level, {}, &LevelRange::last)",
       "std::ranges::lower_bound(pieces_, level, {}, &LevelRange::last)")]),
    ("ranked: levels' regions are centred at their own rank alone", "src/groups/group_bounds.cpp",
     [("share_levels(shard, bounds_.anchor.u);", "")]),
    ("ranked: levels' regions are as wide as they are at their own rank alone",
     "src/groups/group_bounds.cpp", [("share_levels(shard, bounds_.level_radius);", "")]),
    ("ranked: rows travel without what they are off their touch", "src/groups/group_rows.cpp",
     [(".shift = numbers[3],", ".shift = 0.0,")]),
    ("ranked: rows travel without their weights", "src/groups/group_rows.cpp",
     [(".weight = numbers[5],", ".weight = 1.0,")]),
    ("ranked: a beacon comes without its first row", "src/groups/group_rows.cpp",
     [("for (const std::size_t n : problem.grouping.rows(level)) {",
       "for (const std::size_t n : problem.grouping.rows(level).subspan(1)) {")]),
    ("ranked: rows lose their offsets on the way", "src/data/table/redistribute_rows.cpp",
     [("table.offset[row] = *in++;", "table.offset[row] = 0.0 * *in++;")]),
]

ROW_NUMBER_MUTANTS = [
    ("ranked: rates in the order in which rows came", "src/groups/row_numbers.cpp",
     [("sorted[number - shard_.mine().first] = in.get<T>();",
       "sorted[(number - shard_.mine().first) / 2] = in.get<T>();")]),
    ("ranked: of many rows the first message alone is sent", "src/groups/row_numbers.cpp",
     [("return sent.has_value();", "sent.reset(); return false;")]),
]

# Parameters that all rows share, beside levels, by the joint density.
SHARED_MUTANTS = [
    ("shared: levels' slopes keep what the parameter takes", ARROW,
     [("y[i] -= sums.t[", "y[i] -= 0.0 * sums.t[")]),
    ("shared: fixed effects' slopes keep what the parameter takes", ARROW,
     [("y_b_ -= sums.v * shared;", "")]),
    ("shared: the anchor's levels not in the parameter's slope", ARROW,
     [("shared_slope[static_cast<Index>(j)] += t[(g * q + i) * m + j] * u[i];", "")]),
    ("shared: rows that bend upward leave scales without a frame", "src/groups/row_bounds.cpp",
     [("local.curvature[0] = std::max(0.0, local.curvature[0]);", "")]),
    ("shared: half of the parameter's own bend", ARROW,
     [("0.5 * shared.dot(", "0.25 * shared.dot(")]),
    ("shared: no region of the parameter's own", GROUP_TARGET,
     [("bounds.leaves_shared(fixed.shared);", "false;")]),
    ("shared: rows are looked at where the anchor has the parameter", GROUP_TARGET,
     [("run_gaps(at.fixed.shared);", "run_gaps(Vector::Zero(at.fixed.shared.size()));")]),
]

# Rows of several levels, by quadrature.
CROSSED_TARGET = "src/groups/crossed_target.cpp"
CROSSED_MOVES = "src/groups/crossed_moves.cpp"
CROSSED_MUTANTS = [
    ("crossed: a row of two levels outside is counted twice", CROSSED_TARGET,
     [("place.rows.erase(std::unique(place.rows.begin(), place.rows.end()), place.rows.end());",
       "")]),
    ("crossed: the inside value of a bright row outside", CROSSED_TARGET,
     [("const bool constant = outside && row.kind == RowBound::kLocal;",
       "const bool constant = false;")]),
    ("crossed: a level that turns never pays for leaving", CROSSED_MOVES,
     [("!(stream.uniform() < accept_prob(change))", "false")]),
    ("crossed: rows that another level took outside are left out of a level's move", CROSSED_MOVES,
     [("if (!leaves && near_[level] == 0) {", "if (!leaves) {")]),
    ("crossed: the map of a scale about the collapsed Gaussian without its Jacobian",
     CROSSED_MOVES, [("ratio += by * power.sum();", "")]),
    ("crossed: levels in proportion to their scale without the Jacobian", CROSSED_MOVES,
     [("ratio += by * static_cast<double>(count);", "")]),
    ("crossed: scales given levels without their determinant", CROSSED_MOVES,
     [("return levels * of_levels_.log_half.segment(block.first, block.count).sum() -",
       "return -")]),
    ("crossed: the block of directions forgets the priors", CROSSED_MOVES,
     [("here.force - target_.problem().pull(target_.bounds().anchor + here.d, precision));",
       "here.force);")]),
    ("crossed: a nest forgets the prior of its outer level", CROSSED_MOVES,
     [("double force = -pull;", "double force = 0.0 * pull;")]),
    ("crossed: the sums' lower triangle is left empty", "src/groups/crossed_sums.cpp",
     [("values_[next[columns_[i]]++] = values_[i];", "++next[columns_[i]];")]),
]

# Parameters that all rows share, beside several factors: by the joint density, and by quadrature.
SHARED_CROSSED_MUTANTS = [
    ("shared crossed: the force keeps what the parameter takes", CROSSED_TARGET,
     [("place.force.noalias() -= bounds().sums.with_shared() * place.shared;", "")]),
    ("shared crossed: half of what ties it to the coefficients", CROSSED_TARGET,
     [("sums.shared_slope() - 0.5 * sums.with_shared().transpose() * place.d -",
       "sums.shared_slope() - 0.0 * sums.with_shared().transpose() * place.d -")]),
    ("shared crossed: half of the parameter's own bend", CROSSED_TARGET,
     [("0.5 * sums.shared_bend() * place.shared);", "0.25 * sums.shared_bend() * place.shared);")]),
    ("shared crossed: no region of the parameter's own", CROSSED_TARGET,
     [("bounds().leaves_shared(place.shared);", "false;")]),
    ("shared crossed: rows are looked at where the anchor has the parameter", CROSSED_TARGET,
     [("  run_gaps(place.shared);", "  run_gaps(Vector::Zero(place.shared.size()));")]),
]
SHARED_CROSSED_MOVES = [
    ("shared crossed: levels move as if the anchor had the parameter", CROSSED_MOVES,
     [("    target_.run_gaps(here.shared);\n    double force = 0.0;",
       "    target_.run_gaps(Vector::Zero(here.shared.size()));\n    double force = 0.0;")]),
    ("shared crossed: given the coefficients, half of the parabola's bend", CROSSED_MOVES,
     [("sums.shared_bend()};", "0.5 * sums.shared_bend()};")]),
    ("shared crossed: given the coefficients, these are where the anchor is", CROSSED_MOVES,
     [("parabola{sums.shared_slope() - sums.with_shared().transpose() * here.d,",
       "parabola{sums.shared_slope() - 0.0 * sums.with_shared().transpose() * here.d,")]),
    ("shared crossed: along with the coefficients without the ratio of proposals", CROSSED_MOVES,
     [("double ratio = proposal.draw(psi.tail(m), stream, moved);",
       "double ratio = 0.0 * proposal.draw(psi.tail(m), stream, moved);")]),
]

CORRELATED_MUTANTS = [
    ("correlated: a level does not feel the other coefficient of its own", CROSSED_MOVES,
     [("out.pull += lambda_(t, other) * (", "out.pull += (t == other ? lambda_(t, t) : 0.0) * (")]),
    ("correlated: the block of directions without what ties two terms", CROSSED_MOVES,
     [("      terms.products += terms.products.transpose().eval();", "      terms.products *= 0.0;")]),
    ("correlated: the density without what ties two terms", "src/groups/crossed_bounds.cpp",
     [("out(t, other) = out(other, t) = of(t).dot(of(other));",
       "out(t, other) = out(other, t) = t == other ? of(t).dot(of(other)) : 0.0;")]),
    ("correlated: scales and correlations without their determinant", CROSSED_MOVES,
     [("return levels * of_levels_.log_half.segment(block.first, block.count).sum() -",
       "return -")]),
]

# A normal response with levels: the sums are its likelihood.
NORMAL_ARROW = "src/groups/normal_arrow.cpp"
NORMAL_TARGET = "src/groups/normal_target.cpp"
NORMAL_MUTANTS = [
    ("normal groups: the marginal counts a row too few", NORMAL_ARROW,
     [("-(weight - p) * log_sigma", "-(weight - p - 1.0) * log_sigma")]),
    ("normal groups: the fixed effects take no degree of freedom", NORMAL_ARROW,
     [("-(weight - p) * log_sigma", "-(weight - 0.0 * p) * log_sigma")]),
    ("normal groups: the marginal without its determinant", NORMAL_ARROW,
     [("place.frame.log_det() + scales.log_prior(at)", "0.0 + scales.log_prior(at)")]),
    ("normal groups: levels cost nothing where the marginal is taken", NORMAL_ARROW,
     [("penalty +=\n", "const double ignored =\n"), ("double penalty =", "const double penalty =")]),
    ("normal groups: half of the cross term of the squares", NORMAL_ARROW,
     [("product += 2.0 * c[j]", "product += c[j]")]),
    ("normal groups: coordinates are not in units of sigma", NORMAL_ARROW,
     [("place.scaled = place.sigma * zeta;", "place.scaled = 1.0 * zeta;")]),
    ("normal groups: the frame's Jacobian without sigma", NORMAL_ARROW,
     [("return static_cast<double>(place.scaled.size()) * std::log(place.sigma) -", "return -")]),
    ("normal groups: the prior of the fixed effects not in units of sigma", NORMAL_ARROW,
     [("variance * problem().prior.precision}", "1.0 * problem().prior.precision}")]),
    ("normal groups: sigma given coefficients counts a row too few", NORMAL_TARGET,
     [("return -rows * at[0]", "return -(rows - 1.0) * at[0]")]),
    ("normal groups: scales move without the ratio of proposals", NORMAL_TARGET,
     [("ratio += other_.log_marginal", "ratio = other_.log_marginal")]),
]
NORMAL_CROSSED_MUTANTS = [
    ("normal crossed: the density counts a row too few", CROSSED_TARGET,
     [("bounds().weight * log_sigma", "(bounds().weight - 1.0) * log_sigma")]),
    ("normal crossed: squares at the anchor left out", CROSSED_TARGET,
     [("0.5 * bounds().least", "0.0 * bounds().least")]),
    ("normal crossed: sigma given coefficients counts a row too few", CROSSED_MOVES,
     [("return -bounds.weight * at[0]", "return -(bounds.weight - 1.0) * at[0]")]),
    ("normal crossed: the cross term of the squares without its other half", CROSSED_MOVES,
     [("bounds.least - here.d.dot(bounds.sums.b() + here.force)",
       "bounds.least - here.d.dot(bounds.sums.b())")]),
    ("normal crossed: in proportion, the bend of the squares forgotten", CROSSED_MOVES,
     [("slope * t - 0.5 * bend * t * t", "slope * t")]),
    ("normal crossed: a level turns against unit noise", CROSSED_MOVES,
     [("sigma_ * stream.normal() * std::sin(angle);\n    const double step = (to - from) * sd;\n"
       "    const bool", "stream.normal() * std::sin(angle);\n    const double step = (to - from) * "
       "sd;\n    const bool")]),
    ("normal crossed: a nest turns against unit noise", CROSSED_MOVES,
     [("sigma_ * stream.normal() * std::sin(angle);\n    const auto trade",
       "stream.normal() * std::sin(angle);\n    const auto trade")]),
    ("normal crossed: the block moves in units of one", CROSSED_MOVES,
     [("directions_.expand(sigma_ * llt", "directions_.expand(1.0 * llt"),
      ("-llt.matrixL().solve(pulled) / sigma_;", "-llt.matrixL().solve(pulled);")]),
    ("normal crossed: precisions of levels in units of one", CROSSED_MOVES,
     [("lambda_ = sigma_ * sigma_ * ", "lambda_ = ")]),
    ("normal crossed: the block's prior in units of one", CROSSED_MOVES,
     [("variance * of_prior_", "of_prior_")]),
]

# A normal linear regression: sums over the rows are its likelihood.
LINEAR_LAW = "src/linear/linear_law.cpp"
LINEAR_CHAIN = "src/linear/linear_chain.cpp"
SCALAR_LAW = "src/linear/scalar_law.cpp"
LINEAR_MUTANTS = [
    ("linear: coefficients take no degree of freedom", LINEAR_LAW,
     [("double value = peak_ + p * s -", "double value = peak_ + 0.0 * p * s -")]),
    ("linear: the marginal counts a row too few", LINEAR_LAW,
     [(" - weight_ * s;", " - (weight_ - 1.0) * s;")]),
    ("linear: the marginal without its determinant", LINEAR_LAW,
     [("- 0.5 * log_widths", "- 0.0 * log_widths")]),
    ("linear: the marginal without the law of sigma", LINEAR_LAW,
     [("value += sigma_law_->log_density(Vector::Constant(1, s))", "value += 0.0")]),
    ("linear: the marginal without what the prior costs", LINEAR_LAW,
     [("rest += kappa_[j] * lambda_[j] * apart * apart / width;", "(void)apart;")]),
    ("linear: what the anchor leaves is not explained", LINEAR_LAW,
     [("rest += kappa_[j] * lambda_[j] * apart", "rest += kappa_[j] * kappa_[j] * apart")]),
    ("linear: the prior has no precision", LINEAR_LAW,
     [("1.0 / (term.scale * term.scale)", "0.0")]),
    ("linear: a scale in the place of a variance", LINEAR_LAW,
     [("1.0 / (term.scale * term.scale)", "1.0 / term.scale")]),
    ("linear: the prior pulls as with unit noise", LINEAR_LAW,
     [("const double share = kappa_[j] / width;", "const double share = kappa_[j] / (kappa_[j] + lambda_[j]);")]),
    ("linear: coefficients scatter as with unit noise", LINEAR_LAW,
     [("std::sqrt(variance / width) * normals[j]", "std::sqrt(1.0 / width) * normals[j]")]),
    ("linear: coefficients scatter as their precision", LINEAR_LAW,
     [("std::sqrt(variance / width) * normals[j]", "std::sqrt(variance) / width * normals[j]")]),
    ("linear: squares half as steep", LINEAR_LAW,
     [("off.dot(gram_ * off)", "0.5 * off.dot(gram_ * off)")]),
    ("linear: squares without weights", LINEAR_LAW,
     [("squares += weight * off * off;", "squares += off * off;")]),
    ("linear: peaks without weights", LINEAR_LAW,
     [("out[1] += data.weight(n) * value;", "out[1] += value;")]),
    ("linear: a known sigma counts twice", LINEAR_LAW,
     [("infers_sigma() ? weight_ * s : 0.0;", "weight_ * s;")]),
    ("linear: sigma moves without the ratio of proposals", LINEAR_CHAIN,
     [("law_.log_marginal(moved) - proposal.log_proposal(moved)", "law_.log_marginal(moved)"),
      ("law_.log_marginal(log_sigma) - proposal.log_proposal(log_sigma)",
       "law_.log_marginal(log_sigma)")]),
    ("linear: shares of proposals without widths", SCALAR_LAW,
     [("sum += mode.share / mode.width *", "sum += mode.share *")]),
    ("linear: the integral without its step", SCALAR_LAW, [("std::log(step * sum)", "std::log(sum)")]),
]

# Comparing models: leave-one-out and evidence, by closed forms and quadrature.
LOO = "src/compare/loo.cpp"
ROW_DENSITY = "src/compare/row_density.cpp"
EVIDENCE = "src/compare/evidence.cpp"
BRIDGE = "src/diagnose/bridge.cpp"
PARETO = "src/diagnose/pareto.cpp"
LOO_MUTANTS = [
    ("loo: what a model says of rows it has seen", LOO,
     [("rule_.log_weights[static_cast<Index>(i)] - log_ratios_[i];",
       "rule_.log_weights[static_cast<Index>(i)] + log_ratios_[i];"),
      ("return -log_sum_exp(log_ratios_);", "return log_sum_exp(log_ratios_);")]),
    ("loo: rows that were not chosen are not corrected", LOO,
     [("result.value = sum + total * mean;", "result.value = sum + chosen * mean;")]),
    ("loo: a row's error counted once, not N/m times", LOO,
     [("? total * (total - chosen) * spread / ((chosen - 1.0) * chosen)",
       "? (total - chosen) * spread / (chosen - 1.0)")]),
    ("loo: weights as they are, not their inverse", LOO,
     [("log_weights[s] = -log_density[s];", "log_weights[s] = log_density[s];")]),
    ("loo: constants of the likelihood left out", ROW_DENSITY,
     [("value = at.weight * (value + constant);", "value = at.weight * value;")]),
]
GROUP_LOO_MUTANTS = [
    ("group loo: levels as if they were known", LOO,
     [("return unit * (picked.rowwise() - picked.colwise().mean());",
       "return 0.0 * (picked.rowwise() - picked.colwise().mean());")]),
    ("group loo: levels of the first draw for their mean", LOO,
     [("return levels.colwise().mean();", "return levels.topRows(1);")]),
    ("group loo: spreads of coefficients not divided by the draws", LOO,
     [("return {{unit * (theta.colwise()", "return {{1.0 * (theta.colwise()")]),
    ("group loo: levels pull against no prior", LOO,
     [("scores -= pull_of_levels(draws);", "scores -= 0.0 * pull_of_levels(draws);")]),
    ("group loo: rows without their levels", ROW_DENSITY,
     [("i < count && draws.levels; ++i", "i < 0 && draws.levels; ++i")]),
]
LEVEL_INTEGRAL = "src/compare/level_integral.cpp"
GROUP_EVIDENCE_MUTANTS = [
    ("level integral: the law of levels without its constant", LEVEL_INTEGRAL,
     [("(width_ * total).log() - log_tau_ -", "(width_ * total).log() -")]),
    ("level integral: points further apart as if they were not", LEVEL_INTEGRAL,
     [("log_stretch[k] = std::log(std::cosh(kStretch * t));", "log_stretch[k] = 0.0;")]),
    ("level integral: a finer rule keeps the old step", LEVEL_INTEGRAL,
     [("0.5 * (total + step *", "1.0 * (total + step *")]),
    ("level integral: a slope as if it were an intercept", LEVEL_INTEGRAL,
     [("points.col(0) += w * u.col(m);", "points.col(0) += u.col(m);")]),
    ("group evidence: the scale has no prior", EVIDENCE,
     [("sum[s] += of_scale.log_density(at.col(s).tail(1)) + log_constant(of_scale);",
       "sum[s] += 0.0;")]),
    ("group evidence: the prior of the scale without its constant", EVIDENCE,
     [("of_scale.log_density(at.col(s).tail(1)) + log_constant(of_scale);",
       "of_scale.log_density(at.col(s).tail(1));")]),
]
ROW_DENSITY_MUTANTS = [
    ("row density: offsets forgotten", ROW_DENSITY,
     [("eta.col(k * count + i).array() += problem.data.offset(",
       "eta.col(k * count + i).array() += 0.0 * problem.data.offset(")]),
    ("row density: the weight of a row forgotten", ROW_DENSITY,
     [("value = at.weight * (value + constant);", "value = value + constant;")]),
    ("row density: mixed derivatives twice as large", ROW_DENSITY,
     [("/ (2.0 * step_[i] * step_[j]);", "/ (step_[i] * step_[j]);")]),
    ("row density: what two predictors share is left out", ROW_DENSITY,
     [("      if (i != j) {\n        sum.block", "      if (i > j + 99) {\n        sum.block")]),
]
PARETO_MUTANTS = [
    ("pareto: the tail is not smoothed", PARETO,
     [("std::min(0.0, std::log(threshold + excess));",
       "log_weights[*(first + static_cast<std::ptrdiff_t>(j))];")]),
    ("pareto: smoothed weights above the largest there was", PARETO,
     [("std::min(0.0, std::log(threshold + excess));", "std::log(threshold + excess);")]),
    ("pareto: k without its prior", PARETO,
     [("return {(n * k + 0.5 * kPriorDraws) / (n + kPriorDraws), -k / at};",
       "return {k + 0.0 * kPriorDraws, -k / at};")]),
]
EVIDENCE_MUTANTS = [
    ("evidence: the prior's constant left out", EVIDENCE,
     [("const double constant = log_prior_constant(problem);", "const double constant = 0.0;")]),
    ("evidence: the Gaussian without its volume", EVIDENCE,
     [("squaredNorm().array() - log_volume)", "squaredNorm().array() - 0.0 * log_volume)")]),
    ("evidence: the weight of a row forgotten", ROW_DENSITY,
     [("value = at.weight * (value + constant);", "value = value + constant;")]),
    ("evidence: constants of the likelihood left out", ROW_DENSITY,
     [("value = at.weight * (value + constant);", "value = at.weight * value;")]),
    ("bridge: the inverse of the fixed point", BRIDGE,
     [("    log_z += step;\n", "    log_z -= step;\n")]),
    ("bridge: the error of the proposals alone", BRIDGE,
     [(" +\n                          relative_variance(draws, effective);", ";")]),
]

# The evidence that the dark draws of a run tell.
DARK = "src/fit/dark_evidence.cpp"
DARK_MUTANTS = [
    ("dark evidence: as if every draw were dark", DARK, [(" - std::log(share)", "")]),
    ("dark evidence: the volume of the frame forgotten", DARK, [(" + log_volume(law.frame)", "")]),
    ("dark evidence: bright draws taken for dark ones", DARK,
     [("    if (bright[s] != 0.0) {", "    if (bright[s] < 0.0) {")]),
    ("dark evidence: the error of the bridge alone", DARK,
     [("std::hypot(inside.se, relative_error(dark, draws.chains, share))",
       "inside.se + 0.0 * relative_error(dark, draws.chains, share)")]),
    ("dark evidence: the Gaussian without its constant", DARK,
     [("0.5 * static_cast<double>(mean_.size()) * std::log(2.0 * std::numbers::pi)", "0.0")]),
    ("dark evidence: a Gaussian narrower than its constant says", DARK,
     [("return log_scale_ - 0.5 * (zeta", "return log_scale_ - 0.6 * (zeta")]),
]

EFFECTS = "src/effects/average_effects.cpp"
INPUT_COLUMNS = "src/effects/input_columns.cpp"
ROW_SAMPLE = "src/predict/row_sample.cpp"
EFFECTS_MUTANTS = [
    ("effects: a difference over one step, not two", EFFECTS,
     [("scale[n] = weight(block, n) / scale[n];", "scale[n] = 2.0 * weight(block, n) / scale[n];")]),
    ("effects: the step of a number is too wide", EFFECTS,
     [("constexpr double kStep = 1e-4; ", "constexpr double kStep = 1e-1; ")]),
    ("effects: near zero the step does not shrink", EFFECTS,
     [("constexpr double kNearZero = 0.1; ", "constexpr double kNearZero = 0.0; ")]),
    ("effects: the weights of rows forgotten in a slope", EFFECTS,
     [("scale[n] = weight(block, n) / scale[n];", "scale[n] = 1.0 / scale[n];")]),
    ("effects: the weights of rows forgotten in a contrast", EFFECTS,
     [("block.weights.empty() ? std::vector<double>(block.rows, 1.0) : block.weights;",
       "std::vector<double>(block.rows, 1.0);")]),
    ("effects: a level against the one before it", EFFECTS,
     [("      at -= reference;\n", "      Matrix own = at;\n      at -= reference;\n"),
      ("      add_rows(at, block, w, level - 1, sums);\n",
       "      add_rows(at, block, w, level - 1, sums);\n      reference = own;\n")]),
    ("effects: every class has the first one's", EFFECTS,
     [("values.middleCols(k * rows, rows) * factors;", "values.leftCols(rows) * factors;")]),
    ("effects: rows that are left out count", EFFECTS,
     [("      ++sums.skipped[to];\n",
       "      ++sums.skipped[to];\n      sums.weights[column] += 1.0;\n")]),
    ("effects: an interval of half the tails", "src/diagnose/moments.cpp",
     [("quantile(sample, 0.5 * (1.0 - prob))", "quantile(sample, 0.25 * (1.0 - prob))")]),
    ("effects: rows that were looked at are as uncertain as the others", EFFECTS,
     [("left_out * rows / (rows - 1.0) * squares", "(left_out > 0.0) * rows / (rows - 1.0) * squares")]),
    ("effects: rows scatter about nothing, not about their average", EFFECTS,
     [("2.0 * average * sums.weighted(outcome, column) +",
       "2.0 * 0.0 * sums.weighted(outcome, column) + 0.0 *")]),
    ("effects: a level beside the row's own", INPUT_COLUMNS,
     [("    std::fill_n(row, flag ? 1 : indicators, 0.0);\n", "    (void)flag, (void)indicators;\n")]),
    ("effects: curves end elsewhere", INPUT_COLUMNS,
     [("quantile(values, 0.01)", "quantile(values, 0.05)")]),
    ("effects: late rows take a place too often", ROW_SAMPLE,
     [("stream_.below(++sample_.of); place < most_", "stream_.below(2 * most_ + 0 * ++sample_.of); place < most_")]),
    ("effects: columns of somebody else are of other rows", "src/effects/input_rows.cpp",
     [("sample.x[(n + 1) * width - 1]", "static_cast<double>(n + 0 * width)")]),
    ("effects: columns of somebody else have the first level", "src/effects/input_rows.cpp",
     [("at < count ? static_cast<double>(at + 1) : 0.0;", "at < count ? 0.0 : 0.0;")]),
    ("effects: a part of a sample is its beginning", ROW_SAMPLE,
     [("copy_row(all, shuffled(i), kept, i);", "copy_row(all, i + 0 * shuffled(i), kept, i);")]),
]

CHECK = "src/check/predictive_check.cpp"
CALIBRATION = "src/check/calibration.cpp"
CHECK_MUTANTS = [
    ("check: ties of an area count nothing", CALIBRATION,
     [("(negative + 0.5 * ties_negative)", "negative")]),
    ("check: an area as uncertain as that of half the rows", CALIBRATION,
     [("const double part = event.outcome * (below - area) / positive +",
       "const double part = 2.0 * event.outcome * (below - area) / positive +")]),
    ("check: scores of other rows would be the same", CHECK,
     [("return std::sqrt(squares) / weights;", "return 0.0 * std::sqrt(squares) / weights;")]),
    ("check: events of the same probability in two bins", CALIBRATION,
     [(" && events[i].p < events[i + 1].p)", ")")]),
    ("check: a share spreads as if every row came", CALIBRATION,
     [("variance += event.weight * event.p * (1.0 - event.p);",
       "variance += event.weight * event.p;")]),
    ("check: responses that are equal count as above", CHECK,
     [("(censored ? all - below : equal + 1.0)", "(censored ? all - below : 1.0)")]),
    ("check: a censored time is one that was seen", CHECK,
     [("(censored ? all - below : equal + 1.0)", "(equal + 1.0)")]),
    ("check: Brier's score without its square", CHECK,
     [("(1.0 - y) * p * p;", "(1.0 - y) * p;")]),
    ("check: the log score of what came alone", CHECK,
     [("(1.0 - y) * std::log1p(-p) : 0.0);", "0.0 : 0.0);")]),
    ("check: the weight of a row forgotten in the log score", CHECK,
     [("sums.log_density += weight * densities.col(column);",
       "sums.log_density += densities.col(column);")]),
    ("check: every class has the first one's probability", CHECK,
     [("means.middleCols(static_cast<Index>(k) * size, size)", "means.leftCols(size)")]),
    ("check: 95 % are 90", CHECK, [("std::abs(u - 0.5) < 0.475", "std::abs(u - 0.5) < 0.45")]),
    ("check: distance on one side of a step alone", CHECK,
     [("{check.distance, u - below, below + share - u}", "{check.distance, below - u}")]),
    ("check: every draw has the first ones' scores", CHECK,
     [("some_draws(predictor_.draws(), first, std::min(step, draws - first))",
       "some_draws(predictor_.draws(), 0 * first, std::min(step, draws - first))"),
      ("constexpr std::size_t kChunkNumbers = std::size_t{1} << 22;",
       "constexpr std::size_t kChunkNumbers = std::size_t{1} << 10;")]),
]

CLASS_ANSWER = "src/diagnose/class_answer.cpp"
CLASS_ANSWER_MUTANTS = [
    ("classes: the rarest first", CLASS_ANSWER, [("shares[a] > shares[b]", "shares[a] < shares[b]")]),
    ("classes: both tails on one side", CLASS_ANSWER, [("1.0 - 2.0 * tail", "1.0 - tail")]),
    ("classes: an interval from the lowest class", CLASS_ANSWER,
     [("count_holding(shares, set, tail)) - 1", "count_holding(shares, set, 0.0)) - 1")]),
    ("classes: rounding decides", CLASS_ANSWER, [("held < prob - kRounding", "held < prob")]),
]

COUNTS = "src/diagnose/order_statistics.cpp"
COUNT_QUANTILE_MUTANTS = [
    ("counts: the largest that does not hold the share", COUNTS,
     [("const double rank = std::ceil(", "const double rank = std::floor(")]),
    ("counts: the one after", COUNTS,
     [("std::max(rank, 1.0)) - 1]", "std::min(rank, static_cast<double>(sorted.size()) - 1.0))]")]),
    ("counts: rounding decides", COUNTS,
     [("constexpr double kRounding = 1e-12;", "constexpr double kRounding = 0.0;")]),
]

ORDINAL = "src/family/ordinal.cpp"

# Docs: method/families.md, Ordinal.
ORDINAL_MUTANTS = [
    ("ordinal: a width with the wrong sign", ORDINAL,
     [("return {{{{k + 1, 0}, {k + 1, k}}}, 2};", "return {{{{k + 1, 0}, {k, k + 1}}}, 2};")]),
    ("ordinal: the last class on the wrong side of its cut point", ORDINAL,
     [("return {{{{0, last}, {0, last}}}, 1};", "return {{{{last, 0}, {last, 0}}}, 1};")]),
    ("ordinal: off-diagonals of a curvature with the wrong sign", ORDINAL,
     [("add(p, s, -w);", "add(p, s, w);")]),
    ("ordinal: a width strays no further than one cut point", ORDINAL,
     [("region.shared_radius * kRaised * most_of_difference(region, upper, lower)",
       "region.shared_radius * kRaised")]),
    ("ordinal: cut points that crossed have a density", ORDINAL,
     [("  } else if (seen.has_width(eta)) {\n    value", "  } else if (!seen.rows.empty()) {\n    value")]),
    ("ordinal: a remainder beyond the order of cut points", ORDINAL,
     [("e[1] > 0.0 && e[1] + moved[1] > 0.0", "e[1] > 0.0")]),
    ("ordinal: shares as if cut points were far apart", ORDINAL,
     [("std::max(0.0, -std::expm1(eta[k] - b))", "1.0")]),
    ("ordinal: shares as if nothing were below the cut point before", ORDINAL,
     [("above = sigmoid(eta[0] - b);", "above = 1.0;")]),
]

FILL = "src/data/table/fill_missing.cpp"
FILL_MUTANTS = [
    ("missing: the mean of all rows, those without a value counted", FILL,
     [("sums[2 * i + 1] / present}", "sums[2 * i + 1] / rows}")]),
    ("missing: the column beside says where a value is", FILL,
     [("*out++ = missing ? 1.0 : 0.0;", "*out++ = missing ? 0.0 : 1.0;")]),
    ("missing: a column for every candidate", FILL,
     [("if (present < rows) {", "if (present <= rows) {")]),
    ("missing: later rows with a mean of their own", FILL,
     [("filled.push_back({j, found->second.front()});", "filled.push_back({j, 0.0});")]),
]

DATES = "src/data/table/dates.cpp"
DATE_MUTANTS = [
    ("dates: zones the other way round", DATES,
     [("seconds -= scan_zone(scanner);", "seconds += scan_zone(scanner);")]),
    ("dates: from the first time, not the first day", DATES,
     [("return std::floor(first[1]);", "return first[1];")]),
    ("dates: from the last", DATES, [("std::min(into[1], next[1])", "std::max(into[1], next[1])")]),
    ("dates: later rows from their own first day", DATES,
     [("given != spec.constants.end() && !given->second.empty()", "false")]),
]

# Levels summed up without their draws (docs/method/groups.md).
LEVELS = "src/chain/level_tally.cpp"
LEVEL_MUTANTS = [
    ("levels: the parabola has its sides exchanged", LEVELS,
     [("(to_left + step) * right + (to_right - step) * left",
       "(to_left + step) * left + (to_right - step) * right")]),
    ("levels: a marker moves and keeps its place", LEVELS,
     [("      place[i] += up ? 1U : ~std::uint32_t{0};\n", "")]),
    ("levels: draws above a marker move it up", LEVELS,
     [("i == kMarkers - 1 || value < height[i]", "i == kMarkers - 1 || value > height[i]")]),
    ("levels: batches are halved, not joined", LEVELS,
     [("pair[values.size()]", "pair[0]")]),
    ("levels: batches count as one draw", LEVELS,
     [("long_run += static_cast<double>(chain->batch_draws_) * off * off", "long_run += off * off")]),
    ("levels: spread without what is between chains", LEVELS,
     [("chain->squares_[number] + length * from_mean * from_mean", "chain->squares_[number]")]),
    ("levels: a drift counts as noise", LEVELS,
     [("(chain->squares_[number] - between)", "(chain->squares_[number])")]),
    ("levels: chains have the same weight, however long", LEVELS,
     [("all.mean += static_cast<double>(chain->draws_) * chain->mean_[number];\n  }\n"
       "  all.mean /= draws;",
       "all.mean += chain->mean_[number];\n  }\n  all.mean /= static_cast<double>(chains.size());")]),
]

# Which tangents rows have (docs/method/automatic.md, Chains with a derived bound).
TANGENT_MUTANTS = [
    ("tangents: what was found of none stays in the sums", TANGENTS,
     [("std::fill_n(out, tangents.pairs, 0.0);", "")]),
    ("tangents: of a narrower shell in a wider one", TANGENTS,
     [("for (int s = shell; s <", "for (int s = 0; s <")]),
]

# Which data are bright (docs/method/paper.md, The brightness structure).
BRIGHT_SETS = "src/posterior/bright_set.cpp"
BRIGHT_SET_MUTANTS = [
    ("bright set: a hole ends the searches that went over it", BRIGHT_SETS,
     [("      cells_[hole] = cells_[next];\n      hole = next;", "      break;")]),
    ("bright set: a cell moves to before its search begins", BRIGHT_SETS,
     [(">= ((next - hole) & mask)", ">= 0 * ((next - hole) & mask)")]),
    ("bright set: the hole is where it was", BRIGHT_SETS,
     [("  cells_[hole] = kEmpty;", "  cells_[cell] = kEmpty;")]),
]

MUTANTS_OF = {
    "tests/mutation/exactness_probe.cpp": MUTANTS,
    "tests/family/scalars_test.cpp": SCALAR_MUTANTS,
    "tests/family/intrinsics_test.cpp": INTRINSIC_MUTANTS,
    "tests/family/automatic_bound_test.cpp": BOUND_MUTANTS,
    "tests/family/negative_binomial_test.cpp": SIZE_MUTANTS,
    "tests/family/expression_test.cpp": EXPRESSION_MUTANTS,
    "tests/posterior/predictors_test.cpp": PREDICTOR_MUTANTS,
    "tests/posterior/local_bounds_test.cpp": TANGENT_MUTANTS,
    "tests/posterior/bright_set_test.cpp": BRIGHT_SET_MUTANTS,
    "tests/posterior/grams_test.cpp": PRODUCT_MUTANTS,
    "tests/data/formula_r_test.cpp": FORMULA_MUTANTS,
    "tests/data/b_splines_test.cpp": SPLINE_MUTANTS,
    "tests/data/smooth_basis_test.cpp": SMOOTH_MUTANTS,
    "tests/data/fill_missing_test.cpp": FILL_MUTANTS,
    "tests/data/dates_test.cpp": DATE_MUTANTS,
    "tests/family/prior_test.cpp": PRIOR_MUTANTS,
    "tests/family/censored_test.cpp": CENSORED_MUTANTS,
    "tests/family/beta_binomial_test.cpp": BETA_BINOMIAL_MUTANTS,
    "tests/family/ordinal_test.cpp": ORDINAL_MUTANTS,
    "tests/groups/group_quadrature_test.cpp": GROUP_MUTANTS,
    "tests/groups/arrow_test.cpp": HELD_MUTANTS,
    "tests/groups/group_ranks_test.cpp": RANKED_MUTANTS,
    "tests/groups/level_quantiles_test.cpp": LEVEL_QUANTILE_MUTANTS,
    "tests/groups/row_numbers_test.cpp": ROW_NUMBER_MUTANTS,
    "tests/groups/group_anchor_test.cpp": GROUP_ANCHOR_MUTANTS,
    "tests/groups/all_rows_test.cpp": ALL_ROWS_MUTANTS,
    "tests/groups/group_joint_test.cpp": SHARED_MUTANTS,
    "tests/effects/average_effects_test.cpp": EFFECTS_MUTANTS,
    "tests/check/predictive_check_test.cpp": CHECK_MUTANTS,
    "tests/diagnose/class_answer_test.cpp": CLASS_ANSWER_MUTANTS,
    "tests/diagnose/order_statistics_test.cpp": COUNT_QUANTILE_MUTANTS,
    "tests/compare/loo_test.cpp": LOO_MUTANTS,
    "tests/compare/group_loo_test.cpp": GROUP_LOO_MUTANTS,
    "tests/compare/group_evidence_test.cpp": GROUP_EVIDENCE_MUTANTS,
    "tests/compare/evidence_test.cpp": EVIDENCE_MUTANTS,
    "tests/compare/dark_evidence_test.cpp": DARK_MUTANTS,
    "tests/compare/row_density_test.cpp": ROW_DENSITY_MUTANTS,
    "tests/diagnose/pareto_test.cpp": PARETO_MUTANTS,
    "tests/groups/crossed_quadrature_test.cpp": CROSSED_MUTANTS,
    "tests/groups/crossed_joint_test.cpp": SHARED_CROSSED_MUTANTS,
    "tests/groups/shared_quadrature_test.cpp": SHARED_CROSSED_MOVES,
    "tests/groups/correlated_crossed_test.cpp": CORRELATED_MUTANTS,
    "tests/groups/normal_groups_test.cpp": NORMAL_MUTANTS,
    "tests/groups/normal_crossed_test.cpp": NORMAL_CROSSED_MUTANTS,
    "tests/linear/linear_law_test.cpp": LINEAR_MUTANTS,
    "tests/chain/level_tally_test.cpp": LEVEL_MUTANTS,
}
