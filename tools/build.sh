#!/usr/bin/env bash
# Configures and builds one of the presets of CMakePresets.json into build/.
#   tools/build.sh release|asan|tsan|fuzz [cmake options]
#   tools/build.sh tidy           only what its compile commands need: the common headers
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
# A toolchain chosen by the environment would silently change what a preset means.
unset CXX CC CXXFLAGS LDFLAGS
source tools/compiler_cache.sh
if [[ ! -f build/$preset/build.ninja || $# -gt 0 ]]; then
  mkdir -p build
  cmake --preset "$preset" "$@" >"build/configure-$preset.log" 2>&1 || {
    cat "build/configure-$preset.log" >&2
    exit 1
  }
fi
targets=(all)
case $preset in
  fuzz) targets=(fuzzers) ;;
  tidy) targets=(CMakeFiles/warden_base.dir/cmake_pch.hxx.pch) ;;
  # Those with threads of their own, or used by several.
  tsan) targets=({base,storage,capture,hook,trial,monitor,timeline,actions,view_{series,metrics,timeline},service_{http,db}}_test) ;;
esac
cmake --build "build/$preset" --target "${targets[@]}" -j "${JOBS:-$(nproc)}" -- --quiet
if [[ $preset == release ]]; then
  # The environments' own copies of our packages, as an installation has them.
  for environment in build/venv build/venv-{tensorflow,mxnet,xgboost}; do
    packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    rm -rf "$packages"/{tensorwarden,smdebug,smprof,smppy}
    for component in python python_sources; do
      cmake --install build/release --component $component --prefix "$packages" >build/install.log
    done
  done
fi
