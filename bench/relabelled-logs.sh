#!/usr/bin/env bash
# What pairs would wrongly show of a site's own log: its windows are called incumbent and candidate by a coin, 10,000 times;
# then what whole studies, with their guard, conclude about harm on it.
#
#   bench/relabelled-logs.sh FORMAT[=LINE] FILE...      FORMAT: nginx apache haproxy caddy; files may be gzipped
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -d "$work" -cp "target/classes:target/lib/*" bench/RelabelledLogs.java bench/HarmOnLogs.java
java -Xmx1g -cp "$work:target/classes:target/lib/*" RelabelledLogs "$@"
