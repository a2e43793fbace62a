#!/usr/bin/env bash
# Runs fuzz targets that are built already, each for that many seconds; all of them if none is named.
#   fuzz/run.sh SECONDS [TARGET...]
# They are looked for in $FUZZ_BUILD/bin (build/fuzz if not set). What is learnt stays in
# $FUZZ_BUILD/corpus and is where the next run starts; inputs that fail go to $FUZZ_BUILD/findings.
# Fails if there was a finding.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: fuzz/run.sh SECONDS [TARGET...]}
shift
build=${FUZZ_BUILD:-build/fuzz}
if (($# == 0)); then
  for program in "$build"/bin/fuzz_*; do set -- "$@" "${program##*/fuzz_}"; done
fi
# What a parser warns of is no finding, and telling it takes most of the time.
export SMDEBUG_LOG_LEVEL=off
python3 fuzz/seeds.py "$build/seeds"

# The last number that follows the given word in the log.
last() {
  grep -oE "$2 [0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

# Runs one target and says how it went.
fuzz() {
  local target=$1 result=ok inputs folder
  local log=$build/fuzz_$target.log corpus=$build/corpus/$target findings=$build/findings/$target
  mkdir -p "$corpus" "$findings"
  inputs=("$corpus")
  for folder in "$build/seeds/$target" "fuzz/regressions/$target"; do
    if [[ -d $folder ]]; then inputs+=("$folder"); fi
  done
  "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$findings/" "${inputs[@]}" \
    >"$log" 2>&1 || result="FAILED, see $log and $findings"
  printf '%-12s %10d executions, %5d edges covered: %s\n' "$target" \
    "$(last "$log" 'stat::number_of_executed_units:')" "$(last "$log" 'cov:')" "$result"
  [[ $result == ok ]]
}

# Each has a processor to itself.
failed=0
running=0
for target in "$@"; do
  if ((running == $(nproc))); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
for ((; running > 0; running--)); do wait -n || failed=1; done
exit $failed
