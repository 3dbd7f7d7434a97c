#!/bin/sh
# Survival with right censoring: how much longer do pumps with a steel seal last?
#     pumps.sh [ROWS]     needs flymc on the PATH; leaves tables, pumps-run/ and pumps.html here
set -eu
python3 "$(dirname "$0")/tables.py" pumps "$@"

flymc fit pumps.csv --formula 'weeks ~ seal + load' --categorical seal --censored censored \
  --model weibull --out pumps-run/ --overwrite --quiet
# The same as if all were broken.
flymc fit pumps.csv --formula 'weeks ~ seal + load' --categorical seal \
  --model weibull --out pumps-naive/ --overwrite --quiet

# The answer, in words.
flymc summary pumps-run/ --answers --exp --contrast '10*load' | awk '
  $1 == "seal=steel" {
    printf "With a steel seal a pump lasts %.2f times as long as with one of rubber", $2
    printf " (95 %% interval %.2f to %.2f).\n", $3, $4
  }
  $1 == "10*load" {
    printf "Ten points more load: %.2f times as long (%.2f to %.2f).\n", $2, $3, $4
  }'
flymc summary pumps-run/ --answers | awk '
  $1 == "shape" {
    printf "They wear out: the shape is %.2f (%.2f to %.2f), above 1.\n", $2, $3, $4
  }'
flymc summary pumps-naive/ --answers --exp | awk '
  $1 == "seal=steel" {
    printf "Were those that still run taken for broken, steel would seem to last"
    printf " %.2f times as long.\n", $2
  }'

# Can it be trusted? On rows that it has not seen.
echo
flymc check pumps-run/ --data pumps-new.csv | grep -v '^using' | tail -n 1
flymc report pumps-run/ --out pumps.html
