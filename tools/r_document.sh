#!/usr/bin/env bash
# Writes r/NAMESPACE and the pages in r/man from the comments in r/R.
#   tools/r_document.sh [--check]    --check: fails if they are not up to date
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/r_home.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r r "$scratch/r"
R CMD INSTALL --no-docs --no-test-load --with-keep.source --library="$scratch" "$scratch/r" \
  >"$folder/install.log" 2>&1 || {
  tail -n 30 "$folder/install.log" >&2
  exit 1
}
R_LIBS=$scratch Rscript --vanilla -e "roxygen2::roxygenise('$scratch/r', load_code = 'installed')" \
  >"$folder/document.log" 2>&1 || {
  tail -n 30 "$folder/document.log" >&2
  exit 1
}
if [[ ${1:-} == --check ]]; then
  diff -r "$scratch/r/man" r/man && diff "$scratch/r/NAMESPACE" r/NAMESPACE || {
    echo "r/man or r/NAMESPACE is not up to date; run tools/r_document.sh" >&2
    exit 1
  }
else
  rm -rf r/man
  cp -r "$scratch/r/man" "$scratch/r/NAMESPACE" r/
fi
