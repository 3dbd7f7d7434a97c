#!/bin/sh
# run.sh R LIBRARY FLYMC: the tests of the installed package, against the program too.
set -eu
cd "$(dirname "$0")"
export R_LIBS="$2" FLYMC_BINARY="$3" FLYMC_DOCS="$PWD/../../docs"
exec "$1" --vanilla --slave -e 'library(flymc); testthat::test_dir("testthat", reporter = "summary", stop_on_failure = TRUE)'
