#!/usr/bin/env bash
# Short fuzz runs of every parser, then the whole C++ suite under two pairs of sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh fuzz
fuzz/run.sh "${FUZZ_SECONDS:-15}"
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
for preset in asan tsan; do
  tools/build.sh $preset
  ctest --test-dir build/$preset --output-on-failure --no-tests=error -j "$(nproc)" \
    >build/ctest-$preset.log 2>&1 || {
    grep -vE '^ *[0-9]+/[0-9]+ Test' "build/ctest-$preset.log" >&2
    exit 1
  }
  echo "$preset:"
  tail -n 4 build/ctest-$preset.log
done
