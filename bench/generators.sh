#!/usr/bin/env bash
# Two generators over SSH (of the embedded lab) beside two of JMeter's own servers (started from the
# same jars, with a keystore of their own), on one page, in turns: samples a second, CPU time a
# sample here and there, ports on which the generators listen besides SSH, and the time from the end
# of one of them until it is known here.
#
#   bench/generators.sh [USERS [SECONDS [ROUNDS [WARMUP]]]]     (20 20 3 15)
set -euo pipefail
cd "$(dirname "$0")/.."
users=${1:-20} seconds=${2:-20} rounds=${3:-3} warmup=${4:-15}

[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
path="$work/classes:$PWD/target/classes:$PWD/target/lib/*:$PWD/target/lab/*"
javac -nowarn -d "$work/classes" -cp "$path" bench/GeneratorsBench.java

bench/stock-jmeter.sh "$work/jmeter"
password=$(head -c 18 /dev/urandom | base64)
(umask 077 && echo "$password" >"$work/password" &&
  echo "server.rmi.ssl.keystore.password=$password" >>"$work/jmeter/bin/user.properties")
keytool -genkeypair -keyalg RSA -alias rmi -dname CN=rmi -validity 1 -storetype JKS \
  -keystore "$work/jmeter/bin/rmi_keystore.jks" -storepass:file "$work/password" \
  -keypass:file "$work/password" 2>/dev/null

java -Dslicewise.home="$PWD" -Dslicewise.cache.jmeter-servers="$work/marks" -cp "$path" \
  GeneratorsBench "$PWD/jmeter-plans/page.jmx" "$work" "$work/jmeter" "$work/password" \
  "$users" "$warmup" "$seconds" "$rounds"
