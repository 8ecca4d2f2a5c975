#!/usr/bin/env bash
# A live study on real control groups of this machine: nginx and PHP in one group, a program that computes in another, and visitors
# (hey, which the study does not know of) who come 200 times a second. docs/traffic.md shows what was measured.
# Needs what bench/groups.sh needs, and hey. 13 minutes.
#   bench/groups-traffic.sh [--observe]    only two minutes at the settings found
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
port=${GROUPS_PORT:-8191}
dir=${GROUPS_DIR:-/var/tmp/slicewise-groups}
out=${GROUPS_OUT:-$(mktemp -d /tmp/groups-traffic.XXXXXX)}
mkdir -p "$out" "$dir"
study() { taskset -c 0 "$slicewise" "$@"; }
export GROUPS_LOG=$dir/access.log
rm -f "$GROUPS_LOG"
trap 'kill $(jobs -p) 2>/dev/null || true; "$home/bench/groups.sh" halt' EXIT
"$home/bench/groups.sh" start
"$home/bench/groups.sh" burn 1
cd "$out"
sed "s#/var/tmp/slicewise-groups#$dir#" "$home/bench/groups-traffic.yaml" >site.yaml
sed 's/time: 9m}/time: 2m}, observe: true/; s/^name: .*/name: groups-observe/' site.yaml >observe.yaml
taskset -c 0 hey -z 20m -c 50 -q 4 "http://127.0.0.1:$port/work.php?n=14000" >/dev/null &
code=0
study doctor site.yaml || true
study run observe.yaml --plain --results results || code=$?
if [[ ${1:-} != --observe ]]; then
  study plan site.yaml --traffic "$GROUPS_LOG"
  study run site.yaml --plain --results results || code=$?
  study report results/groups-traffic-*/ || true
fi
echo "exit code $code; pages and files in $out"
"$home/bench/groups.sh" settings
