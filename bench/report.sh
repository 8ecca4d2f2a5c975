#!/usr/bin/env bash
# Makes a run directory of 2,500 trials and 100 million samples with the program's own writers, and
# times its report in a JVM of 512 MB, then opens the page in Chromium (which must be installed).
# Usage: bench/report.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mvn -B -q test-compile dependency:build-classpath -Dmdep.outputFile=target/bench.cp
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
bench() { java -Xmx512m -cp "target/test-classes:target/classes:$(cat target/bench.cp)" \
  io.slicewise.report.page.ReportBench "$@"; }

# 25 profiles x 5 loads x 20 repetitions of 180 s; 40,000 samples each.
bench make "$run/run" 4 6 "50, 100, 200, 300, 400" 20 180 40000
bench report "$run/run"
bench open "$run/run"
