#!/usr/bin/env bash
# Trains a network that cannot learn. A rule finds out why and stops the training; the findings and
# a profiling report are saved with the run, and the dashboard shows them until you press Ctrl-C.
#   examples/demo.sh [--no-serve]
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  '' | --no-serve) ;;
  *)
    echo "demo: unknown option '$1'; expected --no-serve" >&2
    exit 2
    ;;
esac
run=build/demo/vanishing
found=3 # The exit code when a rule found a problem.

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

expect_found() {
  local code=0
  show "$@" || code=$?
  [ "$code" = "$found" ] || {
    echo "demo: expected exit code $found, got $code" >&2
    exit 1
  }
}

rm -rf "$run"
PATH=$PWD/build/bin:$PWD/build/venv/bin:$PATH
expect_found warden run --out "$run" --stop-on any -- python examples/vanishing/train.py
# The gradient of the last layer, and how little of it reaches the first.
show warden trial show "$run" gradient/Sequential_18.weight --stats
show warden trial show "$run" gradient/Sequential_0.weight --stats
# The same rules on the finished run.
expect_found warden eval "$run"

page=$(find "$run/rule-output" -name profiler-report.html)
[ -n "$page" ] || {
  echo "demo: the profiling report was not written" >&2
  exit 1
}
printf '\nFindings:  %s\n' "$run/rule-output/GradientFlow/firings.jsonl"

[ "${1:-}" = --no-serve ] && exit
# Any free port, and a separate folder for the service.
served=build/demo/serve.json
rm -f "$served"
printf '\n$ warden serve --data build/demo/service --runs build/demo\n'
warden serve --data build/demo/service --runs build/demo --listen 127.0.0.1:0 --json >"$served" &
service=$!
trap 'kill $service 2>/dev/null || true' EXIT
trap 'exit 0' INT TERM
until [ -s "$served" ]; do
  kill -0 $service
  sleep 0.1
done
address=$(python -c 'import json; print(json.load(open("build/demo/serve.json"))["dashboard"])')
printf '\nDashboard:  %s#/login?token=%s\n\nPress Ctrl-C to stop.\n' "$address" "$(cat build/demo/service/token)"
wait $service
