#!/usr/bin/env bash
# Installs what make wheel, make sdist and make package have put into dist/, each into a place that has
# nothing else of ours, and uses it there. Needs root for the parts that run in a bare Debian.
#   tools/test_packages.sh [options of pytest]
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/compiler_cache.sh
WARDEN_PACKAGES=1 build/venv-package/bin/python -m pytest -q --confcutdir=tests/packages \
  -p no:cacheprovider --durations=5 --durations-min=10 tests/packages "$@"
