#!/usr/bin/env bash
# What a sweep costs beside its measuring: wall time of the whole run, from taking the host up to
# giving it back, over the sum of its warm-ups and measured windows. Usage: bench/sweep.sh [FILE]
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
experiment=${1:-$home/bench/sweep.yaml}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

"$home/slicewise" run --quiet --results "$results" "$experiment" >"$results/table.txt" || true

python3 - "$results"/*/ <<'PYTHON'
import datetime, json, pathlib, sys

run = pathlib.Path(sys.argv[1])
events = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]

def moment(text):
    text = text.rstrip("Z")
    whole, _, part = text.partition(".")
    return datetime.datetime.fromisoformat(whole).timestamp() + float("0." + (part or "0"))

started = min(moment(e["at"]) for e in events if e["event"] == "run-started")
ended = max(moment(e["at"]) for e in events if e["event"] == "run-ended")
trials = [json.loads(f.read_text()) for f in sorted(run.glob("trials/*/trial.json"))]
measured = sum(
    moment(t[w]["end"]) - moment(t[w]["start"]) for t in trials for w in ("warmUp", "window"))
print(f"{len(trials)} trials  wall {ended - started:.1f} s  warm-ups and windows {measured:.1f} s  "
      f"ratio {(ended - started) / measured:.3f}")
steps = {}
for t in trials:
    for step, seconds in t["stepSeconds"].items():
        steps[step] = steps.get(step, 0) + seconds
print("  a trial:  " + "  ".join(f"{s} {v / len(trials):.2f} s" for s, v in steps.items()))
PYTHON
