#!/bin/sh
# wheel.sh OUT: the Python package as a wheel without a dependency but NumPy and the C library, whose
# version is in its name (PEP 600), and as sources; built in build-dist.
set -eu
out=$1
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FLYMC_BUILD_FOLDER="$PWD/build-dist"
export FLYMC_CMAKE_ARGS="--preset dist --log-level=WARNING"
"$python" setup.py -q build -b "$work/build" egg_info -e "$work"
module=$(find "$work/build" -name '_flymc*.so')
strip --strip-unneeded "$module"
platform=manylinux_$(tools/needed_glibc.sh "$module" | tr . _)_$(uname -m)
mkdir -p "$out"
"$python" setup.py -q build -b "$work/build" egg_info -e "$work" \
  bdist_wheel --skip-build -p "$platform" -b "$work/wheel" -d "$out"
"$python" setup.py -q egg_info -e "$work" sdist -d "$out"
ls "$out"/flymc-*.whl "$out"/flymc-*.tar.gz
