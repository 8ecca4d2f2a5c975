#!/usr/bin/env bash
# Repeats docs/real-groups.md on real control groups of this machine, without emulation: needs root,
# Debian's nginx-light and php-fpm, cgroup v1 or v2 with the CPU controller, and two cores.
#   bench/groups.sh [--short]            --short: one block, one load, no tune
#   bench/groups.sh start [SITES] | settings | burn N | weigh GROUP N | recreate GROUP | halt      only the groups, to try things by hand
# Two groups on the last core: web (nginx and 8 workers of PHP at port 8191) and batch (burners).
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
dir=${GROUPS_DIR:-/var/tmp/slicewise-groups}
port=${GROUPS_PORT:-8191}
top=slicewise-bench
core=$(($(nproc --all) - 1))
slicewise=${SLICEWISE:-$home/slicewise}
began=$SECONDS
say() { printf '[%4d s] %s\n' $((SECONDS - began)) "$*"; }
die() { say "$*" >&2; exit 1; }

# --- groups
trees() { # the trees with cpu, cpuacct and cpuset, or the one of version 2
  awk '$3 == "cgroup" && ("," $4 ",") ~ /,(cpu|cpuacct|cpuset),/ {print $2}' /proc/mounts | sort -u | grep . ||
    awk '$3 == "cgroup2" {print $2}' /proc/mounts
}
cpu=$(awk '$3 == "cgroup" && ("," $4 ",") ~ /,cpu,/ {print $2}' /proc/mounts)
[[ -n $cpu ]] || cpu=$(awk '$3 == "cgroup2" {print $2}' /proc/mounts | head -1)
make_group() {
  local tree group
  for tree in $(trees); do
    for group in "$top" "$top/$1"; do
      mkdir -p "$tree/$group"
      [[ ! -e $tree/cgroup.controllers ]] || echo '+cpu +cpuset' >"$(dirname "$tree/$group")/cgroup.subtree_control"
      [[ ! -e $tree/$group/cpuset.mems || -e $tree/cgroup.controllers ]] || cat "$tree/cpuset.mems" >"$tree/$group/cpuset.mems"
      [[ $group != "$top" || ! -e $tree/$top/cpu.shares ]] || echo 262144 >"$tree/$top/cpu.shares" # ahead of what else
      [[ $group != "$top" || ! -e $tree/$top/cpu.weight ]] || echo 10000 >"$tree/$top/cpu.weight"  # the machine does
      [[ ! -e $tree/$group/cpuset.cpus || -n $(cat "$tree/$group/cpuset.cpus") ]] || echo "$core" >"$tree/$group/cpuset.cpus"
    done
  done
}
inside() { # GROUP COMMAND...: starts it in the group, and prints its process
  local group=$1 tree
  shift
  (
    for tree in $(trees); do echo "$BASHPID" >"$tree/$top/$group/cgroup.procs"; done
    exec setsid "$@" </dev/null >>"$dir/log" 2>&1
  ) &
  echo $! >>"$dir/$group.pids"
}
processes() { cat "$cpu/$top/$1/cgroup.procs" 2>/dev/null || true; }
end_group() { # ends what was started in a group, and nothing else
  local pid
  for pid in $(cat "$dir/$1.pids" 2>/dev/null); do
    grep -qs "/$top/$1\$" "/proc/$pid/cgroup" && kill -TERM "$pid" 2>/dev/null || true
  done
  for _ in $(seq 50); do [[ -n $(processes "$1") ]] || break; sleep 0.1; done
  for pid in $(processes "$1"); do kill -KILL "$pid" 2>/dev/null || true; done
  for _ in $(seq 50); do [[ -n $(processes "$1") ]] || break; sleep 0.1; done
  rm -f "$dir/$1.pids"
}
remove_group() { local tree; for tree in $(trees); do rmdir "$tree/$top/$1" 2>/dev/null || true; done; }
settings() {
  local group
  for group in "$cpu/$top"/*/; do
    group=$(basename "$group")
    (cd "$cpu/$top/$group" && echo "$group: $(grep -H '' cpu.shares cpu.weight cpu.cfs_[bpq]* cpu.max* cpu.idle 2>/dev/null | tr '\n' ' ')")
  done
}
weight() { (cd "$cpu/$top/$1" && for file in cpu.shares cpu.weight; do [[ ! -e $file ]] || echo "$2" >$file; done); }

# --- servers
web() { # [NAME PORT WORKERS]: a group with nginx and workers of PHP
  local name=${1:-web} at=${2:-$port} workers=${3:-8} log=${GROUPS_LOG:+$GROUPS_LOG slicewise} fpm # a log for those who study its traffic
  cat >"$dir/$name.fpm" <<P
[global]
daemonize = no
error_log = $dir/fpm.log
[www]
user = www-data
group = www-data
listen = $dir/$name.sock
listen.mode = 0666
pm = static
pm.max_children = $workers
P
  mkdir -p "$dir/$name"
  cat >"$dir/$name.nginx" <<P
user root;
daemon off;
worker_processes 1;
pid $dir/$name/pid;
events { worker_connections 1024; }
http {
  log_format slicewise '\$msec \$request_time \$upstream_response_time \$status \$request_method \$host \$body_bytes_sent "\$request_uri"';
  access_log ${log:-off};
  keepalive_requests 1000000;
  client_body_temp_path $dir/$name/b; proxy_temp_path $dir/$name/p; fastcgi_temp_path $dir/$name/f;
  uwsgi_temp_path $dir/$name/u; scgi_temp_path $dir/$name/s;
  server {
    listen 127.0.0.1:$at;
    location / { include /etc/nginx/fastcgi_params; fastcgi_pass unix:$dir/$name.sock; fastcgi_param SCRIPT_FILENAME $dir/www\$fastcgi_script_name; }
  }
}
P
  make_group "$name"
  fpm=$(ls /usr/sbin/php-fpm* | sort -V | tail -1)
  inside "$name" "$fpm" -F -O -y "$dir/$name.fpm"
  for _ in $(seq 100); do [[ -S $dir/$name.sock ]] && break; sleep 0.1; done
  inside "$name" nginx -p "$dir" -c "$dir/$name.nginx" -e "$dir/nginx.log"
  for _ in $(seq 50); do curl -sf "http://127.0.0.1:$at/work.php?n=1" >/dev/null && return; sleep 0.2; done
  die "no answer at port $at; see $dir/log"
}
burn() { # N burners
  end_group batch
  make_group batch
  for _ in $(seq "$1"); do inside batch "$dir/burner"; done
}
start() {
  [[ $(id -u) == 0 ]] || die "control groups need root"
  command -v nginx >/dev/null && ls /usr/sbin/php-fpm* >/dev/null 2>&1 || die "install nginx-light and php-fpm"
  mkdir -p "$dir/www"
  chmod 755 "$dir"
  cat >"$dir/www/work.php" <<'P'
<html><?php $x = 'slicewise'; for ($i = 0; $i < (int) ($_GET['n'] ?? 4000); $i++) $x = md5($x . $i);
echo "done $x\n", isset($_POST['user']) ? "Signed in as $_POST[user]." : ''; ?></html>
P
  printf '#!/bin/sh\nwhile :; do :; done\n' >"$dir/burner"
  chmod 755 "$dir/burner"
  if [[ ${2:-1} == 1 ]]; then web; else for i in $(seq "$2"); do web "web-$i" $((port + i)) 4; done; fi
  burn "${1:-1}"
}
halt() {
  local tree group
  [[ -d $cpu/$top ]] || return 0
  for group in "$cpu/$top"/*/; do
    group=$(basename "$group")
    end_group "$group"
    remove_group "$group"
  done
  for tree in $(trees); do rmdir "$tree/$top" 2>/dev/null || true; done
  [[ ! -e $cpu/$top ]] || die "not removed: $cpu/$top"
}

case ${1:-} in
  start) start 0 "${2:-1}"; settings; exit ;;
  burn) burn "$2"; exit ;;
  recreate) end_group "$2"; remove_group "$2"; if [[ $2 == web ]]; then web; else burn 1; fi; settings; exit ;;
  weigh) weight "$2" "$3"; settings; exit ;;
  settings) settings; exit ;;
  halt) halt; exit ;;
  "" | --short) ;;
  *) sed -n 2,7p "$0"; exit 2 ;;
esac

out=${GROUPS_OUT:-$(mktemp -d /tmp/real-groups.XXXXXX)}
mkdir -p "$out"
trap halt EXIT
start
generate() { taskset -c 0 "$slicewise" "$@"; }
experiment=$out/real-groups.yaml
for one in groups.yaml groups-tune.yaml; do
  sed "s#\.\./jmeter-plans#$home/jmeter-plans#; s#:8191#:$port#" "$home/bench/$one" >"$out/real-$one"
done
blocks=3 kills=3
if [[ ${1:-} == --short ]]; then
  sed -i 's/^users: .*/users: 10/; s/^repetitions: .*/repetitions: 1/; s/^measure: .*/measure: 3s/' "$experiment"
  blocks=1 kills=1
fi
sed "s/^repetitions: .*/design: {kind: switchback, sessions: 1, blocks: $blocks, window: 4s, wash-out: 1s}/; /^measure: /d" \
  "$experiment" >"$out/switchback.yaml"
cd "$out"
before=$(settings)
as_found() {
  local after
  after=$(settings)
  [[ $before == "$after" ]] || { printf '%s\n' "found:" "$before" "now:" "$after"; die "NOT as found after $1"; }
  say "as found after $1"
}
say "load $(cut -d' ' -f1-3 /proc/loadavg); the settings found:"
echo "$before"
generate doctor "$experiment" || true
measure() { # a run that is in doubt on a busy machine has its numbers all the same
  local code=0
  generate run "$@" --plain || code=$?
  ((code == 0 || code == 24)) || die "the run ended with exit code $code"
}
say "switchback sessions"
measure switchback.yaml --results switchback
as_found "the sessions"
say "trials"
measure "$experiment" --results trials
as_found "the trials"
for run in switchback/*/ trials/*/; do
  cut -d, -f1-9 "$run/tables/load.csv"
  generate report "$run" || true
done
if [[ ${1:-} != --short ]]; then
  say "how long a switch takes"
  jars=$(dirname "$slicewise")
  [[ -f $jars/slicewise.jar ]] || jars=$jars/target
  taskset -c 0 java -cp "$jars/slicewise.jar:$jars/lib/*" "$home/bench/SwitchBench.java" web batch
  as_found "the switches"
  say "tune under a guard"
  code=0
  generate tune real-groups-tune.yaml --plain --results tune || code=$?
  say "exit code $code"
  as_found "the tune"
fi
say "recommend, apply, restore"
generate recommend trials/*/ || true
generate apply trials/*/ --profile batch-idle --yes
settings
generate restore trials/*/
as_found "apply and restore"

say "kills: the dead man's switch restores"
SLICEWISE=$slicewise PATIENCE=90 "$home/bench/dead-man.sh" "$experiment" "$kills" "$home/bench/groups.sh settings" sh -c
as_found "the kills"

sed 's/^users: .*/users: 10/; s/^repetitions: .*/repetitions: 1/' "$experiment" >"$out/others.yaml"
begin() { # starts a run in the background, and waits until it has changed something
  results=$(mktemp -d "$out/others.XXXX")
  taskset -c 0 "$slicewise" run "$out/others.yaml" --plain --results "$results" >"$results/log" 2>&1 &
  run=$!
  until grep -qs '"event":"applying"' "$results"/*/journal.jsonl; do sleep 0.2; done
}
say "a kill in a window, restored by hand"
begin
sleep 3
kill -KILL $run
wait $run 2>/dev/null || true
settings
generate restore "$results"/*/
as_found "the kill"

# others GROUP-COMMAND...: does something to a group in the middle of a run, and shows how that ends
others() {
  local code=0
  begin
  sleep 2
  "$@"
  wait $run || code=$?
  say "exit code $code after: $*"
  grep -h -m 3 -i "someone else\|restarted\|replaced\|vanished\|anew\|then\|moved" "$results/log" || true
  generate restore "$results"/*/ --force || true
}
say "others"
others weight web 444
as_found "a foreign weight, with --force"
others "$home/bench/groups.sh" recreate batch
moved() { local pid; pid=$(processes batch | head -1); echo "$pid" >"$cpu/$top/web/cgroup.procs"; sleep 4; echo "$pid" >"$cpu/$top/batch/cgroup.procs"; }
others moved
as_found "a process that was moved and moved back"
say "load $(cut -d' ' -f1-3 /proc/loadavg); results in $out"
