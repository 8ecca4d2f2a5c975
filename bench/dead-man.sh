#!/usr/bin/env bash
# Kills runs of an experiment with SIGKILL in the middle and never resumes them: the host's dead man's switch must restore it.
#   bench/dead-man.sh EXPERIMENT KILLS SETTINGS SHELL...
# EXPERIMENT has host: {dead-man: …}; SHELL runs a command line on the host, and SETTINGS is one that prints its settings:
#   bench/dead-man.sh experiment.yaml 10 'xl sched-credit' ssh root@dom0
# Prints the seconds from each kill until the settings are as found, what 'restore' found, what stayed on the host (lock, programs,
# processes), and how often the host was left changed.
set -euo pipefail
(($# >= 4)) || { sed -n '2,7p' "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
patience=${PATIENCE:-600}
experiment=$(realpath "$1")
kills=$2 command=$3
shift 3
results=$(mktemp -d /tmp/dead-man.XXXXXX)
settings() { "$@" "$command" 2>/dev/null </dev/null; }
remains() {
  "$@" 'ls -A /var/lib/slicewise; readlink /var/run/slicewise.lock; ps ax -o args | grep "[ ]/var/lib/slicewise/.*/program"' 2>/dev/null </dev/null || true
}
now() { date +%s; }

found=$(settings "$@")
[[ -n $found ]] || { echo "the command prints nothing" >&2; exit 1; }
killed=0 left=0 stayed=0 seconds=()
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
  until [[ $(now) -ge $((at + patience)) || -z $("$@" 'readlink /var/run/slicewise.lock' 2>/dev/null </dev/null) ]]; do sleep 0.5; done
  "$slicewise" restore --results "$results" | sed 's/^/    /'
  rest=$(remains "$@")
  if [[ -n $rest ]]; then
    stayed=$((stayed + 1))
    echo "    STAYED: $rest"
  fi
done
sorted=$(printf '%s\n' "${seconds[@]}" | sort -n | tr '\n' ' ')
echo "kills $killed, left changed $left, something stayed $stayed, seconds until restored: $sorted"
((left == 0 && stayed == 0 && killed > 0))
