#!/usr/bin/env bash
# Checks the types of the Python packages: tools/typecheck.sh [STUB]
# STUB is the stub of the extension module, which `make` generates.
set -euo pipefail
cd "$(dirname "$0")/.."
mypy=$PWD/build/venv-lint/bin/mypy
[[ -x $mypy ]] || mypy=mypy
stub=${1:-build/release/python/_core.pyi}
if [[ ! -f $stub ]]; then
  echo "cannot open $stub: run 'make' first" >&2
  exit 2
fi

# mypy expects the stub next to the sources, so it checks a folder of links to them.
folder=build/typecheck
rm -rf $folder
mkdir -p $folder
cp -rs "$PWD"/python/{tensorwarden,smdebug,smprof,smppy} $folder
python3 python/generate_names.py $folder
cp "$stub" $folder/tensorwarden/_core.pyi
cd $folder
"$mypy" --config-file ../../mypy.ini --cache-dir ../mypy . | sed -E 's|^([a-z]+/)|python/\1|'
