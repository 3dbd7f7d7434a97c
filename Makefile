# Thin on purpose: everything real is in CMake. `make run` and `make test` work on a fresh Debian.
BUILD := build

.PHONY: run test build bench format lint deps clean
run: build
	$(BUILD)/flymc demo

# The program alone: a newcomer does not wait for the tests to compile.
build: deps
	cmake --preset release
	cmake --build --preset release --target flymc_main

test: build
	cmake --build --preset release
	ctest --preset release --output-on-failure -j 2

# Micro-benchmarks, then the tables of docs/performance.md (BENCH=--quick: a minute, page untouched).
BENCH := --page docs/performance.md
bench: deps
	cmake --preset bench
	cmake --build --preset bench
	build-bench/bench/flymc_bench
	python3 tools/bench_performance.py --build build-bench $(BENCH)

# Installs what is missing, by name, and does nothing when all is there.
deps:
	@tools/install_deps.sh

format:
	git ls-files -z '*.hpp' '*.cpp' | xargs -0 clang-format -i

lint:
	git ls-files -z '*.hpp' '*.cpp' | xargs -0 clang-format --dry-run --Werror
	tools/lint.sh

clean:
	rm -rf build build-*
