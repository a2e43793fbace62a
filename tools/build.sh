#!/usr/bin/env bash
# Configures and builds one of the presets of CMakePresets.json into build/.
#   tools/build.sh release [--tests|--configure-tests] [cmake options]
#       the program, the library and the Python module; --tests adds every test program,
#       --configure-tests only makes them known, so that one can be built
#   tools/build.sh asan|tsan|fuzz [cmake options]
#   tools/build.sh tidy     only what its compile commands need
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/progress.sh
preset=$1
shift
case $preset in
  release) targets=(warden tensorwarden _core _core_stub _s3) ;;
  fuzz) targets=(fuzzers) ;;
  tidy) targets=(CMakeFiles/warden_base.dir/cmake_pch.hxx.pch) ;;
  # Those with threads of their own, or used by several.
  tsan) targets=({base,os,storage,capture,hook,trial,monitor,timeline,actions,view_{series,metrics,timeline},http,jobs_db}_test) ;;
  *) targets=(all) ;;
esac
options=()
tests=OFF
for option in "$@"; do
  case $option in
    --tests)
      tests=ON
      targets=(all)
      ;;
    --configure-tests) tests=ON ;;
    *) options+=("$option") ;;
  esac
done
if [[ $preset == release ]]; then
  cache=build/$preset/CMakeCache.txt
  # Once turned on, tests stay configured; the targets decide what is built.
  if [[ $tests == ON ]]; then
    grep -qs '^WARDEN_TESTS:BOOL=ON' "$cache" || options+=(-DWARDEN_TESTS=ON)
  elif [[ ! -f $cache ]]; then
    options+=(-DWARDEN_TESTS=OFF)
  fi
fi
# A toolchain chosen by the environment would silently change what a preset means.
unset CXX CC CXXFLAGS LDFLAGS
source tools/compiler_cache.sh
if [[ ! -f build/$preset/build.ninja ]] || ((${#options[@]})); then
  mkdir -p build
  cmake --preset "$preset" "${options[@]}" >"build/configure-$preset.log" 2>&1 || {
    cat "build/configure-$preset.log" >&2
    exit 1
  }
fi
NINJA_STATUS='[%f/%t] ' cmake --build "build/$preset" --target "${targets[@]}" -j "${JOBS:-$(nproc)}" |
  show_progress "compiling ($preset)"
if [[ $preset == release ]]; then
  # The environments' own copies of our packages, as an installation has them.
  for environment in build/venv build/venv-{tensorflow,mxnet,xgboost,torch}; do
    [[ -x $environment/bin/python ]] || continue
    packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    rm -rf "$packages"/{tensorwarden,smdebug,smprof,smppy}
    for component in python python_sources; do
      cmake --install build/release --component $component --prefix "$packages" >build/install.log
    done
  done
fi
