#!/usr/bin/env bash
# Tries on a real Xen (4.6 or later, credit, cpupool Pool-0 with four pCPUs) what others do to a host while it is measured, and what a killed
# run leaves: each check is one line, and the first that fails ends it. The host needs the guests Apache_Server and
# NFS_Server, which run, and a guest SQL_Server. It is left as found. About 25 minutes where a command of xl takes a second.
#   bench/real-xen-others.sh ADDRESS PORT KEY KNOWN_HOSTS [CHECK...]
# CHECK is one of the functions check_NAME below; all of them by default.
set -euo pipefail
(($# >= 4)) || { sed -n '2,6p' "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
address=$1 port=$2 key=$3 known=$4
shift 4
out=$(mktemp -d /tmp/real-xen-others.XXXXXX)
on_xen() { # a command line; on one connection
  ssh -i "$key" -p "$port" -o BatchMode=yes -o UserKnownHostsFile="$known" -o LogLevel=ERROR \
    -o ControlMaster=auto -o ControlPath="$out/ssh" -o ControlPersist=60 "root@$address" "$@" </dev/null
}

experiment() { # NAME PROFILE HOST-KEYS LIMITS MEASURE
  cat >"$out/$1.yaml" <<YAML
name: $1
host: {address: $address, port: $port, user: root, identity: $key, known-hosts: $known$3}
domains: {main: [Apache_Server], other: [NFS_Server]}
profiles:
  - {name: changed, scheduler: credit, $2}
baseline: changed
workload: observe
repetitions: 1
warm-up: 1s
measure: $5
limits: {$4}
YAML
}
weights="main: {weight: 512, cap: 80}, other: {weight: 128}"
pool="pools: {Pool-0: {timeslice: 5ms, ratelimit: 500us}}"
experiment both "$weights" "" "repeat-invalid: 0" 15s
experiment again "$weights" "" "repeat-invalid: 1" 15s
experiment dead "$weights" ", dead-man: 20s" "repeat-invalid: 0" 60s
experiment pool "$pool" "" "repeat-invalid: 0" 15s
experiment deadpool "$pool" ", dead-man: 20s" "repeat-invalid: 0" 60s

settings() { on_xen "xl sched-credit; xl cpupool-list -c; xl list -c | awk 'NR > 1 {print \$1, \$4, \$NF}'; xl vcpu-list | awk 'NR > 1 {print \$1, \$3, \$7, \$8, \$9}'"; }
lock() { on_xen "readlink /var/run/slicewise.lock || true"; }
domain0_vcpus() { on_xen "xl list 0" | awk 'NR == 2 {print $4}'; }
credit() { on_xen "xl sched-credit -d $1" | awk 'NR == 2 {print $(NF - 1), $NF}'; }
pool_line() { on_xen "xl sched-credit -s -p Pool-0" | sed -n 's/.*: tslice=\([0-9]*ms\) ratelimit=\([0-9]*us\).*/\1 \2/p'; }
as_found() { # WHAT
  local now
  now=$(settings)
  [[ $now == "$found" ]] || { echo "FAILED: $1: not as found"; diff <(echo "$found") <(echo "$now"); exit 1; }
  echo "ok: $1: as found"
}
expect() { # WHAT WANTED SEEN
  [[ $3 == $2 ]] || { echo "FAILED: $1: wanted $2, not $3; see $out"; exit 1; }
  echo "ok: $1"
}
run() { # EXPERIMENT NAME: starts a run in results of its own
  results=$out/$2
  "$slicewise" run "$out/$1.yaml" --plain --anyway --results "$results" >"$results.log" 2>&1 &
  process=$!
}
until_event() { # EVENT
  for _ in $(seq 12000); do
    grep -qs "\"event\":\"$1\"" "$results"/*/journal.jsonl && return
    kill -0 $process 2>/dev/null || break
    sleep 0.05
  done
  echo "FAILED: no event $1; see $results.log"
  exit 1
}
in_window() { # waits until the trace of the window runs
  for _ in $(seq 600); do
    on_xen "pgrep -x xentrace >/dev/null" && return
    kill -0 $process 2>/dev/null || break
    sleep 0.5
  done
  echo "FAILED: no window; see $results.log"
  exit 1
}
ended() { status=0; wait "$process" || status=$?; }
reasons() { # of all trials
  grep -ho '"message" *: *"[^"]*"' "$results"/*/trials/*/trial.json || true
}
killed() { # EXPERIMENT NAME SECONDS: killed that long after its first change
  run "$1" "$2"
  until_event applying
  sleep "$3"
  kill -9 $process
  wait $process || true
}
restore() { "$slicewise" restore "$@" "$results"/*/ >>"$results.restore.log" 2>&1; }
until_as() { # WHAT COMMAND WANTED: prints the seconds
  local began=$SECONDS
  while ((SECONDS - began < 300)); do
    [[ $($2) == $3 ]] && { echo "ok: $1 after $((SECONDS - began)) s"; return; }
    sleep 1
  done
  echo "FAILED: $1: $($2)"
  exit 1
}
nothing_left() {
  expect "nothing of $1 stays on the host" "" \
    "$(on_xen 'ls -A /var/lib/slicewise 2>/dev/null; readlink /var/run/slicewise.lock; ps ax -o args | grep "[s]licewise/.*/program"' || true)"
}

check_whole() {
  run both whole; ended
  expect "a run ends" 0 $status
  as_found "a whole run"
}
check_retry() { # the guest stays in the other pool while the trial is repeated
  local soft # a guest loses it with its pool
  soft=$(on_xen "xl vcpu-list NFS_Server" | awk 'NR == 2 {print $NF}')
  on_xen "xl cpupool-cpu-remove Pool-0 3 && xl cpupool-create 'name=\"bench\"' 'sched=\"credit\"' 'cpus=[\"3\"]'" >/dev/null
  run again retry; until_event trial-started; in_window
  on_xen "xl cpupool-migrate NFS_Server bench"
  ended
  on_xen "xl cpupool-migrate NFS_Server Pool-0; xl cpupool-destroy bench; xl cpupool-cpu-add Pool-0 3; xl vcpu-pin NFS_Server 0 all $soft"
  expect "both attempts in the wrong pool are excluded" 13 $status
  expect "both attempts say so" 2 "$(reasons | grep -c 'cpupool changed from Pool-0 to bench')"
  as_found "after the wrong pool"
}
check_switch() { # killed between the first change and the last
  run both switch
  on_xen "until xl sched-credit -d Apache_Server | grep -q ' 512 '; do :; done"
  kill -9 $process
  wait $process || true
  echo "    killed with Apache_Server $(credit Apache_Server), NFS_Server $(credit NFS_Server)"
  run both other; ended
  expect "another run is refused" 4 $status
  results=$out/switch
  restore; as_found "killed in a switch, restored"
}
check_pause() {
  run both pause; until_event applying; in_window; sleep 4
  on_xen "xl pause NFS_Server; sleep 3; xl unpause NFS_Server"
  ended
  expect "a pause that ends within the window excludes it" 13 $status
  reasons | grep -m 1 paused | sed 's/^/    /'
  as_found "after the pause"
}
check_domain0() {
  run both weight; until_event applying; in_window; sleep 3
  on_xen "xl sched-credit -d Domain-0 -w 700"
  ended
  expect "another weight of Domain-0 excludes the window" 13 $status
  on_xen "xl sched-credit -d Domain-0 -w 256"
  run both vcpus; until_event applying; in_window; sleep 3
  on_xen "xl vcpu-set Domain-0 1"
  ended
  on_xen "xl vcpu-set Domain-0 2; sleep 2; echo 1 >/sys/devices/system/cpu/cpu1/online || true" # udev need not do it
  expect "another number of vCPUs of Domain-0 excludes the window" 13 $status
  until_as "Domain-0 has its vCPUs again" domain0_vcpus 2
  as_found "after Domain-0's changes"
}
check_row() { # a name of two lines makes two rows, of which one is no row
  on_xen "xl rename SQL_Server 'odd
name'"
  run both row; ended
  on_xen "xl rename \$(xl list | awk '\$1 == \"name\" {print \$2}') SQL_Server"
  expect "a row that cannot be understood blocks no other guest" 0 $status
  as_found "after the odd row"
}
check_dead() {
  killed dead dead 8
  echo "    killed with Apache_Server $(credit Apache_Server), NFS_Server $(credit NFS_Server)"
  on_xen "xl sched-credit -d NFS_Server -w 777; xl sched-credit -d Domain-0 -c 0"
  until_as "the dead man's switch has restored Apache_Server" "credit Apache_Server" "256 0"
  until_as "its lock is gone" lock ""
  expect "the weight of someone else is left" "777 0" "$(credit NFS_Server)"
  restore; grep -h "switch" "$results.restore.log" | sed 's/^/    /'
  on_xen "xl sched-credit -d NFS_Server -w 256"
  nothing_left "the switch"
  as_found "after the dead man's switch"
}
check_pool() {
  echo "    found: $(pool_line)"
  run pool pool; until_event applying; in_window
  expect "the pool has what the profile says" "5ms 500us" "$(pool_line)"
  ended
  expect "a run of a pool's settings ends" 0 $status
  as_found "a pool's settings"
  killed pool poolkill 6
  expect "the kill left the pool changed" "5ms 500us" "$(pool_line)"
  restore; as_found "a pool's settings, killed and restored"
}
check_deadpool() {
  killed deadpool pooldead 8
  expect "the kill left the pool changed" "5ms 500us" "$(pool_line)"
  until_as "the dead man's switch has restored the pool" pool_line "${found_pool:-30ms 1000us}"
  until_as "its lock is gone" lock ""
  restore; nothing_left "the pool's switch"
  as_found "a pool's settings and the dead man's switch"
}
check_cost() { # what the watch for changes costs, which runs in every window
  on_xen 'xentop -b -f -d 1 >/dev/null & p=$!; sleep 2
    before=$(awk "{print \$14 + \$15}" /proc/$p/stat); sleep 30; after=$(awk "{print \$14 + \$15}" /proc/$p/stat); kill $p
    echo "    xentop -b -f -d 1 takes $(awk "BEGIN {print ($after - $before) / 30}") % of a CPU by its own ticks"'
  on_xen 'time_of() { xl list 0 | awk "NR == 2 {print \$6}"; }
    for with in no yes no yes no yes; do
      [ $with = no ] || { xentop -b -f -d 1 >/dev/null & p=$!; }
      before=$(time_of); sleep 30; after=$(time_of)
      [ $with = no ] || kill $p
      echo "    Domain-0, xentop $with: $(awk "BEGIN {print ($after - $before) / 30 * 100}") % of a pCPU"
    done'
}

found=$(settings)
found_pool=$(pool_line)
checks=("$@")
((${#checks[@]})) || mapfile -t checks < <(declare -F | sed -n 's/^declare -f check_//p')
for check in "${checks[@]}"; do
  echo "== $check"
  "check_$check"
done
echo "all held; files in $out"
