#!/usr/bin/env bash
# Prints how many pages a second the sample web application serves, on a database of yours.
# Usage: bench/target.sh JDBC_URL USER [SECONDS]   (a PostgreSQL or MariaDB without a password)
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
url=$1 user=$2 seconds=${3:-8}
files=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$files"' EXIT
"${SLICEWISE:-$home/slicewise}" target web-app --db "$url" --db-user "$user" --files "$files/www" --sample-files --host 127.0.0.1 --port 0 > "$files/out" &
server=$!
until grep -q serving "$files/out"; do kill -0 "$server"; sleep 0.2; done
page=$(sed -n 's/^serving \(.*\) until.*/\1/p' "$files/out")
for connections in 8 100 800; do
  java "$home/bench/TargetBench.java" "$page" "$server" "$connections" "$seconds"
done
