#!/usr/bin/env bash
# Builds wheels into dist/: one for each CPython from 3.9 to 3.11 that is installed, one for 3.12
# and newer, which any of these builds. They carry the shared libraries that they need.
#   tools/wheel.sh [PYTHON...]     with these interpreters instead
#   tools/wheel.sh --list          the interpreters: minor version and path
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/progress.sh
source tools/compiler_cache.sh
unset CC CXXFLAGS LDFLAGS
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
export CXX=/usr/bin/c++ # As CMake calls it in tools/build.sh: the compiler cache tells names apart.

# Interpreters that may be there, the distribution's own first.
candidates() {
  local root
  echo /usr/bin/python3
  for minor in {9..20}; do command -v "python3.$minor" || true; done
  if root=$(pyenv root 2>/dev/null); then printf '%s\n' "$root"/versions/3.*/bin/python3; fi
}

# Of the interpreters on stdin, one of each version that can build a module: minor version and path.
pythons() {
  local python minor
  local -A found=()
  while read -r python; do
    minor=$("$python" -I -c '
import os, sys, sysconfig
headers = os.path.exists(sysconfig.get_path("include") + "/Python.h")
free_threaded = sysconfig.get_config_var("Py_GIL_DISABLED")
if sys.implementation.name == "cpython" and headers and not free_threaded:
    print(sys.version_info[1])' 2>/dev/null) || continue
    if [[ -z $minor ]] || ((minor < 9)) || [[ -n ${found[$minor]:-} ]]; then continue; fi
    found[$minor]=$python
    echo "$minor $python"
  done | sort -n
}

if [[ ${1:-} == --list ]]; then
  candidates | pythons
  exit
fi

mkdir -p dist build
rm -rf build/wheels dist/*.whl
while read -r minor python <&3; do
  # The first of these serves all that are newer.
  if ((minor > 12)) && compgen -G 'build/wheels/*-abi3-*.whl' >/dev/null; then continue; fi
  say "Building the wheel for Python 3.$minor"
  environment=build/wheel-env-3.$minor
  if ! cmp -s tools/requirements-build.txt "$environment/.installed"; then
    rm -rf "$environment"
    "$python" -m venv "$environment"
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
      --require-hashes -r tools/requirements-build.txt
    cp tools/requirements-build.txt "$environment/.installed"
  fi
  # The compiler cache has everything but the Python module from the wheel before.
  "$environment/bin/python" -m pip wheel --quiet \
    --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/wheels \
    --config-settings=build-dir=build/wheel-parts .
done 3< <(if (($#)); then printf '%s\n' "$@"; else candidates; fi | pythons)
say "Putting the shared libraries into the wheels"
PATH=$PWD/build/venv-package/bin:$PATH build/venv-package/bin/auditwheel repair --strip \
  --wheel-dir dist build/wheels/*.whl >build/auditwheel.log 2>&1 || {
  cat build/auditwheel.log >&2
  exit 1
}
ls -sh --block-size=MB dist/*.whl
