#!/usr/bin/env bash
# Measures what the project promises and prints one table; see bench/README.md.
#   bench/run.sh [--quick] [--markdown] [--dir FOLDER] [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/report.py "$@"
