#!/usr/bin/env bash
# What a run answers on a machine that other programs use: switchback sessions on the lab beside busy processes, with --anyway, once of
# two profiles with the same settings and once of two that differ by far. Prints a Markdown table; ends with 1 if a run beside busy
# processes makes a claim. Usage: bench/busy-lab.sh [LOAD...], by default 0 1 2 4 8 20: LOAD is the number of busy processes, or
# LOAD/SECONDS for processes that work and rest in turn for so long (4/6). A kept directory of results: RESULTS=DIR bench/busy-lab.sh.
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
slicewise=${SLICEWISE:-$home/slicewise}
results=${RESULTS:-}
if [[ -z $results ]]; then
  results=$(mktemp -d)
fi
mkdir -p "$results"
burners=()

busy() { # NUMBER SECONDS: starts that many processes that compute; with SECONDS, they rest in turn for as long
  for ((i = 0; i < $1; i++)); do
    if [[ -z $2 ]]; then
      (while :; do :; done) &
    else
      (while :; do
        end=$((SECONDS + $2))
        while ((SECONDS < end)); do :; done
        sleep "$2"
      done) &
    fi
    burners+=("$!")
  done
}

rest() {
  ((${#burners[@]} == 0)) || kill "${burners[@]}" 2>/dev/null || true
  burners=()
}

end() {
  rest
  [[ -n ${RESULTS:-} ]] || rm -rf "$results"
}
trap end EXIT

run() { # LOAD PAIR PROFILE
  local name="${2// /-}-${1/\//-}" code=0 seconds=""
  [[ $1 != */* ]] || seconds=${1#*/}
  sed "s/PROFILE/$3/" "$home/bench/busy-lab.yaml" >"$results/$name.yaml"
  busy "${1%/*}" "$seconds"
  "$slicewise" run --quiet --anyway --results "$results/$name" "$results/$name.yaml" >"$results/$name.txt" 2>&1 || code=$?
  rest
  "$slicewise" recommend --format json "$results/$name"/*/ >"$results/$name.json" || true
  python3 - "$1" "$2" "$code" "$results/$name.json" <<'PYTHON'
import json, re, sys

load, pair, code, file = sys.argv[1:]
answer = json.load(open(file))["answer"]
doubts = [re.match(r"(\d+) of (\d+) windows are in doubt", caveat) for caveat in answer["caveats"]]
doubts = [found for found in doubts if found]
doubt = f"{doubts[0][1]} of {doubts[0][2]}" if doubts else "none"
effects = [claim["effect"] for claim in answer["claims"] if claim["effect"]]
change = "–"
if effects and effects[0]["low"] is not None:
    change = "{percent:+.1f} [{low:+.1f}, {high:+.1f}]".format(**effects[0])
claims = answer["kind"] in ("USE", "KEEP", "use", "keep")
print(f"| {load} | {pair} | {doubt} | {change} | {answer['grade'].lower().replace('_', ' ')} | {answer['kind'].lower()} | {code} |", flush=True)
sys.exit(1 if claims and load != "0" else 0)
PYTHON
}

loads=("$@")
((${#loads[@]})) || loads=(0 1 2 4 8 20)
claims=0
echo "| busy processes | profiles | windows in doubt | change of mean, % | grade | answer | exit code |"
echo "|---:|---|---:|---:|---|---|---:|"
for load in "${loads[@]}"; do
  run "$load" "same settings" "{name: same, scheduler: credit, main: {weight: 256}}" || claims=1
  run "$load" "web-first" "{name: web-first, scheduler: credit, main: {weight: 1024}}" || claims=1
done
exit "$claims"
