#!/usr/bin/env bash
# All tests against the release build: C++ by ctest, then Python by pytest, in the environment of
# each framework those of its adapter. What they say in full is in build/test-*.log.
set -euo pipefail
cd "$(dirname "$0")/.."
ctest --test-dir build/release --output-on-failure --no-tests=error -j "$(nproc)" \
  --progress >build/test-c++.log 2>&1 || {
  grep -vE '^Test +#|^ *[0-9]+/[0-9]+ Test' build/test-c++.log >&2
  exit 1
}
echo "c++: $(grep '% tests passed' build/test-c++.log)"
export WARDEN=build/bin/warden

# suite NAME ENVIRONMENT what...: one run of pytest.
suite() {
  local log=build/test-$1.log
  "build/$2/bin/python" -m pytest -q "${@:3}" >"$log" 2>&1 || {
    cat "$log" >&2
    return 1
  }
  echo "$1: $(tail -n 1 "$log")"
}
export -f suite
echo "python: some ten minutes; how far they are: tail -f build/test-*.log"
# Two at a time, as many of them wait more than they compute; in an order that keeps both lanes
# busy to the end. All, also after a failure.
xargs -P 2 -L 1 bash -c 'suite "$@"' suite <<'SUITES'
programs venv tests/e2e tests/service
python venv --ignore=tests/e2e --ignore=tests/service --ignore=tests/dashboard
keras venv-tensorflow python/tests/keras
dashboard venv tests/dashboard
mxnet venv-mxnet python/tests/mxnet
xgboost venv-xgboost python/tests/xgboost
SUITES
