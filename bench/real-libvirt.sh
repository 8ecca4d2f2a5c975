#!/usr/bin/env bash
# Repeats docs/real-libvirt.md on a real libvirtd with QEMU guests under software emulation, which
# bench/kvmlab.sh starts from Debian's packages: needs root, and no KVM. Ends with the guests halted.
#   bench/real-libvirt.sh [--short]     --short: one weight and one cap, one repetition
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
export KVMLAB_DIR=${KVMLAB_DIR:-/tmp/slicewise-kvmlab}
lab=$home/bench/kvmlab.sh
out=$(mktemp -d /tmp/real-libvirt.XXXXXX)
began=$SECONDS
say() { printf '[%4d s] %s\n' $((SECONDS - began)) "$*"; }
[[ ! -e /sys/fs/cgroup/cpu/machine ]] || { echo "another libvirtd has guests on this machine" >&2; exit 1; }

finish() { "$lab" halt >/dev/null 2>&1 || true; }
trap finish EXIT
"$lab" build && "$lab" start && "$lab" guests
ssh-keyscan -p 2223 127.0.0.1 2>/dev/null >"$KVMLAB_DIR/known_hosts"

# All guests together weigh as one process does beside the other work of this machine: give them more.
for group in /sys/fs/cgroup/cpu/machine/cpu.shares /sys/fs/cgroup/machine/cpu.weight; do
  [[ ! -e $group ]] || echo $([[ $group == *weight ]] && echo 1600 || echo 16384) >"$group"
done
burn() { curl -sf --max-time 20 "http://127.0.0.1:8082/cgi-bin/burn?$1" >/dev/null; }
settings() {
  for guest in Apache_Server NFS_Server; do
    "$lab" ssh "virsh -c qemu:///system schedinfo --live $guest" | tr -s ' \n' ' '
    echo
  done
}

for one in real-libvirt real-libvirt-tune; do
  sed -e "s#KVMLAB#$KVMLAB_DIR#; s#\.\./jmeter-plans#$home/jmeter-plans#" "$home/bench/$one.yaml" >"$out/$one.yaml"
done
experiment=$out/real-libvirt.yaml
sessions=3
if [[ ${1:-} == --short ]]; then
  sed -i -e '/shares-256\|shares-8192\|cap-10/d' -e 's/users: .*/users: 2/; s/repetitions: 3/repetitions: 1/' "$experiment"
  sed -i 's/time: 4m/time: 90s/' "$out/real-libvirt-tune.yaml"
  sessions=1
fi
sed -e "s/^repetitions: .*/design: {kind: switchback, sessions: $sessions, blocks: 2, window: 3s, wash-out: 1s}/; /^measure: /d" \
  "$experiment" >"$out/switchback.yaml"
cd "$out"
before=$(settings)
burn 3600
say "the other guest computes; the settings found:"
echo "$before"
"$home/slicewise" doctor "$experiment" || true
say "trials"
"$home/slicewise" run "$experiment" --plain --results trials
say "switchback sessions"
"$home/slicewise" run "$out/switchback.yaml" --plain --results switchback
for design in trials switchback; do
  say "changes from shares-1024 over $design"
  "$home/slicewise" compare $design/*/
done
say "tune"
"$home/slicewise" tune "$out/real-libvirt-tune.yaml" --plain --results tune

say "a sweep that is killed in the middle"
mkdir killed && cd killed
"$home/slicewise" run "$experiment" --plain >run.log 2>&1 &
run=$!
until grep -qs '"event":"applying"' results/*/journal.jsonl; do sleep 1; done
sleep 5
kill -9 "$run"
say "left by the killed sweep:"
settings
"$home/slicewise" restore results/*/
after=$(settings)
say "restored:"
echo "$after"
[[ $before == "$after" ]] || { say "NOT as found"; exit 1; }
say "as found; results in $out/results"
