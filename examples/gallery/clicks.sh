#!/bin/sh
# Clicks with group effects: what do device and place do, and how much do campaigns differ?
#     clicks.sh [ROWS]     needs flymc on the PATH; leaves tables, clicks-run/ and clicks.html here
set -eu
python3 "$(dirname "$0")/tables.py" clicks "$@"

flymc fit clicks.csv --formula 'clicked ~ device + place + (1 | campaign)' --categorical device \
  --out clicks-run/ --overwrite --quiet

# The answer, in words.
flymc summary clicks-run/ --answers --exp | awk '
  $1 == "device=phone" {
    printf "On a phone the odds of a click are %.2f times those on a desktop", $2
    printf " (95 %% interval %.2f to %.2f).\n", $3, $4
  }
  $1 == "place" {
    printf "A place further down makes them %.2f times as large (%.2f to %.2f).\n", $2, $3, $4
  }'
flymc summary clicks-run/ --answers --all | awk '
  $1 == "sd.campaign" {
    printf "Campaigns differ by %.2f in the log odds", $2
    printf " (standard deviation, %.2f to %.2f).\n", $3, $4
  }
  /^u\.campaign/ && (best == "" || $2 > most) {
    best = substr($1, 12, 4); most = $2; low = exp($3); high = exp($4)
  }
  END { printf "The best is %s: %.1f to %.1f times the odds of a usual one.\n", best, low, high }'

# Can it be trusted? On rows that it has not seen.
echo
flymc check clicks-run/ --data clicks-new.csv | grep -v '^using' | tail -n 1
flymc report clicks-run/ --out clicks.html
