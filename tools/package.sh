#!/usr/bin/env bash
# Builds the tarball and the Debian package from build/release into dist/. The tarball carries the
# shared libraries that it needs; the Debian package depends on those of the distribution.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p dist
rm -f dist/tensorwarden-*-Linux-*.tar.gz dist/*.deb
for generator in TGZ DEB; do
  (cd build/release && cpack -G "$generator" -B "$PWD/../cpack" >../cpack.log 2>&1) || {
    cat build/cpack.log >&2
    exit 1
  }
done
mv build/cpack/tensorwarden-*.tar.gz build/cpack/*.deb dist/
rm -rf build/cpack
ls -sh --block-size=MB dist/tensorwarden-*-Linux-*.tar.gz dist/*.deb
