#!/usr/bin/env bash
# Tries on the real libvirtd of bench/kvmlab.sh what others do to a host while it is measured, and what a
# killed run leaves: each check is one line, and the first that fails ends it. Needs root, about 5 minutes.
#   bench/real-libvirt-others.sh
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
export KVMLAB_DIR=${KVMLAB_DIR:-/tmp/slicewise-kvmlab}
slicewise=${SLICEWISE:-$home/slicewise}
lab=$home/bench/kvmlab.sh
port=${KVMLAB_PORT:-2223}
out=$(mktemp -d /tmp/real-libvirt-others.XXXXXX)
[[ ! -e /sys/fs/cgroup/cpu/machine ]] || { echo "another libvirtd has guests on this machine" >&2; exit 1; }
trap '"$lab" halt >/dev/null 2>&1 || true' EXIT
"$lab" build && "$lab" start && "$lab" guests
ssh-keyscan -p "$port" 127.0.0.1 2>/dev/null >"$KVMLAB_DIR/known_hosts"
virsh() { "$lab" ssh "virsh -q -c qemu:///system $*"; }

# A guest with fewer vCPUs than it could have, and one that is started later.
for name in Half Late; do
  virsh dominfo $name >/dev/null 2>&1 && continue
  virsh dumpxml --inactive Apache_Server |
    sed -e "s/Apache_Server/$name/; /<uuid>/d; s#<vcpu .*#<vcpu current='1'>2</vcpu>#; s/,hostfwd=[^']*//" >"$out/$name.xml"
  "$lab" ssh "cat >/run/libvirt/d.xml && virsh -q define /run/libvirt/d.xml" <"$out/$name.xml"
done
virsh start Half

cat >"$out/one.yaml" <<END
name: others
host: {address: 127.0.0.1, port: $port, user: root, identity: $KVMLAB_DIR/id_lab,
  known-hosts: $KVMLAB_DIR/known_hosts, hypervisor: libvirt}
domains: {main: [Half], other: [Apache_Server]}
profiles:
  - {name: heavy, scheduler: cfs, main: {shares: 4096, cap: 30%}}
baseline: heavy
workload: observe
repetitions: 1
warm-up: 1s
measure: 15s
limits: {repeat-invalid: 0}
END
settings() { for guest in Apache_Server NFS_Server SQL_Server Half; do virsh schedinfo --live $guest; virsh vcpupin $guest; done; }
found=$(settings)
as_found() { [[ $(settings) == "$found" ]] || { echo "FAILED: $1: not as found"; exit 1; }; echo "ok: $1"; }
expect() { # NAME WANTED SEEN
  [[ $3 == $2 ]] || { echo "FAILED: $1: wanted $2, not $3; see $out"; exit 1; }
  echo "ok: $1"
}
run() { # NAME: starts a run in results of its own
  "$slicewise" run "$out/one.yaml" --plain --anyway --results "$out/$1" >"$out/$1.log" 2>&1 &
  process=$!
}
until_event() { # NAME EVENT
  for _ in $(seq 1200); do grep -qs "\"event\":\"$2\"" "$out/$1"/*/journal.jsonl && return; sleep 0.05; done
  echo "FAILED: no event $2 of run $1"; exit 1
}
ended() { status=0; wait "$process" || status=$?; }
killed() { # NAME: killed in its window
  run "$1"; until_event "$1" applying; sleep 5
  kill -9 "$process"
  wait "$process" || true
}

run whole; ended; expect "a run ends" 0 $status; as_found "a whole run"

killed kill
expect "the kill left shares" "*4096*" "$(virsh schedinfo Half)"
run second; ended; expect "another run is refused" 4 $status
"$slicewise" restore "$out"/kill/*/ >"$out/restore.log"; as_found "a killed run, restored"

killed third
virsh schedinfo Half --live cpu_shares=777 >/dev/null
"$slicewise" restore "$out"/third/*/ >"$out/left.log"
expect "the value of someone else is left" "*cpu_shares*777*vcpu_quota*-1*" "$(virsh schedinfo Half | tr '\n' ' ')"
"$slicewise" restore --force "$out"/third/*/ >"$out/forced.log"; as_found "restored by force"

run before; until_event before settings-found
kill -STOP "$process"; virsh schedinfo Half --live cpu_shares=777 >/dev/null; kill -CONT "$process"
ended; expect "a value of someone else before the first change stops the run" 23 $status
expect "and is left" "*777*" "$(virsh schedinfo Half)"
virsh schedinfo Half --live cpu_shares=1024 >/dev/null

run paused; until_event paused applying; sleep 6; virsh suspend Half >/dev/null; sleep 1; virsh resume Half >/dev/null
ended; expect "a pause within the window excludes it" 13 $status; as_found "after the pause"

run late; until_event late applying; sleep 6; virsh start Late >/dev/null
ended; expect "a guest that starts within the window excludes it" 13 $status; as_found "after the start"
# The host restores itself, value by value: shares that someone else has set since are left.
sed -e 's/hypervisor: libvirt/hypervisor: libvirt, dead-man: 15s/; s/^measure: .*/measure: 60s/' "$out/one.yaml" >"$out/dead.yaml"
lock() { "$lab" ssh "readlink /var/run/slicewise.lock || true"; }
until_restored() { # NAME: the switch removes the lock last
  local began=$SECONDS
  until [[ -z $(lock) ]]; do ((SECONDS - began < 120)) || { echo "FAILED: $1: the switch has not acted"; exit 1; }; sleep 1; done
  echo "ok: $1 after $((SECONDS - began)) s"
}
dead() { # NAME: killed in its window
  "$slicewise" run "$out/dead.yaml" --plain --anyway --results "$out/$1" >"$out/$1.log" 2>&1 &
  process=$!
  until_event "$1" applying; sleep 5
  kill -9 "$process"; wait "$process" || true
  expect "the kill left shares and a quota" "*4096*30000*" "$(virsh schedinfo Half | tr '\n' ' ')"
}
dead alone; until_restored "the dead man's switch has acted"
as_found "killed, restored by the switch"
"$slicewise" restore "$out"/alone/*/ >"$out/alone.restore.log"
dead shared; virsh schedinfo Half --live cpu_shares=777 >/dev/null
until_restored "the dead man's switch has acted"
expect "it restored the quota and left the shares of someone else" "*cpu_shares*777*vcpu_quota*-1*" "$(virsh schedinfo Half | tr '\n' ' ')"
"$slicewise" restore --force "$out"/shared/*/ >"$out/shared.restore.log"; as_found "restored by force after the switch"
expect "nothing of the switches stays" "" "$("$lab" ssh 'ls -A /var/lib/slicewise 2>/dev/null || true')"

# What the watch for changes costs, in ticks of 10 ms.
"$lab" ssh "d=$(cat "$KVMLAB_DIR/run/libvirtd.pid")"';
  ticks() { cut -d" " -f14,15 /proc/$1/stat | tr " " +; }
  a=$(($(ticks $d))); sleep 20; b=$(($(ticks $d)))
  virsh -q -c qemu:///system event --all --loop >/dev/null & p=$!
  sleep 1; c=$(($(ticks $d))); e=$(($(ticks $p))); sleep 20; f=$(($(ticks $d))); g=$(($(ticks $p))); kill $p
  echo "    in 20 s libvirtd used $((b - a)) ticks without virsh event and $((f - c)) with it, virsh event itself $((g - e)) (and $e to begin)"'
echo "all held; files in $out"
