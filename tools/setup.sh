#!/usr/bin/env bash
# Installs what is missing for the given purposes: Debian packages (tools/packages.txt), Python
# environments and an S3 server under build/, the packages of web/. Takes a moment when nothing is
# missing. Without root it prints the command to run and stops.
#   tools/setup.sh [--along|--packages] build [demo] [test] [check] [docs] [package] [bench] [corpus] [web] [--later PURPOSE...]
# --along: it runs beside something that shows its progress, so it shows none itself
# --packages: only the Debian packages; a further call, beside the compiler, does the rest
# --later: a further call follows for these; without root their packages are printed already now
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/progress.sh
if [[ ${1:-} == --along ]]; then
  shift
  show_progress() { cat >/dev/null; }
fi
only_packages=false
if [[ ${1:-} == --packages ]]; then
  shift
  only_packages=true
fi

if ((EUID == 0)); then
  as_root=(env DEBIAN_FRONTEND=noninteractive)
elif sudo -n true 2>/dev/null; then
  as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
else
  as_root=()
fi

purposes=' '
for purpose in "$@"; do
  case $purpose in
    # Who must install packages by hand does it once.
    --later) if ((${#as_root[@]})); then break; fi ;;
    build | demo | test | check | docs | package | bench | corpus | web) purposes+="$purpose " ;;
    *)
      echo "setup: unknown purpose '$purpose'; expected build, demo, test, check, docs, package, bench, corpus, web" >&2
      exit 2
      ;;
  esac
done
needs() { [[ $purposes == *" $1 "* ]]; }

wanted=()
while read -r purpose package; do
  if needs "$purpose"; then wanted+=("$package"); fi
done < <(grep -v '^#' tools/packages.txt)
installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qx "$package installed" <<<"$installed" || missing+=("$package")
done

if ((${#missing[@]})); then
  if ! ((${#as_root[@]})); then
    echo "These Debian packages are missing. Install them, then run make again:" >&2
    echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  say "Installing ${#missing[@]} Debian packages and what they depend on: ${missing[*]}"
  mkdir -p build
  # The package lists may be absent or old on a fresh machine.
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y --no-install-recommends -o APT::Status-Fd=3 "${missing[@]}" \
    3>&1 >build/apt.log 2>&1 | show_progress packages || {
    tail -n 30 build/apt.log >&2
    exit 1
  }
fi

if $only_packages; then exit; fi

# kept_environment NAME OPTION REQUIREMENTS...: where one with these is kept for other checkouts.
kept_environment() {
  local name=$1
  shift
  echo "$WARDEN_ENVIRONMENTS/$name-$({
    uname -m
    /usr/bin/python3 -VV
    echo "$1"
    cat "${@:2}" tools/requirements-wheel.txt
    declare -f keep_environment # What it leaves out is not there.
  } | sha256sum | cut -c -16)"
}

# take_environment FOLDER KEPT: takes a kept one, or adds what it has to one that is in use already.
take_environment() {
  local folder=$1 kept=$2 origin script
  mkdir -p "$folder"
  cp -aln "$kept/." "$folder" || return 1
  touch "$kept" # Used: tools/setup.sh keeps it.
  # Scripts begin with the path of their interpreter.
  origin=$(<"$kept/.made-in")
  for script in $(grep -lIF "$origin" "$folder"/bin/* 2>/dev/null); do
    sed -i "s|$origin|$PWD/$folder|g" "$script"
  done
}

# keep_environment FOLDER KEPT: hard links, so that it takes no space while the folder is there.
keep_environment() {
  local folder=$1 kept=$2 new=$2.$$
  mkdir -p "$WARDEN_ENVIRONMENTS"
  find "$WARDEN_ENVIRONMENTS" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
  if cp -al "$folder" "$new" 2>/dev/null; then
    echo "$PWD/$folder" >"$new/.made-in"
    # Our own packages are installed by every build; elsewhere smdebug is the original's.
    if [[ -e $(echo "$new"/lib/python*/site-packages/tensorwarden) ]]; then
      rm -rf "$new"/lib/python*/site-packages/{tensorwarden,smdebug,smprof,smppy}
    fi
    mv -T "$new" "$kept" 2>/dev/null || true
  fi
  rm -rf "$new"
}

# environment NAME OPTION REQUIREMENTS...: a virtual environment on the system's Python with the given
# requirements, which are complete and have hashes (tools/lock_requirements.py). More requirements are
# added to one that exists; it is made again when one changes. $WARDEN_ENVIRONMENTS, a folder on the
# same disk, keeps them for other checkouts of the project.
environment() {
  local folder=build/$1 option=$2 stamp requirements new=() wheel=() kept=
  if [[ -n ${WARDEN_ENVIRONMENTS:-} ]]; then kept=$(kept_environment "$@"); fi
  shift 2
  for requirements in "$@"; do
    stamp=$folder/.installed-${requirements##*/}
    if [[ ! -f $stamp ]]; then
      new+=("$requirements")
    elif ! cmp -s "$requirements" "$stamp"; then
      rm -rf "$folder"
      new=("$@")
      break
    fi
  done
  ((${#new[@]})) || return 0
  if [[ -d $kept ]] && take_environment "$folder" "$kept"; then return; fi
  say "Installing Python packages into $folder"
  if [[ ! -x $folder/bin/pip ]]; then /usr/bin/python3 -m venv $option "$folder"; fi
  "$folder/bin/python" -c 'import wheel' 2>/dev/null || wheel=(-rtools/requirements-wheel.txt)
  # Packages of the system may want other versions than ours; they are not used from here.
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-conflicts \
    --no-deps --require-hashes "${wheel[@]}" "${new[@]/#/-r}"
  for requirements in "${new[@]}"; do
    cp "$requirements" "$folder/.installed-${requirements##*/}"
  done
  if [[ -n $kept ]]; then keep_environment "$folder" "$kept"; fi
}

# torch_environment: a current PyTorch, on the CPU, without NVIDIA's libraries.
torch_environment() {
  environment venv-torch '' tools/requirements-torch.txt
  python3 tools/cuda_stand_ins.py build/venv-torch
}

# has_node: whether there is one that Vite can use, from 20.19 on.
has_node() {
  command -v npm >/dev/null &&
    node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
             process.exit(major * 100 + minor < 2019 ? 1 : 0)'
}

# web [all]: the packages that the pages are built with; all: also those that check them.
web() {
  local stamp=web/node_modules/.installed kind=${1:-} options=()
  [[ $kind == all ]] || options=(--omit=dev)
  has_node || environment venv-node '' tools/requirements-node.txt
  if [[ -f $stamp ]] && cmp -s web/package-lock.json "$stamp" &&
    [[ $kind != all || -x web/node_modules/.bin/tsc ]]; then return; fi
  say "Installing the packages that build the web pages"
  (cd web && npm ci --loglevel=error --no-audit --no-fund --ignore-scripts "${options[@]}" >/dev/null)
  cp web/package-lock.json "$stamp"
}

# has_go: whether there is one that can build the server below.
has_go() {
  command -v go >/dev/null && [[ $(printf '%s\n' "$1" "$(go env GOVERSION)" | sort -V | head -n 1) == "$1" ]]
}

# s3_server: an S3 server that is not ours, for the tests. Its versions and their checksums are in
# the folder.
s3_server() {
  local from=tests/support/s3_server to=build/s3-server
  if cmp -s "$from/go.sum" "$to/.installed"; then return; fi
  has_go "go$(sed -n 's/^go //p' "$from/go.mod")" || environment venv-go '' tools/requirements-go.txt
  say "Building the S3 server of the tests"
  mkdir -p "$to"
  (
    export PATH=$PWD/build/venv-go/bin:$PATH GOTOOLCHAIN=local
    go build -C "$from" -trimpath -buildvcs=false -ldflags='-s -w' -o "$PWD/$to/versitygw" \
      github.com/versity/versitygw/cmd/versitygw 2>"$to/build.log" || {
      cat "$to/build.log" >&2
      exit 1
    }
  )
  cp "$from/go.sum" "$to/.installed"
}

# machine: a kernel and its first programs in build/machine, for tests that need a machine of their
# own. They are not installed: a kernel in /boot would be started next time.
machine() {
  local folder=build/machine package
  [[ $(uname -m) == x86_64 && ! -f $folder/.complete ]] || return 0
  say "Fetching a Linux kernel into $folder"
  rm -rf "$folder"
  mkdir -p "$folder"
  fetch_machine >build/machine.log 2>&1 || {
    # The package lists may be old.
    if ((${#as_root[@]})); then "${as_root[@]}" apt-get update -qq; fi
    fetch_machine >build/machine.log 2>&1 || {
      cat build/machine.log >&2
      return 1
    }
  }
  for package in "$folder"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" --wildcards --wildcards-match-slash \
      './boot/vmlinuz-*' './bin/busybox' './lib/modules/*/9p*.ko' './lib/modules/*/virtio*.ko' \
      './lib/modules/*/netfs.ko' './lib/modules/*/fscache.ko' 2>/dev/null || true
    rm "$package"
  done
  touch "$folder/.complete"
}
fetch_machine() {
  local kernel
  kernel=$(apt-cache depends linux-image-amd64 | grep -o 'linux-image-[0-9][^ ]*' | head -n 1)
  (cd build/machine && apt-get download "$kernel" busybox-static)
}

requirements=(tools/requirements-build.txt)
if needs test || needs bench; then requirements+=(tools/requirements-test.txt); fi
making=()
# start COMMAND...: runs it along with the others.
start() {
  "$@" &
  making+=($!)
}
start environment venv --system-site-packages "${requirements[@]}"
if needs test || needs check || needs web; then start web all; else start web; fi
if needs test || needs bench; then
  start environment venv-smdebug '' tools/requirements-smdebug.txt
  # Frameworks that do not fit the distribution's NumPy or each other, and the cloud's own clients.
  for framework in tensorflow mxnet xgboost sagemaker; do
    start environment "venv-$framework" '' "tools/requirements-$framework.txt"
  done
  start torch_environment
  if needs test; then start machine; fi
  start environment venv-sagemaker3 '' tools/requirements-sagemaker3.txt
  start s3_server
fi
if needs bench; then
  # The original library with the distribution's PyTorch.
  start environment venv-smdebug-torch --system-site-packages tools/requirements-smdebug.txt
fi
if needs corpus; then
  # The libraries do not replace the distribution's PyTorch.
  start environment venv-corpus --system-site-packages tests/corpus/requirements.txt
  start environment venv-tensorflow '' tools/requirements-tensorflow.txt
  start environment venv-xgboost '' tools/requirements-xgboost.txt
fi
if needs check; then start environment venv-lint '' tools/requirements-lint.txt; fi
if needs docs; then start environment venv-docs '' tools/requirements-docs.txt; fi
if needs package; then start environment venv-package '' tools/requirements-package.txt; fi
for one in "${making[@]}"; do wait "$one"; done
