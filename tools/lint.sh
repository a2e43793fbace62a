#!/usr/bin/env bash
# Everything that can be said about the sources without running them.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t sources < <(git ls-files -co --exclude-standard '*.h' '*.cc')
clang-format-19 --dry-run --Werror "${sources[@]}"
build/venv/bin/ruff check --quiet .
build/venv/bin/ruff format --check --quiet .
python3 tools/check_layers.py
tools/build.sh asan # clang's own view of the flags, for clang-tidy
run-clang-tidy-19 -quiet -p build/asan -j "$(nproc)" "$PWD/(warden|tests|examples)/.*\.cc$" \
  >build/tidy.log 2>&1 || {
  grep -E -A6 '(warning|error):' build/tidy.log >&2
  exit 1
}
echo "lint: clean"
