#!/usr/bin/env bash
# Short fuzz runs of every parser, then the C++ tests under asan+ubsan, and those of parts with
# threads under tsan.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh asan
FUZZ_BUILD=build/asan fuzz/run.sh "${FUZZ_SECONDS:-15}"
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
for preset in asan tsan; do
  tools/build.sh $preset
  tools/test.py --preset $preset
done
