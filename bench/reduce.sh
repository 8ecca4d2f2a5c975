#!/usr/bin/env bash
# Times `slicewise reduce` beside other readers of the same result file and prints ratios.
# What counts is CPU time of the whole process, user and system, start included; wall time depends
# on who else is at work. Usage: bench/reduce.sh [--rows N] [--rounds N] [--jmeter]
# --jmeter adds JMeter's own report generator, which takes over a minute for 5,000,000 rows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rows=5000000 rounds=3 jmeter=no
while [[ $# -gt 0 ]]; do
  case $1 in
    --rows) rows=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    --jmeter) jmeter=yes; shift ;;
    *) sed -n '2,5p' "$0" >&2; exit 2 ;;
  esac
done

./slicewise --version >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
csv=$work/samples.csv xml=$work/samples.xml
java src/test/java/io/slicewise/load/jtl/LargeFile.java csv "$rows" "$csv"
java src/test/java/io/slicewise/load/jtl/LargeFile.java xml $((rows * 2 / 5)) "$xml"

# Means, deviations and percentiles by label; joins a quoted label that its comma has split, and
# passes over the rest of a failure message that stands on a line of its own.
cat >"$work/labels.awk" <<'AWK'
NR > 1 && $1 ~ /^[0-9]+$/ && length($1) == 13 {
  label = $3
  for (i = 4; label ~ /^"/ && label !~ /"$/; i++) label = label "," $i
  n[label]++; sum[label] += $2; squares[label] += $2 * $2; seen[label, $2]++
  if ($2 > largest[label]) largest[label] = $2
}
END {
  for (label in n) {
    below = 0; line = label " " n[label] " " sum[label] / n[label]
    line = line " " sqrt((squares[label] - sum[label] ^ 2 / n[label]) / (n[label] - 1))
    split("0.5 0.95 0.99", shares, " "); next_share = 1
    for (t = 0; t <= largest[label] && next_share <= 3; t++) {
      below += seen[label, t]
      while (next_share <= 3 && below >= shares[next_share] * n[label]) { line = line " " t; next_share++ }
    }
    print line
  }
}
AWK

cat >"$work/labels.py" <<'PYTHON'
import sys, duckdb
names = "timeStamp elapsed label responseCode responseMessage threadName dataType success failureMessage bytes sentBytes grpThreads allThreads URL Latency IdleTime Connect".split()
whole = {"timeStamp", "elapsed", "bytes", "sentBytes", "grpThreads", "allThreads", "Latency", "IdleTime", "Connect"}
columns = ",".join("'%s':'%s'" % (name, "BIGINT" if name in whole else "VARCHAR") for name in names)
connection = duckdb.connect()
connection.execute("SET threads=1")
print(connection.execute(
    "select label, count(*), avg(elapsed), stddev_samp(elapsed), quantile_disc(elapsed, [0.5, 0.95, 0.99])"
    " from read_csv('%s', header=true, delim=',', quote='\"', escape='\"', columns={%s}) group by label"
    % (sys.argv[1], columns)).fetchall())
PYTHON

cat >"$work/polars.py" <<'PYTHON'
import sys, polars
elapsed = polars.col("elapsed")
percentiles = [elapsed.quantile(share, "higher").alias(str(share)) for share in (0.5, 0.95, 0.99)]
print(polars.scan_csv(sys.argv[1]).group_by("label").agg(
    polars.len(), elapsed.mean().alias("mean"), elapsed.std().alias("deviation"), *percentiles).collect(engine="streaming"))
PYTHON

# CPU seconds of one run.
cpu() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# Runs the functions named, one after the other, in every round, so that whoever else is at work on
# the machine is so for all of them; then prints the median of each, beside those of the first two.
side_by_side() {
  local round name seconds floor= ours=
  for ((round = 0; round < rounds; round++)); do
    for name in "$@"; do cpu "$name" >>"$work/$name.times"; done
  done
  for name in "$@"; do
    seconds=$(sort -n "$work/$name.times" | sed -n "$(((rounds + 1) / 2))p")
    floor=${floor:-$seconds}
    [[ $name == wc_* ]] || ours=${ours:-$seconds}
    awk -v name="$name" -v s="$seconds" -v floor="$floor" -v ours="${ours:-0}" \
      'BEGIN { printf "%-24s %8.2f CPU-s %8.1f x wc -l", name, s, s / floor
               if (ours > 0) printf " %8.2f x slicewise", s / ours
               print "" }'
  done
}

wc_csv() { wc -l "$csv"; }
wc_xml() { wc -l "$xml"; }
slicewise_csv() { ./slicewise reduce "$csv"; }
slicewise_2_threads() { ./slicewise reduce --threads 2 "$csv"; }
slicewise_xml() { ./slicewise reduce "$xml"; }
gawk_csv() { LC_ALL=C gawk -F, -f "$work/labels.awk" "$csv"; }
mawk_csv() { LC_ALL=C mawk -F, -f "$work/labels.awk" "$csv"; }
duckdb_1_thread() { python3 "$work/labels.py" "$csv"; }
polars_1_thread() { POLARS_MAX_THREADS=1 python3 "$work/polars.py" "$csv"; }
jmeter_g() { java -Xmx1g -cp 'target/lib/*' bench/JMeterReport.java "$csv" "$work/report$RANDOM"; }

# The first run leaves the archive of classes behind that the next ones start from.
head -n 1000 "$csv" >"$work/few.csv"
./slicewise reduce "$work/few.csv" >/dev/null

csv_readers=(wc_csv slicewise_csv slicewise_2_threads)
for awk in gawk mawk; do
  if command -v $awk >/dev/null; then csv_readers+=("${awk}_csv"); fi
done
if python3 -c 'import duckdb' 2>/dev/null; then csv_readers+=(duckdb_1_thread); fi
if python3 -c 'import polars' 2>/dev/null; then csv_readers+=(polars_1_thread); fi
if [[ $jmeter == yes ]]; then csv_readers+=(jmeter_g); fi

echo "CSV, $rows rows, $(du -m "$csv" | cut -f1) MB"
side_by_side "${csv_readers[@]}"
echo "XML, $((rows * 2 / 5)) rows, $(du -m "$xml" | cut -f1) MB"
side_by_side wc_xml slicewise_xml
