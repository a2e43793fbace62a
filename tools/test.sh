#!/usr/bin/env bash
# All tests against the release build: C++ by ctest, then Python by pytest, in the environment of
# each framework those of its adapter.
set -euo pipefail
cd "$(dirname "$0")/.."
ctest --test-dir build/release --output-on-failure --no-tests=error -j "$(nproc)" \
  --progress >build/ctest.log 2>&1 || {
  grep -vE '^Test +#|^ *[0-9]+/[0-9]+ Test' build/ctest.log >&2
  exit 1
}
tail -n 4 build/ctest.log
export WARDEN=build/bin/warden
frameworks() {
  local tests
  for tests in tensorflow:keras mxnet:mxnet xgboost:xgboost; do
    echo "${tests%:*}:"
    "build/venv-${tests%:*}/bin/python" -m pytest -q "python/tests/${tests#*:}" || return 1
  done
}
frameworks >build/test-frameworks.log 2>&1 &
others=$!
build/venv/bin/python -m pytest -q
wait $others || {
  cat build/test-frameworks.log >&2
  exit 1
}
grep -E '^[a-z]+:$|^[0-9]+ passed' build/test-frameworks.log
