#!/usr/bin/env bash
# Requests per CPU-second of load generators, in turns and like with like: the same nginx, page of
# 5 KB, users, warm-up and window, the CPU time of their own processes in it and from their start on.
# Slicewise beside itself with JMeter's client, beside the stock "jmeter -n" command line, beside k6,
# and beside Gatling where GATLING_HOME names an unpacked bundle of Gatling 3 with its jars in lib/.
# Without a bundle: "mvn dependency:copy-dependencies -DoutputDirectory=lib" beside a pom.xml with the
# dependency io.gatling.highcharts:gatling-charts-highcharts makes one.
#
# nginx is installed where it is missing (Debian, as root). k6 is $K6, or the one in the PATH, or is
# built with Go where that is installed.
#
#   bench/generator.sh [USERS,USERS… [SECONDS [ROUNDS [WARMUP [AGAINST]]]]]     (25,500 20 3 60 all)
#
# With AGAINST (slicewise:, jmeter-n, k6 or gatling) two generators take turns in pairs.
set -euo pipefail
cd "$(dirname "$0")/.."
loads=${1:-25,500} seconds=${2:-20} rounds=${3:-3} warmup=${4:-60} against=${5:-}
plan=$PWD/jmeter-plans/web-app.jmx

[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -d "$work/classes" -cp "target/classes:target/lib/*" bench/GeneratorBench.java

command -v nginx >/dev/null || apt-get install -qq -y --no-install-recommends nginx-light
stock=$work/jmeter
bench/stock-jmeter.sh "$stock"

# The heap and collector of JMeter's own start script.
contenders=(slicewise slicewise:slicewise.http-client=jmeter
  "jmeter-n=java,-Xms1g,-Xmx1g,-XX:MaxMetaspaceSize=256m,-XX:+UseG1GC,\
-XX:MaxGCPauseMillis=100,-XX:G1ReservePercent=20,-Djava.awt.headless=true,\
-jar,$stock/bin/ApacheJMeter.jar,-n,-t,$plan,-l,{out}/samples.jtl,-j,{out}/jmeter.log,\
-Jhost=127.0.0.1,-Jport={port},-Jusers={users},-Jduration={seconds}")
k6=${K6:-$(command -v k6 || true)}
if [ -z "$k6" ] && command -v go >/dev/null; then
  GOBIN=$work GOFLAGS=-modcacherw go install go.k6.io/k6@v0.57.0
  k6=$work/k6
fi
if [ -n "$k6" ]; then
  contenders+=("k6=$k6,run,--quiet,-e,PORT={port},-e,USERS={users},-e,SECONDS={seconds},\
$PWD/bench/generator.js")
fi
if [ -n "${GATLING_HOME:-}" ]; then
  javac -nowarn -d "$work/gatling" -cp "$GATLING_HOME/lib/*" bench/gatling/PageSimulation.java
  contenders+=("gatling=java,-server,-Xmx1G,-XX:+HeapDumpOnOutOfMemoryError,-XX:MaxInlineLevel=20,\
-XX:MaxTrivialSize=12,-Dport={port},-Dusers={users},-Dseconds={seconds},\
-cp,$work/gatling:$GATLING_HOME/lib/*,io.gatling.app.Gatling,-s,PageSimulation,-nr,-rf,{out}")
fi

for i in "${!contenders[@]}"; do
  [[ $i = 0 || ${contenders[i]} = "$against"* ]] || unset "contenders[i]"
done

for users in ${loads//,/ }; do
  java -Dslicewise.home="$PWD" -cp "$work/classes:target/classes:target/lib/*" GeneratorBench \
    "$plan" "$work" "$users" "$warmup" "$seconds" "$rounds" "${contenders[@]}"
done
