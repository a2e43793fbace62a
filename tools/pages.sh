#!/usr/bin/env bash
# Bundles the dashboard pages into web/dist, for builds on machines without Node.js.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ! -x web/node_modules/.bin/vite ]]; then
  (cd web && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
fi
# Not in place: a bundle that fails would leave half of the pages.
rm -rf build/pages
cmake -DOUT=build/pages -P cmake/bundle_pages.cmake
rm -rf web/dist
mv build/pages web/dist
echo "Pages: web/dist, $(du -sk web/dist | cut -f1) kB"
