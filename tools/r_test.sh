#!/usr/bin/env bash
# Installs the R package into build/r/library and runs its tests against the release build.
#   tools/r_test.sh [FILTER]    FILTER: only test files whose names match
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/r_home.sh
R CMD INSTALL --preclean --clean --no-docs --no-test-load --library="$R_LIBS" r >"$folder/install.log" 2>&1 || {
  tail -n 30 "$folder/install.log" >&2
  exit 1
}
export WARDEN=$PWD/build/bin/warden
export WARDEN_JOB_PYTHON=$PWD/build/venv/bin/python
export WARDEN_SDK_PYTHON=$PWD/build/venv-sagemaker/bin/python
export WARDEN_GUIDE=$PWD/docs/guide/use-from-r.md
export NOT_CRAN=true
filter=${1:+"'$1'"}
Rscript --vanilla -e "testthat::test_dir('r/tests/testthat', package = 'sagemaker.debugger',
  load_package = 'installed', filter = ${filter:-NULL}, reporter = 'check')"
