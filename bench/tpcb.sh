#!/usr/bin/env bash
# Transactions a second of the workload tpcb beside pgbench's on the same embedded PostgreSQL, with
# the same transaction, clients and scale. Both are warmed up and then take turns; medians.
# Needs pgbench (Debian: postgresql-contrib), or PGBENCH names it.
#
#   bench/tpcb.sh [CLIENTS,CLIENTS… [TURN [TURNS [WARMUP [SCALE]]]]]     (1,4,16 2 15 30 10)
set -euo pipefail
cd "$(dirname "$0")/.."
loads=${1:-1,4,16} turn=${2:-2} turns=${3:-15} warmup=${4:-30} scale=${5:-10}
pgbench=${PGBENCH:-$(command -v pgbench || ls -v /usr/lib/postgresql/*/bin/pgbench 2>/dev/null | tail -1)}
[ -n "$pgbench" ] || { echo "pgbench is missing: install it, or name it by PGBENCH" >&2; exit 2; }

[ -d target/lib ] || mvn -B -q -DskipTests package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -d "$work/classes" -cp "target/classes:target/lib/*" bench/TpcbBench.java
for clients in ${loads//,/ }; do
  mkdir "$work/$clients"
  java -Dslicewise.home="$PWD" -cp "$work/classes:target/classes:target/lib/*" TpcbBench \
    "$pgbench" "$work/$clients" "$clients" "$warmup" "$turn" "$turns" "$scale"
done
