#!/usr/bin/env bash
# Everything that can be checked in the sources without running them.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/progress.sh
say "Checking formatting, words, layers and types"
mapfile -t sources < <(git ls-files -co --exclude-standard '*.h' '*.cc')
clang-format-19 --dry-run --Werror "${sources[@]}"
build/venv-lint/bin/ruff check --quiet .
build/venv-lint/bin/ruff format --check --quiet .
python3 tools/check_words.py
python3 tools/check_layers.py
(cd web && npm run --silent check)
tools/build.sh release # Type checking needs the stub of the Python module.
tools/typecheck.sh
say "Checking the R package"
tools/r_check.sh
say "Running clang-tidy"
tools/build.sh tidy
plugin=build/tidy/own_code.so
if [[ tools/tidy/own_code.cc -nt $plugin ]]; then
  clang++-19 -std=c++20 -shared -fPIC -fno-rtti -isystem "$(llvm-config-19 --includedir)" \
    tools/tidy/own_code.cc -o $plugin
fi
tools/tidy.py
echo "lint: clean"
