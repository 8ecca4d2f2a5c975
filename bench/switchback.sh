#!/usr/bin/env bash
# Half-widths of the changes of profiles: switchback sessions against trials at the same wall time on the lab, side by side.
# Usage: bench/switchback.sh [SESSIONS [BLOCKS [WINDOW [MEASURE [SCATTER]]]]], by default 6 sessions of 3 blocks of 2 s windows at
# each load, against trials that measure 6 s, on a lab whose starts differ by 5 % (0: not at all, which no real host achieves).
# With very few blocks of trials most of their half-width is Student's t; the ratio of standard errors is free of that.
# A kept directory of results: RESULTS=DIR bench/switchback.sh.
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
sessions=${1:-6} blocks=${2:-3} window=${3:-2s} measure=${4:-6s} scatter=${5:-5}
results=${RESULTS:-}
if [[ -z $results ]]; then
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
fi
mkdir -p "$results"

experiment() { # NAME DESIGN: writes an experiment with that design
  awk -v design="$2" -v scatter="$scatter" '{ sub(/SCATTER/, scatter); print $0 == "DESIGN" ? design : $0 }' "$home/bench/switchback.yaml" >"$results/$1.yaml"
}

run() { # NAME: runs it and prints the wall time in whole seconds
  local begin=$SECONDS
  "$slicewise" run --quiet --results "$results/$1" "$results/$1.yaml" >"$results/$1.txt" || true
  echo $((SECONDS - begin))
}

experiment switchback "design: {kind: switchback, sessions: $sessions, blocks: $blocks, window: $window}"
wall=$(run switchback)
experiment trials "$(printf '%s\n' 'repetitions: 2' "measure: $measure" \
  "stop: {precision: 0.1%, within: {trials: 100, time: ${wall}s}}")"
trials=$(run trials)
for design in switchback trials; do
  "$slicewise" compare --format json "$results/$design"/*/ >"$results/$design.json" || true
done

python3 - "$results" "$wall" "$trials" <<'PYTHON'
import json, pathlib, sys

results = pathlib.Path(sys.argv[1])
half = {}
basis = {}
for design in ("switchback", "trials"):
    told = json.loads((results / f"{design}.json").read_text())["comparison"]
    for one in told["comparisons"]:
        if one["metric"] in ("throughput", "mean", "p95") and one["low"] is not None:
            key = (one["metric"], one["users"], one["profile"])
            half.setdefault(key, {})[design] = (
                one["percent"], (one["high"] - one["low"]) / 2, one["effect"]["standardError"])
            basis[design] = one["basis"]
print(f"wall time: switchback {sys.argv[2]} s (intervals over {basis['switchback']}), trials {sys.argv[3]} s (over {basis['trials']})")
print(f"{'metric':<11}{'users':>6}  {'profile':<18}{'switchback %':>18}{'trials %':>18}{'ratio':>7}{'of errors':>11}")
ratios = []
errors = []
for key, both in sorted(half.items()):
    cells = []
    for design in ("switchback", "trials"):
        cells.append("{:+.1f} ± {:.1f}".format(*both[design][:2]) if design in both else "–")
    ratio = both["switchback"][1] / both["trials"][1] if len(both) == 2 and both["trials"][1] else None
    error = None
    if ratio is not None:
        error = both["switchback"][2] / both["trials"][2]
        ratios.append(ratio)
        errors.append(error)
    print(f"{key[0]:<11}{key[1]:>6}  {key[2]:<18}{cells[0]:>18}{cells[1]:>18}{'–' if ratio is None else f'{ratio:.2f}':>7}{'–' if error is None else f'{error:.2f}':>11}")
if ratios:
    ratios.sort()
    errors.sort()
    print(f"median ratio of half-widths {ratios[len(ratios) // 2]:.2f}, of standard errors"
          f" {errors[len(errors) // 2]:.2f}; half-widths at most 1/2 in {sum(r <= 0.5 for r in ratios)} of {len(ratios)}")
PYTHON
