#!/usr/bin/env bash
# Installs what make wheel, make sdist and make package have put into dist/, each into a place that
# has nothing else of ours, and uses it there. Parts that run in a bare Debian need root.
#   tools/test_packages.sh [options of pytest]
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/compiler_cache.sh
# Tests have homes of their own.
CCACHE_DIR=$(ccache --get-config cache_dir)
export CCACHE_DIR CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
WARDEN_PACKAGES=1 build/venv-package/bin/python -m pytest -q --confcutdir=tests/packages \
  -p no:cacheprovider -o pythonpath=tests --durations=5 --durations-min=10 tests/packages "$@"
