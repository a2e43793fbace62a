#!/usr/bin/env bash
# Trains a small network under watch and looks into what was recorded.
set -euo pipefail
cd "$(dirname "$0")/.."
run=build/demo/spiral

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

rm -rf "$run"
PATH=$PWD/build/bin:$PATH
show train_spiral "$run" 2000
show warden trial ls "$run"
show warden trial tensors "$run"
show warden trial show "$run" gradient/fc1.weight --histogram
show warden trial show "$run" Loss_output_0 --stats
show warden trial verify "$run"
