/* All trials with their notes, one page of rows at a time. */

const ROWS_AT_ONCE = 50;

function mountTrials(place) {
  const trials = data.trials.rows;
  let shown = 0;
  let only = "all";
  const body = el("tbody", {});
  const more = el("button", { type: "button", onclick: () => addRows() });
  const count = el("p", { class: "aside", "aria-live": "polite" });
  const wanted = () => trials.filter((t) => only === "all"
    || (only === "invalid" ? !t.valid : t.why.length > 0));
  const addRows = () => {
    const list = wanted();
    body.append(...list.slice(shown, shown + ROWS_AT_ONCE).map(trialRow));
    shown = Math.min(list.length, shown + ROWS_AT_ONCE);
    more.hidden = shown >= list.length;
    more.textContent = "Show " + Math.min(ROWS_AT_ONCE, list.length - shown) + " more";
    count.textContent = shown + " of " + plural(list.length, UNIT) + " shown";
  };
  const restart = (value) => {
    only = value;
    shown = 0;
    body.replaceChildren();
    addRows();
  };
  place.append(
    el("div", { class: "choices" }, choice("Show", [["all", "all " + UNIT + "s"],
      ["invalid", "excluded " + UNIT + "s"], ["notes", UNIT + "s with notes"]],
    "all", restart)),
    el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "All trials" },
      el("table", { class: "numbers", id: "all-trials" },
        el("caption", {}, UNIT[0].toUpperCase() + UNIT.slice(1) + "s in run order ", originMark()),
        el("thead", {}, el("tr", {}, [UNIT, "profile", ...LOAD_HEADS, "block",
          ...data.metrics.filter((m) => ["throughput", data.primary].includes(m.key))
            .map((m) => m.label + " " + m.unit), "valid", "notes"]
          .map((h) => el("th", { scope: "col" }, h)))), body)),
    count, more);
  addRows();
}

function trialRow(trial) {
  const notes = trial.why.map((i) => data.trials.sentences[i]).join("; ");
  return el("tr", trial.valid ? {} : { class: "invalid" },
    el("th", { scope: "row" }, action(String(trial.number), "Open " + UNIT + " " + trial.number,
      () => openTrial(trial.number))),
    el("td", { class: "name" }, profileName(trial.profile)),
    loadFields(trial.load).map((field) => el("td", {}, field)), el("td", {}, String(trial.block)),
    data.metrics.filter((m) => ["throughput", data.primary].includes(m.key)).map((m) => el("td", {},
      fixed(valueOf(trial, m.key) === undefined ? null : valueOf(trial, m.key) * m.scale, m.digits))),
    el("td", {}, trial.valid ? "yes" : "no"),
    el("td", { class: "name notes" }, notes));
}
