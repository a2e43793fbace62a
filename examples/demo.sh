#!/usr/bin/env bash
# Trains a network that does not learn, under watch, and looks into why.
set -euo pipefail
cd "$(dirname "$0")/.."
run=build/demo/vanishing

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

rm -rf "$run"
PATH=$PWD/build/bin:$PWD/build/venv/bin:$PATH
show warden run --verbose --out "$run" -- python examples/vanishing/train.py
show warden trial ls "$run"
show warden trial tensors "$run" --collection gradients
# The gradient of the last layer, and what is left of it at the first.
show warden trial show "$run" gradient/Sequential_18.weight --stats
show warden trial show "$run" gradient/Sequential_0.weight --stats
show warden trial verify "$run"
