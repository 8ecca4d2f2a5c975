#!/usr/bin/env bash
# Times `recommend` and `report` through the launcher, medians of 5: of two demonstration runs and of
# the 125-hour study, simulated unless run directories are given. With `large`: makes a run of 2,500
# trials and 100 million samples with the program's own writers, times its report in a JVM of 512 MB
# and opens the page in Chromium (which must be installed).
# Usage: bench/report.sh [DIR...] | bench/report.sh large
# To compare two versions, run it in both working trees on the same directories, on an idle machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [[ ${1:-} == large ]]; then
  mvn -B -q test-compile dependency:build-classpath -Dmdep.outputFile=target/bench.cp
  bench() { java -Xmx512m -cp "target/test-classes:target/classes:$(cat target/bench.cp)" \
    io.slicewise.report.page.ReportBench "$@"; }
  # 25 profiles x 5 loads x 20 repetitions of 180 s; 40,000 samples each.
  bench make "$scratch/run" 4 6 "50, 100, 200, 300, 400" 20 180 40000
  bench report "$scratch/run"
  bench open "$scratch/run"
  exit
fi

# Seconds, CPU seconds and megabytes of a command: the median of five runs by seconds.
median() {
  for _ in 1 2 3 4 5; do
    /usr/bin/time -o "$scratch/time" -f '%e %U %S %M' ./slicewise "$@" >/dev/null || true
    tail -n 1 "$scratch/time"
  done | sort -n | sed -n 3p | awk '{printf "%6.2f s %6.2f CPU-s %5d MB", $1, $2 + $3, $4 / 1024}'
}

runs=("$@")
if ((!$#)); then
  for file in demo web-app; do
    ./slicewise simulate "experiments/$file.yaml" --out "$scratch/runs" --quiet >/dev/null || true
  done
  runs=("$scratch"/runs/*)
fi
./slicewise runs "$scratch" >/dev/null 2>&1 || true # makes the archive of classes
printf '%-28s %s\n' --help "$(median --help)"
for run in "${runs[@]}"; do
  for command in recommend report; do
    printf '%-9s %-28s %s\n' "$command" "${run##*/}" "$(median "$command" "$run")"
  done
done
