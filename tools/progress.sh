# For scripts to source: how they show what they are doing.

# say TEXT...: one line about what happens next.
say() { printf '==> %s\n' "$*"; }

# show_progress LABEL: reads what ninja ([3/120] ...), ctest (3/120 Test ...) or apt (status lines of
# APT::Status-Fd) print and shows how far they are: one line that is rewritten on a terminal, a line
# for every tenth otherwise. Passes everything else through, such as a compiler's errors.
show_progress() {
  local label=$1 line percent detail shown=-1 began=$SECONDS
  while IFS= read -r line; do
    detail=
    if [[ $line =~ ^\[?\ *([0-9]+)/([0-9]+)(\]| Test ) ]]; then
      percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      detail=" (${BASH_REMATCH[1]} of ${BASH_REMATCH[2]})"
    elif [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+) ]]; then
      percent=${BASH_REMATCH[2]}
      [[ ${BASH_REMATCH[1]} == dl ]] && detail=' (downloading)' || detail=' (installing)'
    elif [[ $line == 'ninja: no work to do.' ]]; then
      continue
    else
      printf '%s\n' "$line"
      continue
    fi
    if [[ -t 1 ]]; then
      printf '\r\e[K    %s: %d %%%s, %d s' "$label" "$percent" "$detail" $((SECONDS - began))
    elif ((percent / 10 != shown / 10 || shown < 0)); then
      printf '    %s: %d %%%s, %d s\n' "$label" "$percent" "$detail" $((SECONDS - began))
    fi
    shown=$percent
  done
  if [[ -t 1 ]] && ((shown >= 0)); then printf '\n'; fi
}
