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

/** Whether neighbours are swept, so that a load consists of users and neighbours. */
const sweepsNeighbours = data.loads.some((load) => known(load.neighbours));

/** The headings of a load's columns, and its fields. */
const LOAD_HEADS = sweepsNeighbours ? ["users", "neighbours"] : ["users"];

function loadFields(load) {
  const { users, neighbours } = data.loads[load];
  return sweepsNeighbours ? [String(users), String(neighbours)] : [String(users)];
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
  const weight = (load) => load.users * 1000 + (load.neighbours || 0);
  const places = data.loads.map((_, place) => place);
  return String(places.reduce((a, b) => (weight(data.loads[b]) > weight(data.loads[a]) ? b : a)));
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
