#!/usr/bin/env bash
# R CMD build and R CMD check --as-cran of the R package; fails on errors and warnings. Notes are
# explained in r/README.md. Needs the release build; takes about a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/r_home.sh
tools/r_document.sh --check
root=$PWD
cd "$folder"
rm -rf sagemaker.debugger_*.tar.gz sagemaker.debugger.Rcheck
R CMD build "$root/r" >build.log 2>&1 || {
  tail -n 30 build.log >&2
  exit 1
}
# No server is asked, of CRAN or for the time. The manual as PDF would need LaTeX.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false
R CMD check --as-cran --no-manual sagemaker.debugger_*.tar.gz >check.log 2>&1 || true
grep -E -A12 '\.\.\. (NOTE|WARNING|ERROR)' check.log || true
status=$(tail -n 8 check.log | grep '^Status:' || true)
echo "R CMD check: ${status:-no status}"
[[ $status == Status:* && $status != *WARNING* && $status != *ERROR* ]]
