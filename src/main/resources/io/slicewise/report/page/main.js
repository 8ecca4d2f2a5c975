/* Puts everything in its place. */

mountThemeSwitch(document.getElementById("theme"));

const chartList = document.getElementById("chart-list");
const has = (key) => data.metrics.some((metric) => metric.key === key);
if (has("throughput")) {
  mountChart(loadChart("throughput", "Throughput by load",
    "Mean of trials with its 95 % interval, grouped by load. More is better.", ["throughput"]), chartList);
}
const times = ["mean", "p50", "p95", "p99"].filter(has);
if (times.length > 0) {
  mountChart(loadChart("response", "Response time by load",
    "Mean of trials with its 95 % interval, grouped by load. Less is better.", times), chartList);
}
if (data.cells.some((cell) => cell.curve.length > 0)) {
  mountChart(percentileChart(), chartList);
}
if (data.domains.length > 0) {
  mountChart(sharesChart(), chartList);
}
if (has(data.primary)) {
  data.grids.forEach((grid, place) => mountChart(gridChart(grid, place), chartList));
  mountChart(repetitionsChart(), chartList);
  mountChart(orderChart(), chartList);
}
if (chartList.childElementCount === 0) {
  chartList.append(el("p", {}, "No valid trial has given a number to draw yet."));
}
drawWhenSeen();
mountTables(document.getElementById("tables"));
mountTrials(document.getElementById("trial-list"));
document.getElementById("drill").addEventListener("close", disposeDrill);
onTheme(() => {
  const current = document.querySelector("#drill[open] tr[aria-current] button");
  if (current) {
    current.click();
  }
});
