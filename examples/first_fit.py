"""A first fit, from data to predictions. Read it top to bottom, or run it:

    make python && PYTHONPATH=build/python /usr/bin/python3 examples/first_fit.py
"""
import numpy as np

from flymc import LogisticRegression

# 1. Data: 20,000 loans with three numbers each; we know the truth because we make it up.
rng = np.random.default_rng(2024)
rows = 20_000
income = rng.normal(40, 12, size=rows)  # thousands a year
debt = rng.gamma(2.0, 5.0, size=rows)  # thousands
age = rng.uniform(20, 70, size=rows)
truth = {"(intercept)": -2.0, "income": -0.05, "debt": 0.15, "age": 0.0}
log_odds = -2.0 - 0.05 * income + 0.15 * debt
defaulted = rng.random(rows) < 1 / (1 + np.exp(-log_odds))
X = np.column_stack([income, debt, age])
print(f"{rows:,} loans, {defaulted.mean():.1%} of them defaulted\n")

# 2. Fit: draws from the exact posterior. The array is used where it lies, not copied.
model = LogisticRegression(chains=4, warmup=500, draws=500, random_state=1).fit(X, defaulted)

# 3. Look: every parameter with its uncertainty, and whether the chains can be trusted. R-hat
#    should be below 1.01 and ess_bulk, the number of independent draws these are worth, above 400.
print(model.summary())
print()
for (name, true), row in zip(truth.items(), model.summary()):
    print(f"{name:<12} true {true:6.3f}   90 % interval {row['q5']:7.4f} to {row['q95']:7.4f}")

# 4. Predict: the chance of default averages over all draws, so it knows what it does not know.
newcomers = [[25.0, 30.0, 30.0], [60.0, 5.0, 50.0]]
for person, (_, chance) in zip(newcomers, model.predict_proba(newcomers)):
    print(f"income {person[0]:.0f}, debt {person[1]:.0f}: chance of default {chance:.1%}")

# 5. Ask the draws anything: how sure are we that debt matters more, a thousand for a thousand?
alpha, b_income, b_debt, b_age = np.moveaxis(model.draws_, 2, 0)
print(f"P(|debt| > 2 |income|) = {(abs(b_debt) > 2 * abs(b_income)).mean():.3f}")

# 6. Not enough draws? Go on where the chains stopped.
model.sample_more(500)
longer = LogisticRegression(chains=4, warmup=500, draws=1000, random_state=1).fit(X, defaulted)
print(f"the same draws as one longer run: {np.array_equal(model.draws_, longer.draws_)}")
