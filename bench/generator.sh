#!/usr/bin/env bash
# Requests per CPU-second of load generators, in turns and like with like: the same nginx, page of
# 5 KB, users, warm-up and window, the CPU time of their own processes in it and from their start on.
# Slicewise beside itself with JMeter's client, the stock "jmeter -n" command line, and wrk, whose
# Lua script sends the same form and looks at the same two ends of the page.
#
# nginx and wrk (a modified Apache-2.0) are installed from Debian where they are missing (as root).
#
#   bench/generator.sh [USERS,USERS… [SECONDS [ROUNDS [WARMUP [AGAINST]]]]]     (25,500 20 3 60 all)
#
# With AGAINST (slicewise:, jmeter-n or wrk) two generators take turns in pairs.
set -euo pipefail
cd "$(dirname "$0")/.."
loads=${1:-25,500} seconds=${2:-20} rounds=${3:-3} warmup=${4:-60} against=${5:-}
plan=$PWD/jmeter-plans/web-app.jmx

[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -d "$work/classes" -cp "target/classes:target/lib/*" bench/GeneratorBench.java

command -v nginx >/dev/null || apt-get install -qq -y --no-install-recommends nginx-light
command -v wrk >/dev/null || apt-get install -qq -y --no-install-recommends wrk
stock=$work/jmeter
bench/stock-jmeter.sh "$stock"

# The heap and collector of JMeter's own start script.
contenders=(slicewise slicewise:slicewise.http-client=jmeter
  "jmeter-n=java,-Xms1g,-Xmx1g,-XX:MaxMetaspaceSize=256m,-XX:+UseG1GC,\
-XX:MaxGCPauseMillis=100,-XX:G1ReservePercent=20,-Djava.awt.headless=true,\
-jar,$stock/bin/ApacheJMeter.jar,-n,-t,$plan,-l,{out}/samples.jtl,-j,{out}/jmeter.log,\
-Jhost=127.0.0.1,-Jport={port},-Jusers={users},-Jduration={seconds}"
  "wrk=wrk,-t1,-c{users},-d{seconds}s,-s,$PWD/bench/page.lua,http://127.0.0.1:{port}")

for i in "${!contenders[@]}"; do
  [[ $i = 0 || ${contenders[i]} = "$against"* ]] || unset "contenders[i]"
done

for users in ${loads//,/ }; do
  java -Dslicewise.home="$PWD" -cp "$work/classes:target/classes:target/lib/*" GeneratorBench \
    "$plan" "$work" "$users" "$warmup" "$seconds" "$rounds" "${contenders[@]}"
done
