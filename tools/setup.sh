#!/usr/bin/env bash
# Installs what is missing for the given purposes (see packages.txt): system packages, then the
# Python environments under build/ and the packages of web/. Quick when nothing is missing. Without
# root it says what to install and stops.
#   tools/setup.sh build [check]
set -euo pipefail
cd "$(dirname "$0")/.."

purposes="$*"
wanted=()
while read -r purpose package; do
  [[ " $purposes " == *" $purpose "* ]] && wanted+=("$package")
done < <(grep -v '^#' tools/packages.txt)

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done

# Node.js often comes from elsewhere; Debian's packages would take its place.
command -v npm >/dev/null || missing+=(nodejs npm)

if ((${#missing[@]})); then
  install=(apt-get install -y --no-install-recommends "${missing[@]}")
  if ((EUID == 0)); then
    as_root=(env DEBIAN_FRONTEND=noninteractive)
  elif sudo -n true 2>/dev/null; then
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
  else
    echo "These Debian packages are missing; install them and run make again:" >&2
    echo "  sudo ${install[*]}" >&2
    exit 1
  fi
  echo "Installing ${missing[*]}"
  # The list of packages may be absent or old on a fresh machine.
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" "${install[@]}" >build-setup.log 2>&1 || {
    tail -n 30 build-setup.log >&2
    exit 1
  }
  rm -f build-setup.log
fi

# environment NAME REQUIREMENTS: a virtual environment on the system's Python, made anew when its
# requirements change.
environment() {
  local folder=build/$1 requirements=$2
  local stamp=$folder/.installed
  if [[ -f $stamp ]] && cmp -s "$requirements" "$stamp"; then return; fi
  echo "Making the Python environment $folder"
  rm -rf "$folder"
  /usr/bin/python3 -m venv ${3:-} "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check wheel
  # Packages of the system may want other versions than ours; they are not run from here.
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-conflicts \
    -r "$requirements"
  cp "$requirements" "$stamp"
}

making=()
environment venv tools/requirements.txt --system-site-packages &
making+=($!)
environment venv-smdebug tools/requirements-smdebug.txt &
making+=($!)
# Frameworks that do not go together with the distribution's NumPy, or with each other, and the
# cloud's own clients.
for framework in tensorflow mxnet xgboost sagemaker; do
  environment "venv-$framework" "tools/requirements-$framework.txt" &
  making+=($!)
done
if [[ " $purposes " == *" bench "* ]]; then
  # The original beside the distribution's PyTorch.
  environment venv-smdebug-torch tools/requirements-smdebug.txt --system-site-packages &
  making+=($!)
fi
# What pages are made with, made anew when the lock file changes.
web() {
  local stamp=web/node_modules/.installed
  if [[ -f $stamp ]] && cmp -s web/package-lock.json "$stamp"; then return; fi
  echo "Installing what the pages are made with"
  (cd web && npm ci --loglevel=error --no-audit --no-fund --ignore-scripts)
  cp web/package-lock.json "$stamp"
}
web &
making+=($!)
for one in "${making[@]}"; do wait "$one"; done
