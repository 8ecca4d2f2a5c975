#!/usr/bin/env bash
# What a guest of the real libvirtd of bench/kvmlab.sh serves with one vCPU instead of two, which its agent
# takes offline, and what a killed run leaves of it. Needs root, curl and bc, about 5 minutes on a quiet machine.
#   bench/real-libvirt-vcpus.sh
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
export KVMLAB_DIR=${KVMLAB_DIR:-/tmp/slicewise-kvmlab}
slicewise=${SLICEWISE:-$home/slicewise}
lab=$home/bench/kvmlab.sh
port=${KVMLAB_PORT:-2223}
web=http://127.0.0.1:$((${KVMLAB_WEB:-8081} + 2))
out=$(mktemp -d /tmp/real-libvirt-vcpus.XXXXXX)
trap '"$lab" halt >/dev/null 2>&1 || true' EXIT
"$lab" build && "$lab" start && "$lab" guests
ssh-keyscan -p "$port" 127.0.0.1 2>/dev/null >"$KVMLAB_DIR/known_hosts"
virsh() { "$lab" ssh "virsh -q -c qemu:///system $*"; }
for vcpu in 0 1; do virsh vcpupin SQL_Server $vcpu 0-1; done
state() { virsh "schedinfo --live SQL_Server; virsh -q vcpupin SQL_Server; virsh -q vcpucount --guest SQL_Server"; }

cat >"$out/clients" <<'END'
#!/bin/bash
# The requests per second of two clients in so many seconds.
end=$(($(date +%s%N) + $1 * 1000000000)) begin=$(date +%s%N)
client() { while [ "$(date +%s%N)" -lt $end ]; do curl -s -m 30 "$2" >/dev/null && echo done; done; }
count=$( (client "$@" & client "$@"; wait) | wc -l)
echo "{\"requests\": $(echo "scale=4; $count * 1000000000 / ($(date +%s%N) - $begin)" | bc)}"
END
chmod +x "$out/clients"
cat >"$out/vcpus.yaml" <<END
name: vcpus
host: {address: 127.0.0.1, port: $port, user: root, identity: $KVMLAB_DIR/id_lab,
  known-hosts: $KVMLAB_DIR/known_hosts, hypervisor: libvirt, dead-man: 15s}
domains: {main: [SQL_Server]}
workload:
  name: command
  command: [$out/clients, "{seconds}", "$web/cgi-bin/work?5000"]
  measures: {requests: {unit: /s}}
goal: highest outcome requests
warm-up: 1s
profiles:
  - as-found
  - {name: one, scheduler: cfs, main: {online-vcpus: 1}}
baseline: as-found
design: {kind: switchback, sessions: 1, blocks: 6, window: 8s, wash-out: 2s}
END
found=$(state)
"$slicewise" run "$out/vcpus.yaml" --plain --allow-plan-code --results "$out/results"
"$slicewise" compare "$out"/results/vcpus-*
[[ $(state) == "$found" ]] && echo "as found after the run"

# What is left by SIGKILL is restored by a person, or by the dead man's switch.
for by in restore dead-man; do
  sed "s/^name: vcpus/name: $by/; s/  - as-found//; s/^baseline.*//; s/blocks: 6/blocks: 1/" "$out/vcpus.yaml" >"$out/$by.yaml"
  echo "  - {name: weighted, scheduler: cfs, main: {online-vcpus: 1, shares: 512}}" >"$out/more"
  sed -i "/name: one/r $out/more" "$out/$by.yaml"
  [[ $by == dead-man ]] || sed -i 's/dead-man: 15s/dead-man: 5m/' "$out/$by.yaml"
  "$slicewise" run "$out/$by.yaml" --plain --allow-plan-code --results "$out/results" >"$out/$by.log" 2>&1 &
  for _ in $(seq 100); do [[ $(virsh vcpucount --guest SQL_Server) == 1 ]] && break; sleep 0.3; done
  pkill -KILL -f "$out/$by.yaml"
  wait || true
  [[ $(state) != "$found" ]] && echo "SIGKILL left one vCPU"
  if [[ $by == restore ]]; then "$slicewise" restore "$out"/results/restore-*; else sleep 40; fi
  [[ $(state) == "$found" ]] && echo "as found after $by"
done
