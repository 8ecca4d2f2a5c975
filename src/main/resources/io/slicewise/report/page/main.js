/* Puts everything in its place. */

mountThemeSwitch(document.getElementById("theme"));

const overview = document.getElementById("overview-list");
if (data.past.length > 0) {
  mountPast(overview);
}
if (data.changes.length > 0) {
  mountChart(forestChart(), overview);
}
if (data.loads.length > 1 && has("throughput") && ["mean", "p50", "p95", "p99"].some(has)) {
  mountChart(capacityChart(), overview);
}
if (overview?.childElementCount === 0) {
  overview.parentElement.remove();
  document.querySelector('nav a[href="#overview"]').remove();
}
if (document.getElementById("chart-list")) {
  mountCharts(document.getElementById("chart-list"));
}
drawWhenSeen();
[["tables", mountTables], ["trial-list", mountTrials]].forEach(([id, mount]) => {
  const place = document.getElementById(id);
  if (place) {
    mount(place);
  }
});
document.getElementById("drill").addEventListener("close", disposeDrill);
onTheme(() => {
  const current = document.querySelector("#drill[open] tr[aria-current] button");
  if (current) {
    current.click();
  }
});

/** The charts of a run's cells and trials. */
function mountCharts(chartList) {
  const meanOf = "Arithmetic mean of " + (data.sessions.length > 0 ? "sessions, between which levels differ," : "trials")
    + " with its 95 % interval, grouped by load.";
  const switched = data.trials.rows.some((trial) => trial.place.length > 0);
  if (data.tune) {
    if (hasRace()) {
      mountChart(raceChart(), chartList);
    }
    if (hasSurface()) {
      mountChart(surfaceChart(), chartList);
    }
    if (hasConfirmation()) {
      mountChart(confirmationChart(), chartList);
    }
  }
  if (switched) {
    if (data.courses.length > 0) {
      mountChart(pairsChart(), chartList);
    }
    if (data.sessions.length > 0) {
      mountChart(effectsChart(), chartList);
    }
    mountChart(courseChart(), chartList);
  }
  if (has("throughput")) {
    mountChart(loadChart("throughput", "Throughput by load",
      meanOf + " More is better.", ["throughput"]), chartList);
  }
  const times = ["mean", "p50", "p95", "p99"].filter(has);
  if (times.length > 0) {
    mountChart(loadChart("response", "Response time by load",
      meanOf + " Less is better.", times), chartList);
  }
  if (data.cells.some((cell) => cell.curve.length > 0)) {
    mountChart(percentileChart(), chartList);
  }
  if (data.domains.length > 0) {
    mountChart(sharesChart(), chartList);
  }
  if (has(data.primary)) {
    data.grids.forEach((grid, place) => mountChart(gridChart(grid, place), chartList));
    if (!switched) {
      mountChart(repetitionsChart(), chartList);
      mountChart(orderChart(), chartList);
    }
  }
  if (chartList.childElementCount === 0) {
    chartList.append(el("p", {}, "No valid trial yet, so there is nothing to draw."));
  }
}
