/* Numbers as text: fixed digits, and a dash for what could not be computed. */

const UNKNOWN = "–";

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function fixed(value, digits) {
  return known(value) ? value.toFixed(digits) : UNKNOWN;
}

/** With its sign and a typographic minus. */
function signed(value, digits) {
  return known(value) ? (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits) : UNKNOWN;
}

/* An estimate is [mean, deviation, n, low, high]. */
const MEAN = 0, DEVIATION = 1, COUNT = 2, LOW = 3, HIGH = 4;

/** "127.6 ±5.3"; without interval "127.6 ±–". */
function measured(estimate, scale, digits) {
  if (!estimate || !known(estimate[MEAN])) {
    return UNKNOWN;
  }
  const half = known(estimate[LOW]) && known(estimate[HIGH])
    ? (estimate[HIGH] - estimate[LOW]) / 2 * scale : null;
  return fixed(estimate[MEAN] * scale, digits) + " ±" + fixed(half, digits);
}

/** "[122.3, 132.8]" */
function interval(estimate, scale, digits) {
  return estimate && known(estimate[LOW])
    ? "[" + fixed(estimate[LOW] * scale, digits) + ", " + fixed(estimate[HIGH] * scale, digits) + "]"
    : UNKNOWN;
}

function plural(count, thing) {
  return count + " " + thing + (count === 1 ? "" : "s");
}

/** Seconds since a trial's window began, as m:ss. */
function clock(seconds) {
  const sign = seconds < 0 ? "−" : "";
  const whole = Math.round(Math.abs(seconds));
  return sign + Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0");
}
