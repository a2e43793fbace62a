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
# Those that run whole programs wait more than they compute: the others fill the time.
build/venv/bin/python -m pytest -q tests/e2e tests/service tests/dashboard \
  >build/test-e2e.log 2>&1 &
e2e=$!
trap 'kill $e2e 2>/dev/null || true' EXIT
build/venv/bin/python -m pytest -q --ignore=tests/e2e --ignore=tests/service \
  --ignore=tests/dashboard
for tests in tensorflow:keras mxnet:mxnet xgboost:xgboost; do
  echo "${tests%:*}:"
  "build/venv-${tests%:*}/bin/python" -m pytest -q "python/tests/${tests#*:}"
done
wait $e2e || {
  cat build/test-e2e.log >&2
  exit 1
}
trap - EXIT
echo "whole programs:"
tail -n 1 build/test-e2e.log
