#!/bin/sh
# Installs the Debian packages the build needs and that are not there yet; as root, or with sudo.
# `install_deps.sh check` adds those that tests are compiled with, `install_deps.sh test` all that
# tests need, `install_deps.sh docs` those of the site,
# `install_deps.sh python` those of the Python package, `install_deps.sh r` those of the R package,
# `install_deps.sh dist` what makes packages, `install_deps.sh release` what makes all of them.
set -eu

packages="g++ cmake ninja-build make python3 libeigen3-dev libcli11-dev libfmt-dev
nlohmann-json3-dev zlib1g-dev libzstd-dev libgtest-dev libgmock-dev libbenchmark-dev"
# npm brings uPlot (web/); one from elsewhere will do.
command -v npm >/dev/null || packages="$packages nodejs npm"
if [ "${1:-}" = test ] || [ "${1:-}" = python ] || [ "${1:-}" = release ]; then
  # About 150 MB installed, most of it scikit-learn (for tests alone) and what it needs.
  packages="$packages python3-dev python3-numpy python3-pytest pybind11-dev python3-sklearn"
  packages="$packages python3-setuptools python3-wheel binutils"
fi
if [ "${1:-}" = test ] || [ "${1:-}" = r ] || [ "${1:-}" = release ]; then
  packages="$packages r-base-core r-cran-cpp11 r-cran-testthat"
fi
if [ "${1:-}" = test ] || [ "${1:-}" = check ]; then
  packages="$packages libboost-dev"  # numbers of 113 bits (tests/support/real.hpp)
fi
if [ "${1:-}" = test ]; then
  packages="$packages pandoc python3-zarr python3-xarray"
  packages="$packages r-cran-mass r-cran-survival r-cran-lme4 r-cran-glmmtmb"  # known answers
  packages="$packages clang libclang-rt-dev"  # clang and its libFuzzer and sanitizers
  packages="$packages openmpi-bin libopenmpi-dev mpich libmpich-dev"  # runs over several ranks
  command -v chromium >/dev/null || packages="$packages chromium"
fi
if [ "${1:-}" = dist ] || [ "${1:-}" = release ]; then
  packages="$packages dpkg-dev binutils"
fi
if [ "${1:-}" = release ]; then
  packages="$packages pandoc r-cran-knitr r-cran-rmarkdown"  # the vignette of the R package
fi
if [ "${1:-}" = docs ]; then
  packages="$packages pandoc fonts-stix"
fi

missing=""
for package in $packages; do
  if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
    missing="$missing $package"
  fi
done
[ -z "$missing" ] && exit 0

echo "installing:$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  as_root="sudo"
fi
$as_root apt-get update -qq
# shellcheck disable=SC2086  # a list of words is meant
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
