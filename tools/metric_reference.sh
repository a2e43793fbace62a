#!/usr/bin/env bash
# Prints docs/reference/metrics.md, from what the program itself says of its metrics.
set -euo pipefail
cd "$(dirname "$0")/.."
cat <<'HEAD'
# System metrics

<!-- Made by `tools/metric_reference.sh > docs/reference/metrics.md`; edit warden/monitor/metric.cc. -->

Every figure that the monitor takes of a machine, as `warden monitor --catalogue` prints them: a line of JSON each in
`system/incremental/<hour>/<minute>.<node>.json` of a profiler's folder.
[watch-the-machine.md](../guide/watch-the-machine.md) says how to record them.

- Types `cpu`, `gpu`, `memory`, `i/o` and `network` are the original's, with its names. Other types have none of these
  words in them, because the original's statistics take every line whose type holds one for a percentage of it.
- Rates are those since the last sample; the first sample has none.
- What a machine does not have or does not tell is left out.

HEAD
"${WARDEN:-build/bin/warden}" monitor --catalogue
