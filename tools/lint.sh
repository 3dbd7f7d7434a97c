#!/bin/sh
# clang-tidy over our own sources and the layer check; `make lint` calls it. The compile commands are
# made for clang, in a folder of their own: gcc's have options that clang does not know.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-tidy >/dev/null || ! command -v clang++ >/dev/null; then
  echo "lint: clang is not installed (apt-get install clang clang-tidy clang-format)"
  exit 1
fi
cmake -S . -B build-lint -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DFLYMC_NATIVE=OFF \
  -DFLYMC_TESTS=OFF >/dev/null
if [ "$#" -eq 0 ]; then
  set -- $(git ls-files 'src/*.cpp' 'apps/*.cpp')
fi
printf '%s\n' "$@" | xargs -P 2 -n 3 clang-tidy -p build-lint --quiet
python3 tools/check_layers.py .
