/* The data block, and the ways the charts look things up in it. */

const data = JSON.parse(document.getElementById("data").textContent);
const METRIC_KEYS = ["throughput", "mean", "p50", "p95", "p99", "errors"];

const cellsByPlace = new Map(data.cells.map((cell) => [cell.users + "/" + cell.profile, cell]));
const trialsByNumber = new Map(data.trials.rows.map((trial) => [trial.number, trial]));

function cellOf(profile, users) {
  return cellsByPlace.get(users + "/" + profile);
}

function trialsOf(profile, users) {
  return data.trials.rows.filter((t) => t.profile === profile && t.users === users);
}

function scaleOf(key) {
  return data.metrics.find((metric) => metric.key === key);
}

/** A trial's value of a metric; undefined where it has none. */
function valueOf(trial, key) {
  const value = trial.metrics[METRIC_KEYS.indexOf(key)];
  return known(value) ? value : undefined;
}

function profileName(place) {
  return data.profiles[place].name;
}

function usersText(users) {
  return users === 0 ? "no load" : plural(users, "user");
}

function cellName(cell) {
  return profileName(cell.profile) + ", " + usersText(cell.users);
}

/** Options of a choice between loads. */
function loadOptions() {
  return data.users.map((users) => [String(users), usersText(users)]);
}

/** The load that decides: the highest one. */
function busiest() {
  return String(Math.max(...data.users));
}

/** "3 trials, in the best set" */
function standing(cell) {
  return plural(cell.n, "trial") + (cell.best === true ? ", in the best set" : "");
}

/** The mark that says whether numbers were measured, and on what. */
function originMark() {
  return el("span", { class: "origin origin-" + data.origin.kind.toLowerCase(), title: data.origin.sentence },
    data.originWord);
}
