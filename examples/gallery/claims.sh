#!/bin/sh
# Counts with exposure and overdispersion: who has more claims in a year of insurance?
#     claims.sh [ROWS]     needs flymc on the PATH; leaves tables, claims-run/ and claims.html here
set -eu
python3 "$(dirname "$0")/tables.py" claims "$@"

flymc fit claims.csv --formula 'claims ~ area + age' --categorical area --offset log_years \
  --model negative-binomial --size infer --out claims-run/ --overwrite --quiet

# The answer, in words.
flymc summary claims-run/ --answers --exp --contrast '10*age' | awk '
  $1 == "area=town" {
    printf "In town a year brings %.2f times as many claims as in the country", $2
    printf " (95 %% interval %.2f to %.2f).\n", $3, $4
  }
  $1 == "10*age" {
    printf "Ten years of age more: %.2f times as many (%.2f to %.2f).\n", $2, $3, $4
  }'
flymc summary claims-run/ --answers | awk '
  $1 == "size" {
    printf "Counts scatter more than chance alone: size %.2f (%.2f to %.2f),", $2, $3, $4
    printf " so that a mean of 1 has a variance of %.2f.\n", 1 + 1 / $2
  }'

# Can it be trusted? On rows that it has not seen.
echo
flymc check claims-run/ --data claims-new.csv | grep -v '^using' | tail -n 1
flymc report claims-run/ --out claims.html
