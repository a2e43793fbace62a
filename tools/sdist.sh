#!/usr/bin/env bash
# Builds the source package, with the dashboard pages in it, into dist/. To install it, pip needs a
# C++ compiler, CMake and the libraries of cmake/dependencies.cmake, but no Node.js.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/pages.sh
mkdir -p dist
find dist -name 'tensorwarden-*.tar.gz' ! -name '*-Linux-*' -delete
build/venv-package/bin/python -c '
from scikit_build_core.build import build_sdist
print("Source package: dist/" + build_sdist("dist"))'
