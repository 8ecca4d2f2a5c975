#!/usr/bin/env bash
# A live study on real control groups of this machine: a site whose visitors (siege, which the study does not know of) come 40
# times a second, from doctor to apply and restore. Needs what bench/groups.sh needs, and siege. A quarter of an hour.
#   bench/groups-traffic.sh [--short]     --short: four pairs, to see that it runs
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
dir=${GROUPS_DIR:-/var/tmp/slicewise-groups}
port=${GROUPS_PORT:-8191}
out=${GROUPS_OUT:-$(mktemp -d /tmp/groups-traffic.XXXXXX)}
mkdir -p "$out" "$dir"
generate() { taskset -c 0 "$slicewise" "$@"; }
export GROUPS_LOG=$dir/access.log
trap '"$home/bench/groups.sh" halt; kill $(jobs -p) 2>/dev/null || true' EXIT
"$home/bench/groups.sh" start
"$home/bench/groups.sh" burn 1
"$home/bench/groups.sh" weigh batch 4096
before=$("$home/bench/groups.sh" settings)
as_found() { [[ $("$home/bench/groups.sh" settings) == "$before" ]] || { echo "NOT as found after $1"; exit 1; }; echo "as found after $1"; }
cd "$out"
cp "$home/bench/groups-traffic.yaml" site.yaml
[[ ${1:-} != --short ]] || sed -i 's/pairs: 20/pairs: 2/' site.yaml
sed -e 's/^name: .*/name: groups-observe/' -e 's/, at-most: {[^}]*}/, at-most: {pairs: 2}, observe: true/' site.yaml >observe.yaml

# 20 visitors, with half a second between two requests on average
taskset -c 0 siege -q -c 20 -d 1 -t 2H "http://127.0.0.1:$port/work.php?n=20000" >/dev/null 2>&1 &
sleep 5
generate doctor site.yaml || true
measure() { # a run that is in doubt on a busy machine has its numbers all the same
  local code=0
  generate run "$1" --plain --results results || code=$?
  ((code == 0 || code == 13 || code == 24)) || exit "$code"
  as_found "$1"
}
measure observe.yaml
generate plan site.yaml --traffic "$GROUPS_LOG"
measure site.yaml
run=$(ls -d results/groups-traffic-*/)
cat "$run/tables/effects.csv"
cut -d, -f1-9 "$run/tables/load.csv"
generate apply "$run" --profile even --yes
"$home/bench/groups.sh" settings
generate restore "$run"
as_found "apply and restore"
echo "load $(cut -d' ' -f1-3 /proc/loadavg); results in $out"
