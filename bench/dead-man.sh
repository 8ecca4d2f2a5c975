#!/usr/bin/env bash
# Kills runs of an experiment with SIGKILL in the middle and never resumes them: the host's dead man's switch must restore it.
#   bench/dead-man.sh EXPERIMENT KILLS COMMAND...
# EXPERIMENT has host: {dead-man: …}; COMMAND prints the host's settings, as in: ssh root@dom0 xl sched-credit.
# Prints the seconds from each kill until the settings are as found, then what 'restore' found, and how often the host was left changed.
set -euo pipefail
(($# >= 3)) || { sed -n '2,5p' "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
patience=${PATIENCE:-600}
experiment=$(realpath "$1")
kills=$2
shift 2
results=$(mktemp -d /tmp/dead-man.XXXXXX)
settings() { "$@" 2>/dev/null; }
now() { date +%s; }

found=$(settings "$@")
[[ -n $found ]] || { echo "the command prints nothing" >&2; exit 1; }
killed=0 left=0 seconds=()
for ((kill = 1; kill <= kills; kill++)); do
  "$slicewise" run "$experiment" --plain --results "$results" >"$results/run.log" 2>&1 &
  run=$!
  changed=
  while kill -0 $run 2>/dev/null; do
    read=$(settings "$@") || true
    [[ -z $read || $read == "$found" ]] || { changed=yes; break; }
    sleep 0.2
  done
  if [[ -z $changed ]]; then
    echo "kill $kill: the run ended before it was killed (see $results/run.log)"
    continue
  fi
  sleep "0.$((RANDOM % 10))"
  kill -KILL $run
  wait $run 2>/dev/null || true
  at=$(now) after=
  while (($(now) - at < patience)); do
    [[ $(settings "$@") != "$found" ]] || { after=$(($(now) - at)); break; }
    sleep 0.5
  done
  killed=$((killed + 1))
  if [[ -n $after ]]; then
    seconds+=("$after")
  else
    left=$((left + 1))
  fi
  echo "kill $kill: restored after ${after:-more than $patience} s"
  "$slicewise" restore --results "$results" | sed 's/^/    /'
done
sorted=$(printf '%s\n' "${seconds[@]}" | sort -n | tr '\n' ' ')
echo "kills $killed, left changed $left, seconds until restored: $sorted"
((left == 0 && killed > 0))
