#!/bin/sh
# release.sh [OUT]: everything that is released, with checksums, from the sources as they are
# committed: program, .deb, wheel, R package; sources for Python and for R.
set -eu
cd "$(dirname "$0")/.."
out=${1:-dist}
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "release.sh: there are changes that are not committed." >&2
  exit 1
fi
tools/install_deps.sh release
make -s web/node_modules/uplot
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
tools/dist.sh "$out"
tools/wheel.sh "$out"
# With the library that is built already.
cmake --preset dist -DFLYMC_R=ON --log-level=WARNING
cmake --build --preset dist --target flymc_r_binary -- --quiet
mv build-dist/r-package/flymc_*.tar.gz "$out"
(cd "$out" && sha256sum -- * > SHA256SUMS && cat SHA256SUMS)
