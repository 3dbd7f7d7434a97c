#!/bin/sh
# run.sh PYTHON PACKAGE_FOLDER FLYMC: the tests of the package, or 77 (skipped) without pytest.
set -eu
if ! "$1" -c 'import pytest' 2>/dev/null; then
  echo "skipped: pytest is not installed (python3-pytest)"
  exit 77
fi
cd "$(dirname "$0")"
export PYTHONPATH="$2" FLYMC_BINARY="$3" PYTHONDONTWRITEBYTECODE=1
exec "$1" -m pytest -q -p no:cacheprovider .
