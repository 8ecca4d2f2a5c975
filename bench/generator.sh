#!/usr/bin/env bash
# Requests per CPU-second of the load generator: Slicewise's in its measured window against the
# stock "jmeter -n" command line, whole process, with the same plan, server, users and seconds.
# The two take turns; the medians and their ratio are printed.
#
#   bench/generator.sh [USERS [SECONDS [ROUNDS [WARMUP]]]]     (25, 20, 3, 15)
set -euo pipefail
cd "$(dirname "$0")/.."
users=${1:-25} seconds=${2:-20} rounds=${3:-3} warmup=${4:-15}
plan=$PWD/jmeter-plans/web-app.jmx

[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
target=
finish() { exec 3>&- || true; [ -z "$target" ] || wait "$target" || true; rm -rf "$work"; }
trap finish EXIT
javac -nowarn -d "$work/classes" -cp "target/classes:target/lib/*" bench/GeneratorBench.java
bench=(java -Dslicewise.home="$PWD" -cp "$work/classes:target/classes:target/lib/*" GeneratorBench)

# JMeter's own layout, from the same jars: there is no distribution on Maven Central.
stock=$work/jmeter
mkdir -p "$stock/lib/ext"
(cd "$stock" && unzip -q "$OLDPWD"/target/lib/ApacheJMeter_config-*.jar 'bin/*')
for jar in target/lib/*.jar; do
  case $(basename "$jar") in
    ApacheJMeter_*) cp "$jar" "$stock/lib/ext/" ;;
    ApacheJMeter-*) cp "$jar" "$stock/bin/ApacheJMeter.jar" ;;
    *) cp "$jar" "$stock/lib/" ;;
  esac
done

port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])')
mkfifo "$work/hold"
"${bench[@]}" target "$port" <"$work/hold" >"$work/target.log" 2>&1 &
target=$!
exec 3>"$work/hold"
for _ in $(seq 120); do grep -q '^serving' "$work/target.log" && break; sleep 0.5; done
grep -q '^serving' "$work/target.log" || { cat "$work/target.log"; exit 1; }

run_stock() { # the heap and collector of JMeter's own start script
  local out=$work/stock-$1
  TIMEFORMAT='%U %S'
  { time java -Xms1g -Xmx1g -XX:MaxMetaspaceSize=256m -XX:+UseG1GC -XX:MaxGCPauseMillis=100 \
      -XX:G1ReservePercent=20 -Djava.awt.headless=true -jar "$stock/bin/ApacheJMeter.jar" -n -t "$plan" \
      -l "$out.jtl" -j "$out.log" -Jhost=127.0.0.1 -Jport="$port" -Jusers="$users" \
      -Jduration="$seconds" >"$out.txt" 2>&1; } 2>"$out.time"
  awk -v n=$(($(wc -l <"$out.jtl") - 1)) '{printf "%d %.2f\n", n, $1 + $2}' "$out.time"
}
run_ours() { "${bench[@]}" load "$plan" "$users" "$port" "$warmup" "$seconds" 2>>"$work/ours.log"; }
median() { sort -n | awk '{v[NR]=$1} END {print (v[int((NR+1)/2)] + v[int(NR/2)+1]) / 2}'; }

"${bench[@]}" load "$plan" "$users" "$port" 5 10 >/dev/null 2>&1 # warms the server
: >"$work/stock"; : >"$work/ours"
for round in $(seq "$rounds"); do
  for who in stock ours; do
    read -r samples cpu < <(run_$who "$round")
    rate=$(awk -v n="$samples" -v c="$cpu" 'BEGIN {printf "%.0f", n / c}')
    echo "$rate" >>"$work/$who"
    echo "round $round, $who: $samples requests, $cpu CPU-s, $rate requests per CPU-second"
  done
done
sed 's/^/  /' "$work/ours.log"
awk -v o="$(median <"$work/ours")" -v s="$(median <"$work/stock")" -v u="$users" \
  'BEGIN {printf "%d users: slicewise %.0f, jmeter -n %.0f requests per CPU-second, ratio %.2f\n", u, o, s, o / s}'
