#!/usr/bin/env bash
# Run by cibuildwheel in its manylinux_2_28 image (AlmaLinux 8) before wheels are built. That distribution
# has the libraries of the operating system; the C++ libraries are absent or too old there, so they are
# built here, in the versions that Debian 12 has.
set -euo pipefail
dnf install -y --setopt=install_weak_deps=False \
  libcurl-devel openssl-devel pcre2-devel sqlite-devel zlib-devel
prefix=/opt/tensorwarden-libraries
pip=/opt/python/cp312-cp312/bin/pip
"$pip" install 'cmake>=3.26.1,<4' ninja
export PATH=/opt/python/cp312-cp312/bin:$PATH CMAKE_PREFIX_PATH=$prefix

# library OWNER/NAME TAG [cmake options]
library() {
  local source=/tmp/${1##*/}
  git clone --quiet --depth 1 --branch "$2" --recurse-submodules --shallow-submodules \
    "https://github.com/$1" "$source"
  cmake -S "$source" -B "$source/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF \
    "${@:3}"
  cmake --build "$source/build"
  cmake --install "$source/build"
  rm -rf "$source"
}
library fmtlib/fmt 9.1.0 -DFMT_TEST=OFF -DFMT_DOC=OFF
library gabime/spdlog v1.10.0 -DSPDLOG_FMT_EXTERNAL=ON -DSPDLOG_BUILD_EXAMPLE=OFF
library nlohmann/json v3.11.2 -DJSON_BuildTests=OFF
library simdjson/simdjson v3.0.1 -DSIMDJSON_DEVELOPER_MODE=OFF
library google/highway 1.0.3 -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
library CLIUtils/CLI11 v2.1.2 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
git clone --quiet --depth 1 --branch 3.4.0 https://gitlab.com/libeigen/eigen /tmp/eigen
cmake -S /tmp/eigen -B /tmp/eigen/build -DCMAKE_INSTALL_PREFIX="$prefix" -DBUILD_TESTING=OFF \
  -DEIGEN_BUILD_DOC=OFF
cmake --install /tmp/eigen/build
# Headers alone are used of Boost.
git clone --quiet --depth 1 --branch boost-1.74.0 --recurse-submodules --shallow-submodules \
  https://github.com/boostorg/boost /tmp/boost
(cd /tmp/boost && ./bootstrap.sh && ./b2 headers && ./b2 install --with-headers --prefix="$prefix")
rm -rf /tmp/eigen /tmp/boost
