#!/usr/bin/env bash
# Builds the Python package as pip does, installs it into an environment of its own and uses it there.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/dist build/venv-wheel
unset CC CXXFLAGS LDFLAGS
source tools/compiler_cache.sh
export CXX=/usr/bin/c++ # As CMake calls it in tools/build.sh: by another name it would be another.
build/venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --no-build-isolation --wheel-dir build/dist .
/usr/bin/python3 -m venv --system-site-packages build/venv-wheel
build/venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
  build/dist/*.whl
# Away from the sources, so that nothing of them can help.
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cp examples/vanishing/train.py "$away/train_torch.py"
cp examples/xgboost/train.py "$away/train_xgboost.py"
environment=$PWD/build/venv-wheel/bin
(
  cd "$away"
  for framework in torch xgboost; do
    "$environment/warden" run --out "$framework" -- "$environment/python" "train_$framework.py" \
      >/dev/null
  done
  test -s xgboost/rule-output/CreateXgboostReport/xgboost_report.html
  "$environment/python" - <<'PYTHON'
from importlib.metadata import files

from smdebug.trials import create_trial

names = {path.name for path in files("tensorwarden")}
assert {"py.typed", "_core.pyi", "warden"} <= names, names
assert create_trial("torch").tensor_names(collection="gradients"), "no gradients were captured"
assert create_trial("xgboost").tensor_names(collection="metrics"), "no metrics were captured"
PYTHON
)
echo "wheel: $(basename build/dist/*.whl) works"
