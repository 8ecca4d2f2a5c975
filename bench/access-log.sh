#!/usr/bin/env bash
# Lines per second of the readers of access logs, and the CPU time of a line.
#
#   bench/access-log.sh FILE FORMAT [LINE]      FORMAT: nginx apache haproxy caddy; FILE may be gzipped
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -d "$work" -cp "target/classes:target/lib/*" bench/AccessLogBench.java
java -Xmx1g -cp "$work:target/classes:target/lib/*" AccessLogBench "$@"
