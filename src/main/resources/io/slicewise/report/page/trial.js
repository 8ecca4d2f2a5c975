/* The trials behind a point: a list, and what happened in one of them by time. */

let drillChart = null;

function openCell(profile, load) {
  const trials = trialsOf(profile, load);
  openDrill(profileName(profile) + " at " + loadText(load), trials,
    trials.find((t) => t.valid) || trials[0]);
}

function openTrial(number) {
  const trial = trialsByNumber.get(number);
  openDrill(profileName(trial.profile) + " at " + loadText(trial.load),
    trialsOf(trial.profile, trial.load), trial);
}

function openDrill(title, trials, first) {
  const dialog = document.getElementById("drill");
  const place = el("div", { class: "one-trial" });
  const show = (trial, row) => {
    dialog.querySelectorAll("tr[aria-current]").forEach((r) => r.removeAttribute("aria-current"));
    row.setAttribute("aria-current", "true");
    showTrial(trial, place);
  };
  const rows = new Map();
  const body = el("tbody", {}, trials.map((trial) => {
    const row = el("tr", {},
      el("th", { scope: "row" }, action(UNIT + " " + trial.number, "Show " + UNIT + " " + trial.number,
        () => show(trial, row))),
      el("td", {}, String(trial.block)),
      data.metrics.map((m) => el("td", {}, fixed(
        valueOf(trial, m.key) === undefined ? null : valueOf(trial, m.key) * m.scale, m.digits))),
      el("td", { class: "name" }, verdictOf(trial)));
    rows.set(trial, row);
    return row;
  }));
  disposeDrill();
  dialog.replaceChildren(
    el("div", { class: "drill-head" },
      el("h2", { id: "drill-title" }, title, " ", originMark()),
      el("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close")),
    trials.length === 0 ? el("p", {}, "No " + UNIT + " of this cell has a result.") : el("div", { class: "wide few",
      tabindex: "0", role: "group", "aria-label": "Trials of this cell" },
    el("table", { class: "numbers" }, el("caption", {}, plural(trials.length, UNIT)),
      el("thead", {}, el("tr", {}, [UNIT, "block", ...data.metrics.map((m) => (m.key === "errors" ? "failed" : m.key)
        + " " + m.unit),
        "counts"].map((h) => el("th", { scope: "col" }, h)))), body)),
    place);
  dialog.showModal();
  if (first) {
    show(first, rows.get(first));
  }
}

function verdictOf(trial) {
  const reasons = trial.why.slice(0, trial.reasons).map((i) => data.trials.sentences[i]);
  return trial.valid ? "yes" : "no: " + reasons.join("; ");
}

function disposeDrill() {
  if (drillChart) {
    drillChart.dispose();
    drillChart = null;
  }
}

function showTrial(trial, place) {
  const canvas = el("div", { class: "canvas", role: "img",
    "aria-label": "Time series of trial " + trial.number });
  const warnings = trial.why.slice(trial.reasons).map((i) => data.trials.sentences[i]);
  const shares = Object.keys(trial.lines.shares);
  const drawn = trial.lines.rate.length > 0 || shares.length > 0;
  disposeDrill();
  place.replaceChildren(
    el("h3", {}, "Trial " + trial.number),
    el("p", { class: "aside" }, "Window of " + fixed(trial.length, 1) + " s from " + trial.start
      + "; " + fixed(trial.warmUp, 1) + " s of warm-up before it (shaded) are not counted."
      + (data.trials.step > 1 ? " One point covers " + data.trials.step
        + " s; its p95 is the highest of these seconds." : "")),
    warnings.length ? el("ul", {}, warnings.map((w) => el("li", {}, w))) : null,
    drawn ? canvas : el("p", {}, "No series was recorded for this " + UNIT + "."),
    drawn ? seriesTable(trial) : null, labelTable(trial));
  if (drawn) {
    canvas.style.height = drillHeight((trial.lines.rate.length ? 2 : 0) + (shares.length ? 1 : 0)) + "px";
    drillChart = echarts.init(canvas, null, { renderer: "svg" });
    drillChart.setOption(common(trialOption(trial), "Trial " + trial.number));
    canvas.dataset.drawn = "yes";
  }
}

function drillHeight(panels) {
  return 90 + 150 * panels;
}

/** The time of a point: the middle of its interval. */
function moment(index, trial) {
  const step = data.trials.step;
  return (index * step + Math.min(trial.length, (index + 1) * step)) / 2;
}

function trialOption(trial) {
  const c = colours();
  const shares = Object.entries(trial.lines.shares);
  const panels = [];
  if (trial.lines.rate.length > 0) {
    panels.push({ name: "requests/s", of: [["rate", trial.lines.rate, look(trial.profile).colour, "solid"],
      ["failed", trial.lines.failed.map((n) => n / data.trials.step), c.ink, [4, 3]]] });
    panels.push({ name: "p95 in ms", of: [["p95", trial.lines.p95, look(trial.profile).colour, "solid"]] });
  }
  if (shares.length > 0) {
    panels.push({ name: "% of vCPU time", of: shares.flatMap(([domain, [run, wait]], i) => [
      [data.domains[domain] + " run", run.map(share), look(i + 3).colour, "solid"],
      [data.domains[domain] + " wait", wait.map(share), look(i + 3).colour, [3, 3]]]) });
  }
  const lines = panels.flatMap((panel, row) => panel.of.filter(([, values]) => values.length)
    .map(([name, values, colour, dash], i) => ({
      type: "line", name, xAxisIndex: row, yAxisIndex: row, showSymbol: values.length < 40,
      symbolSize: 5, itemStyle: { color: colour }, lineStyle: { width: 1.8, type: dash },
      data: values.map((value, index) => [moment(index, trial), known(value) ? value : null]),
      markArea: i > 0 || !(trial.warmUp > 0) ? undefined : { silent: true,
        itemStyle: { color: c.band }, label: { color: c.muted, position: "insideTop", fontSize: 11 },
        data: [[{ xAxis: -trial.warmUp, name: row === 0 ? "warm-up" : "" }, { xAxis: 0 }]] } })));
  const keys = legend(lines.map((line) => line.name));
  const above = keys.room + 12;
  const room = (drillHeight(panels.length) - above - 50) / panels.length;
  return {
    legend: keys,
    tooltip: { trigger: "axis", formatter: (items) => tipLines([
      clock(items[0].value[0]) + " in the window",
      ...items.map((item) => item.seriesName + " " + fixed(item.value[1], 1))]) },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    grid: panels.map((_, row) => ({ left: 62, right: 20,
      top: above + 26 + row * room, height: room - 40 })),
    xAxis: panels.map((_, row) => axis({ type: "value", gridIndex: row, min: -trial.warmUp,
      max: trial.length, name: row === panels.length - 1 ? "seconds since the start of the window" : "",
      nameLocation: "middle", nameGap: 28, splitLine: { show: false },
      axisLabel: { show: row === panels.length - 1 } })),
    yAxis: panels.map((panel, row) => axis({ type: "value", gridIndex: row, name: panel.name,
      splitNumber: 3, axisLine: { onZero: false, lineStyle: { color: c.line } }, nameTextStyle: { align: "left", padding: [0, 0, 0, -46] } })),
    series: lines,
  };
}

function share(thousandths) {
  return thousandths < 0 ? null : thousandths / 10;
}

function seriesTable(trial) {
  const shares = Object.entries(trial.lines.shares);
  const count = Math.max(trial.lines.rate.length, ...shares.map(([, [run]]) => run.length));
  const holder = el("div", { class: "wide", tabindex: "0", role: "group",
    "aria-label": "Numbers of trial " + trial.number });
  return el("details", { ontoggle: (event) => {
    if (event.target.open && !holder.firstChild) {
      holder.append(tableOf("Trial " + trial.number + " by time", {
        head: ["from second", "requests/s", "p95 ms", "failed",
          ...shares.flatMap(([d]) => [data.domains[d] + " run %", data.domains[d] + " wait %"])],
        rows: Array.from({ length: count }, (_, i) => ({ cells: [String(i * data.trials.step),
          fixed(trial.lines.rate[i], 1), fixed(trial.lines.p95[i], 0),
          String(trial.lines.failed[i] || 0),
          ...shares.flatMap(([, [run, wait]]) => [fixed(share(run[i]), 1), fixed(share(wait[i]), 1)])] })),
      }));
    }
  } }, el("summary", {}, "The same numbers as a table"), holder);
}

function labelTable(trial) {
  if (!data.trials.labelsKept) {
    return el("p", { class: "aside" }, "Numbers by label are omitted on a page with this many trials; "
      + "see each trial's trial.json.");
  }
  if (trial.labels.length === 0) {
    return null;
  }
  return el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Requests by label" },
    tableOf("Requests by label", {
      head: ["label", "requests", "failed", "requests/s", "mean ms", "p95 ms"],
      rows: trial.labels.map(([label, samples, failed, rate, mean, p95]) => ({ cells: [
        data.trials.labels[label], String(samples), String(failed), fixed(rate, 1), fixed(mean, 1),
        fixed(p95, 0)] })),
    }));
}
