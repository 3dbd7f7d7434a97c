#!/bin/sh
# A robust regression: what does a kilometre cost, when some fares have lost their decimal point?
#     rides.sh [ROWS]     needs flymc on the PATH; leaves tables, rides-run/ and rides.html here
set -eu
python3 "$(dirname "$0")/tables.py" rides "$@"

flymc fit rides.csv --formula 'fare ~ km + minutes' --model student-t --scale infer --nu infer \
  --out rides-run/ --overwrite --quiet
# The same with normal noise: least squares.
flymc fit rides.csv --formula 'fare ~ km + minutes' --model normal \
  --out rides-normal/ --overwrite --quiet

# The answer, in words.
flymc summary rides-run/ --answers | awk '
  $1 == "km" { printf "A kilometre costs %.3f (95 %% interval %.3f to %.3f),", $2, $3, $4 }
  $1 == "minutes" { printf " a minute %.3f (%.3f to %.3f).\n", $2, $3, $4 }
  $1 == "nu" { printf "Tails are heavy: %.2f degrees of freedom (%.2f to %.2f).\n", $2, $3, $4 }'
flymc summary rides-normal/ --answers | awk '
  $1 == "km" { printf "Least squares, which believes every row: %.2f (%.2f to %.2f)", $2, $3, $4 }
  $1 == "minutes" { printf " and %.2f (%.2f to %.2f).\n", $2, $3, $4 }'

# Can it be trusted? On rows that it has not seen.
echo
flymc check rides-run/ --data rides-new.csv | grep -v '^using' | tail -n 1
flymc report rides-run/ --out rides.html
