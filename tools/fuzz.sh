#!/bin/sh
# fuzz.sh SECONDS [PARSER...]: runs the fuzzers of build-fuzz/, two at a time. What they learn is
# kept in build-fuzz/found/PARSER/; an input that breaks a parser is build-fuzz/PARSER-crash-HASH.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
if [ "$#" -eq 0 ]; then
  set -- $(ls tests/fuzz/corpus)
fi
# Leaks are not looked for: with ptrace forbidden or slow, that takes longer than the run.
export ASAN_OPTIONS=detect_leaks=0
printf '%s\n' "$@" | xargs -P 2 -I PARSER sh -c "mkdir -p build-fuzz/found/PARSER &&
  build-fuzz/tests/fuzz/fuzz_PARSER -max_total_time=$seconds -rss_limit_mb=1024 \
    -malloc_limit_mb=512 -timeout=60 -max_len=4096 -artifact_prefix=build-fuzz/PARSER- \
    build-fuzz/found/PARSER tests/fuzz/corpus/PARSER >build-fuzz/PARSER.log 2>&1 &&
  echo PARSER: \$(grep DONE build-fuzz/PARSER.log) ||
  { echo PARSER: failed, see build-fuzz/PARSER.log; exit 1; }"
