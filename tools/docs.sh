#!/usr/bin/env bash
# Builds the documentation site into build/site: the C and C++ reference with Doxygen, the rest with
# mkdocs. Warnings are errors: a link that leads nowhere fails the build.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/doxygen
mkdir -p build/doxygen
doxygen docs/api/Doxyfile
# mkdocs-material prints an announcement on every build.
NO_MKDOCS_2_WARNING=1 build/venv-docs/bin/mkdocs build --strict --quiet
echo "docs: build/site/index.html"
