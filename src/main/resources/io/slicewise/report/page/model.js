/* The data block, and the ways the charts look things up in it. */

const data = JSON.parse(document.getElementById("data").textContent);
const METRIC_KEYS = ["throughput", "mean", "p50", "p95", "p99", "errors"];

const cellsByPlace = new Map(data.cells.map((cell) => [cell.load + "/" + cell.profile, cell]));
const trialsByNumber = new Map(data.trials.rows.map((trial) => [trial.number, trial]));

function cellOf(profile, load) {
  return cellsByPlace.get(load + "/" + profile);
}

function trialsOf(profile, load) {
  return data.trials.rows.filter((t) => t.profile === profile && t.load === load);
}

/** Whether any cell has the metric. */
function has(key) {
  return data.metrics.some((metric) => metric.key === key);
}

function scaleOf(key) {
  return data.metrics.find((metric) => metric.key === key);
}

/** A trial's value of a metric; undefined if it has none. */
function valueOf(trial, key) {
  const value = trial.metrics[METRIC_KEYS.indexOf(key)];
  return known(value) ? value : undefined;
}

function profileName(place) {
  return data.profiles[place].name;
}

function loadText(load) {
  return data.loads[load].text;
}

/** The headings of a load's columns, and its fields. */
const LOAD_HEADS = data.axes.map((axis) => axis.key);

function loadFields(load) {
  return LOAD_HEADS.map((key) => known(data.loads[load][key]) ? String(data.loads[load][key]) : "");
}

/** Whether two loads are equal on all axes. */
function sameLoad(a, b) {
  return data.axes.every((axis) => a[axis.key] === b[axis.key]);
}

function cellName(cell) {
  return profileName(cell.profile) + ", " + loadText(cell.load);
}

/** Options of a choice between loads. */
function loadOptions() {
  return data.loads.map((load, place) => [String(place), load.text]);
}

/** The initial load: the most users, with the most neighbours. */
function busiest() {
  const numbers = data.axes.filter((axis) => axis.numeric).map((axis) => axis.key);
  const more = (a, b) => {
    const key = numbers.find((axis) => (a[axis] || 0) !== (b[axis] || 0));
    return key !== undefined && (a[key] || 0) > (b[key] || 0);
  };
  const places = data.loads.map((_, place) => place);
  return String(places.reduce((a, b) => (more(data.loads[b], data.loads[a]) ? b : a)));
}

/** What a page lists: trials, or the windows of sessions. */
const UNIT = data.trials.rows.some((trial) => trial.place.length > 0) ? "window" : "trial";

/** "3 trials, in the best set at this load" */
function standing(cell) {
  return plural(cell.n, data.sessions.length > 0 ? "session" : UNIT) + (cell.best === true ? ", in the best set at this load" : "");
}

/** The mark that shows whether numbers were measured, and where. */
function originMark() {
  return el("span", { class: "origin origin-" + data.origin.kind, title: data.origin.sentence },
    data.originWord);
}
