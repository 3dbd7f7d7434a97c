#!/bin/sh
# check.sh R SOURCE FOLDER: R CMD build and R CMD check --as-cran --no-manual, without the network.
# Where knitr or rmarkdown is not installed the package is checked without its vignette.
set -eu
rm -rf "$3"
mkdir -p "$3"
cd "$3"
cp -r "$2" source
if ! "$1" --vanilla --slave -e 'library(knitr); library(rmarkdown)' >/dev/null 2>&1; then
  echo "knitr or rmarkdown is not installed: the vignette is left out"
  rm -r source/vignettes
  sed -i '/^VignetteBuilder/d' source/DESCRIPTION
fi
"$1" CMD build source
_R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=false _R_CHECK_FORCE_SUGGESTS_=false \
  "$1" CMD check --as-cran --no-manual flymc_*.tar.gz
