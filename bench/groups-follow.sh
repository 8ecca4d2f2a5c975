#!/usr/bin/env bash
# A policy of two bands on real control groups of this machine, and its proof: a sweep over two rates, then a site whose visitors
# (siege, which the study does not know of) come 40 times a second for 45 s and 110 times for 15 s, again and
# again. Needs what bench/groups.sh needs, and siege. Half an hour on a machine that nobody else uses.
#   bench/groups-follow.sh [MINUTES]     of comparison; 20 without
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
minutes=${1:-20}
port=${GROUPS_PORT:-8191}
dir=${GROUPS_DIR:-/var/tmp/slicewise-groups}
out=${GROUPS_OUT:-$(mktemp -d /tmp/groups-follow.XXXXXX)}
mkdir -p "$out" "$dir"
generate() { taskset -c 0 "$slicewise" "$@"; }
export GROUPS_LOG=$dir/access.log
trap '"$home/bench/groups.sh" halt; kill $(jobs -p) 2>/dev/null || true' EXIT
"$home/bench/groups.sh" start
"$home/bench/groups.sh" burn 1
cd "$out"
sed "s#\.\./jmeter-plans#$home/jmeter-plans#; s#:8191#:$port#" "$home/bench/groups-follow.yaml" >sweep.yaml
sed -e '/^workload:/,/^limits:/d' -e 's/^name: .*/name: groups-site/' sweep.yaml >site.yaml
printf '%s\n' 'workload: {name: traffic, log: {path: '"$GROUPS_LOG"', format: nginx}}' 'goal: lowest outcome geometric-mean' >>site.yaml

code=0
generate run sweep.yaml --plain --results results || code=$?
((code == 0 || code == 24)) || exit "$code" # 24: a busy machine, whose numbers are shown all the same
generate report results/groups-follow-*/ || true
generate policy results/groups-follow-*/ --output policy.yaml
! grep -q '^# One band' policy.yaml || { echo 'one band: there is nothing to follow' >&2; exit 1; }
sed -i -e 's/^stay: .*/stay: 5s/' -e 's/^window: .*/window: 5s/' policy.yaml
cat policy.yaml

visit() { taskset -c 0 siege -q -c "$2" -d 1 -t "$1S" "http://127.0.0.1:$port/work.php?n=8000" >/dev/null 2>&1; }
while :; do
  visit 45 20 # users, with half a second between two requests on average
  visit 15 55
done &
generate doctor site.yaml || true
generate follow policy.yaml site.yaml --compare --compare-window 60s --for "${minutes}m" --results results || code=$?
cat results/follow-*/comparison.json
cat results/follow-*/changes.csv | tail -20
generate policy --proof results/follow-*/ --output policy.yaml || true
echo "exit code $code"
"$home/bench/groups.sh" settings
