#!/bin/sh
# needed_glibc.sh FILE: the version of the C library that a program or module needs, as 2.36. Fails
# where it needs any other library than those of the C library.
set -eu
others=$(objdump -p "$1" | awk '/NEEDED/ {print $2}' | grep -v -E '^((libc|libm|libpthread|libdl)\.so|ld-linux)' || true)
if [ -n "$others" ]; then
  echo "$1 needs more than the C library:" $others >&2
  exit 1
fi
objdump -T "$1" | grep -o -E 'GLIBC_[0-9.]+' | sort -u -V | tail -n 1 | cut -d_ -f2
