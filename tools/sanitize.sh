#!/usr/bin/env bash
# Short fuzz runs of every parser, then the C++ tests under asan+ubsan, and those of parts with
# threads under tsan.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh asan
FUZZ_BUILD=build/asan fuzz/run.sh "${FUZZ_SECONDS:-15}"
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1

# Runs a test program and shows what it says if it fails.
run() {
  timeout 900 "$1" --gtest_brief=1 >"$1.log" 2>&1 || {
    cat "$1.log" >&2
    return 1
  }
}
export -f run
for preset in asan tsan; do
  tools/build.sh $preset
  # Whole programs, the largest first: starting one for each case takes longer than most cases do.
  mapfile -t programs < <(ls -S build/$preset/bin/*_test)
  printf '%s\n' "${programs[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run {}'
  echo "$preset: ${#programs[@]} test programs passed"
done
