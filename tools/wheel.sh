#!/usr/bin/env bash
# Builds the Python package as pip does, installs it into an environment of its own and uses it there.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/dist build/venv-wheel
unset CC CXXFLAGS LDFLAGS
# As tools/build.sh, and by the same name of the compiler: what that has compiled serves here too.
export CXX=/usr/bin/c++ CCACHE_NOHASHDIR=1
build/venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --no-build-isolation --wheel-dir build/dist .
/usr/bin/python3 -m venv --system-site-packages build/venv-wheel
build/venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
  build/dist/*.whl
run=build/dist/run
build/venv-wheel/bin/warden run --out "$run" -- \
  build/venv-wheel/bin/python examples/vanishing/train.py >/dev/null
build/venv-wheel/bin/python - "$run" <<'PYTHON'
import sys
from importlib.metadata import files

from smdebug.trials import create_trial

names = {path.name for path in files("tensorwarden")}
assert {"py.typed", "_core.pyi", "warden"} <= names, names
trial = create_trial(sys.argv[1])
assert trial.tensor_names(collection="gradients"), "no gradients were captured"
PYTHON
echo "wheel: $(basename build/dist/*.whl) works"
