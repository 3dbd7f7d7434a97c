#!/bin/sh
# dist.sh OUT: the program as a .tar.gz that runs where it is unpacked and as a .deb, in OUT, built in
# build-dist. Says which C library they need: nothing else of the system is.
set -eu
out=$1
cd "$(dirname "$0")/.."
newer=
if [ "$(uname -m)" = x86_64 ]; then
  cmake --preset dist-x86-64-v3 --log-level=WARNING
  cmake --build --preset dist-x86-64-v3 --target flymc_main flymc_deb
  newer=$PWD/build-dist-x86-64-v3
fi
cmake --preset dist -DFLYMC_FOR_PROCESSOR="$newer" --log-level=WARNING
cmake --build --preset dist --target flymc_main flymc_deb
mkdir -p "$out"
rm -f build-dist/flymc-*.tar.gz build-dist/flymc_*.deb
(cd build-dist && cpack) | grep -i -E 'error|warning' || true
mv build-dist/flymc-*.tar.gz build-dist/flymc_*.deb "$out"
echo "$out: needs glibc $(tools/needed_glibc.sh build-dist/flymc) or later"
