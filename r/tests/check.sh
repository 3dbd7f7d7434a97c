#!/bin/sh
# check.sh R SOURCE FOLDER: R CMD build and R CMD check --as-cran --no-manual, without the network.
set -eu
rm -rf "$3"
mkdir -p "$3"
cd "$3"
"$1" CMD build "$2"
_R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=false _R_CHECK_FORCE_SUGGESTS_=false \
  "$1" CMD check --as-cran --no-manual flymc_*.tar.gz
