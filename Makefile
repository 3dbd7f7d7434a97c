# Thin on purpose: everything real is in CMake. `make run` and `make test` work on a fresh Debian.
BUILD := build
# One line of progress in place on a terminal; elsewhere errors alone, not a line a file.
NINJA := $(if $(MAKE_TERMOUT),,-- --quiet)
# Warnings are errors for us (preset dev) and in CI, not for a newcomer's compiler.
WERROR := -DFLYMC_WERROR=$(if $(CI),ON,OFF)

.PHONY: run test check build install docs python r dist wheel bench bench-tall bench-groups fuzz torture nightly format lint deps test-deps clean
run: build
	$(BUILD)/flymc demo

# The program alone: a newcomer does not wait for the tests to compile.
build: deps web/node_modules/uplot
	@cmake --preset release $(WERROR) --log-level=WARNING
	cmake --build --preset release --target flymc_main $(NINJA)

# Program, library, man page and shell completions; DESTDIR is heard.
PREFIX := /usr/local
install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

# The pages of docs/ as a site that needs no network: build/site/index.html.
docs: build
	@tools/install_deps.sh docs
	python3 tools/build_docs.py $(BUILD)/flymc $(BUILD)/site

# The Python package, in build/python: PYTHONPATH=build/python python3 examples/first_fit.py
python: deps
	@tools/install_deps.sh python
	@cmake --preset release $(WERROR) -DFLYMC_PYTHON=ON --log-level=WARNING
	cmake --build --preset release --target flymc_python $(NINJA)

# The R package, in build/r-library: R_LIBS=build/r-library R
r: deps
	@tools/install_deps.sh r
	@cmake --preset release $(WERROR) -DFLYMC_R=ON --log-level=WARNING
	cmake --build --preset release --target flymc_r $(NINJA)

# What others can install without a compiler, in dist/: program and .deb; Python wheel and sources.
dist: deps web/node_modules/uplot
	@tools/install_deps.sh dist
	tools/dist.sh dist
wheel: deps web/node_modules/uplot
	@tools/install_deps.sh python
	tools/wheel.sh dist

test: test-deps build
	@cmake --preset release $(WERROR) -DFLYMC_PYTHON=ON -DFLYMC_R=ON --log-level=WARNING
	cmake --build --preset release $(NINJA)
	@cmake --preset fuzz $(WERROR) --log-level=WARNING
	cmake --build --preset fuzz $(NINJA)
	ctest --preset release --output-on-failure -j 2
	ctest --preset fuzz -j 2

# What a person runs while working: every claim that takes no long chain, in under two minutes.
check: build
	@tools/install_deps.sh check
	@cmake --preset release $(WERROR) --log-level=WARNING
	cmake --build --preset release $(NINJA)
	ctest --preset check -j 2

# Every parser, so many seconds each (`make test` gives each a few): FUZZ='csv npy' for some.
FUZZ_SECONDS := 600
fuzz: test-deps
	@cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz $(NINJA)
	tools/fuzz.sh $(FUZZ_SECONDS) $(FUZZ)

# Every malloc, write, fsync, rename and mmap of small commands fails once, and from then on: an hour.
TORTURE :=
torture: build
	cmake --build --preset release --target torture_shim
	tests/torture/torture.py build/flymc build/tests/torture/libtorture_shim.so $(TORTURE)

# Chains of models with levels against quadrature, so many iterations each (`make test`: 60,000):
# hours, on all processors. NIGHTLY_TESTS='Cases/*' for some.
NIGHTLY := 4000000
NIGHTLY_TESTS := *Quadrature*
SHARDS := $(shell nproc)
nightly: test-deps build
	@cmake --preset release $(WERROR) --log-level=WARNING
	cmake --build --preset release --target test_groups $(NINJA)
	$(BUILD)/tests/test_groups --gtest_list_tests --gtest_filter='$(NIGHTLY_TESTS)' | grep -q Quadrature
	seq 0 $$(($(SHARDS) - 1)) | xargs -P $(SHARDS) -I@ sh -c 'FLYMC_LONG=$(NIGHTLY) \
	  GTEST_TOTAL_SHARDS=$(SHARDS) GTEST_SHARD_INDEX=@ $(BUILD)/tests/test_groups \
	  --gtest_filter="$(NIGHTLY_TESTS)" --gtest_brief=1 || exit 1'  # the others go on

# Micro-benchmarks, then the tables of docs/performance.md (BENCH=--quick: a minute, page untouched).
BENCH := --page docs/performance.md
bench: deps
	cmake --preset bench
	cmake --build --preset bench
	build-bench/bench/flymc_bench
	python3 tools/bench_performance.py --build build-bench $(BENCH)

# The tables of docs/tall.md: up to 10^8 rows, and ranks against one process. 6 GB of disk.
TALL := --page docs/tall.md
bench-tall: build test-deps
	python3 tools/bench_tall.py --build $(BUILD) $(TALL)

# The tables of group effects in docs/performance.md: up to 10^7 rows, and hard shapes.
GROUPS := --page docs/performance.md
bench-groups: build
	python3 tools/bench_groups.py --build $(BUILD) $(GROUPS)

# Installs what is missing, by name, and does nothing when all is there.
deps:
	@tools/install_deps.sh

# For tests alone: a browser and what drives it, DuckDB's library, which reads Parquet, clang for the
# fuzzers, and both kinds of MPI.
test-deps: web/node_modules/playwright-core web/node_modules/@duckdb/node-bindings
	@tools/install_deps.sh test

# uPlot draws the traces of `flymc report`. Without it the build goes on, and they do not zoom.
web/node_modules/uplot: | deps
	cd web && npm ci --omit=dev || echo "npm ci failed: traces of flymc report will not zoom"
web/node_modules/playwright-core web/node_modules/@duckdb/node-bindings &: | deps
	cd web && npm ci || echo "npm ci failed: tests of the browser and of Parquet will be skipped"

format:
	git ls-files -z '*.hpp' '*.cpp' | xargs -0 clang-format -i

lint:
	git ls-files -z '*.hpp' '*.cpp' | xargs -0 clang-format --dry-run --Werror
	tools/lint.sh

clean:
	rm -rf build build-* dist
