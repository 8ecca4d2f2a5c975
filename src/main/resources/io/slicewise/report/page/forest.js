/* The change from the baseline of every profile at every load: the chart that decides. */

/** Above this number of rows, one load is selected initially. */
const MOST_FOREST_ROWS = 60;

const VERDICT_MARKS = { better: "●", worse: "▲", same: "=", unclear: "○" };

function forestChart() {
  const changed = loadOptions().filter(([load]) => data.changes.some((one) => one.load === Number(load)));
  const metric = scaleOf(data.primary) || { label: data.primary, moreIsBetter: false };
  return {
    id: "forest", title: "Change from " + data.from,
    note: "Change of " + metric.label + " with its 95 % interval; " + (metric.moreIsBetter ? "right" : "left")
      + " is better. Shaded: changes within ±" + fixed(data.band, 0) + " %, too small to matter.",
    choices: [{ key: "load", label: "Load",
      value: data.changes.length > MOST_FOREST_ROWS ? busiest() : "all",
      options: (changed.length > 1 ? [["all", "all"]] : []).concat(changed) }],
    build: (state) => buildForest(changed.length === 1 ? changed[0][0] : state.load, metric),
  };
}

/** The change beyond which rows are drawn at the edge, so that one of them does not hide the others. */
function forestEdge(rows) {
  const sizes = rows.map((row) => Math.abs(row.percent)).sort((a, b) => a - b);
  return Math.max(10, 5 * sizes[Math.floor(sizes.length / 2)]);
}

/** Profiles by their mean change, best first and controls last; loads ascending within each. */
function forestRows(load, metric) {
  const own = data.changes.filter((one) => load === "all" || one.load === Number(load));
  const byProfile = new Map();
  own.forEach((one) => byProfile.set(one.profile, (byProfile.get(one.profile) || []).concat(one)));
  const mean = (list) => list.reduce((sum, one) => sum + Math.log1p(one.percent / 100), 0) / list.length;
  const sign = metric.moreIsBetter ? -1 : 1;
  return [...byProfile.values()]
    .sort((a, b) => data.profiles[a[0].profile].control - data.profiles[b[0].profile].control
      || sign * (mean(a) - mean(b)))
    .flatMap((list) => list.sort((a, b) => a.load - b.load)
      .map((one, place) => ({ ...one, first: place === 0 })));
}

/** What opens the trials of a row; nothing on a page without trials. */
function opener(row) {
  return data.trials.rows.length > 0 ? () => openCell(row.profile, row.load) : null;
}

function shortLoad(load) {
  return data.loads[load].brief;
}

function forestTip(row, metric) {
  return [profileName(row.profile) + ", " + loadText(row.load),
    metric.label + " " + signed(row.percent, 1) + " % [" + signed(row.low, 1) + ", " + signed(row.high, 1) + "]",
    row.verdict + (data.profiles[row.profile].control ? " (the baseline again)" : "")];
}

/** The colour is the profile's; shape and word are the verdict's. */
function forestMark(verdict, x, y, c, colour) {
  const style = { fill: verdict === "unclear" ? c.ground : colour, stroke: colour, lineWidth: 1.6 };
  return verdict === "worse" ? dot("triangle", x, y, 5.5, style)
    : dot(verdict === "same" ? "rect" : "circle", x, y, verdict === "same" ? 3.8 : 5, style);
}

function buildForest(load, metric) {
  const c = colours();
  const rows = forestRows(load, metric);
  const many = rows.length > 1 && new Set(rows.map((row) => row.load)).size > 1;
  const each = rowHeight(rows.length > 24 ? 17 : narrow() ? 34 : 24);
  const loadRoom = many ? (LOAD_HEADS.length > 1 ? 62 : 44) : 0;
  const names = nameRoom() - (narrow() ? 20 : 30);
  const ends = rows.flatMap((r) => [r.percent, known(r.low) ? r.low : r.percent, known(r.high) ? r.high : r.percent,
    data.band, -data.band]);
  const edge = forestEdge(rows);
  const from = Math.max(-edge, Math.min(0, ...ends));
  const to = Math.min(edge, Math.max(0, ...ends));
  const margin = (to - from) * 0.04;
  const category = (extra) => axis({ type: "category", inverse: true, axisTick: { show: false },
    axisLine: { show: false, onZero: false }, splitLine: { show: false }, ...extra });
  const top = many ? 24 : 8;
  return {
    height: top + 50 + rows.length * each,
    points: rows.map((row, index) => ({ series: 0, index, text: forestTip(row, metric).join("; "),
      open: opener(row) })),
    option: {
      grid: { left: names + loadRoom, right: 72, top, bottom: 46 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", name: "change of " + data.primary + ", %", nameLocation: "middle", nameGap: 28,
        min: from - margin, max: to + margin, splitNumber: narrow() ? 3 : 6,
        axisLabel: { formatter: (x) => signedWhole(x), hideOverlap: true, showMinLabel: false, showMaxLabel: false } }),
      yAxis: [
        category({ position: "left", data: rows.map((row) => many ? shortLoad(row.load) : profileName(row.profile)),
          name: many ? LOAD_HEADS.join(" + ") : "", nameLocation: "start",
          nameGap: 8, nameTextStyle: { align: "right" },
          axisLabel: { interval: 0, ...(many ? {} : { width: names - 14,
            lineHeight: 13,
            overflow: narrow() && rows.length <= 24 ? "break" : "truncate" }) } }),
        category({ position: "right", data: rows.map((row) => row.verdict),
          axisLabel: { interval: 0, color: c.ink } }),
        category({ position: "left", offset: loadRoom, show: many,
          data: rows.map((row) => row.first ? profileName(row.profile) : ""),
          axisLabel: { interval: 0, color: c.ink, width: names - 14, overflow: "truncate" } })],
      series: [{ type: "custom", encode: { x: 0, y: 1 },
        markArea: { silent: true, itemStyle: { color: c.band }, data: [[{ xAxis: -data.band }, { xAxis: data.band }]] },
        markLine: { silent: true, symbol: "none", label: { show: false },
          lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ xAxis: 0 }] },
        data: rows.map((row, place) => ({ value: [row.percent, place], tip: forestTip(row, metric) })),
        renderItem: (params, api) => {
          const row = rows[params.dataIndex];
          const inside = (percent) => Math.min(to, Math.max(from, percent));
          const [x, y] = api.coord([inside(row.percent), params.dataIndex]);
          const beyond = Math.abs(row.percent) > edge ? [{ type: "text", style: { text: signed(row.percent, 0) + " %"
            + (row.percent > 0 ? " →" : " ←"), x: x + (row.percent > 0 ? -10 : 10), y, fill: c.ink, fontSize: 11.5,
            align: row.percent > 0 ? "right" : "left", verticalAlign: "middle" } }] : [];
          const line = look(row.profile).colour;
          return { type: "group", children: [
            ...(known(row.low) ? whisker(api.coord([inside(row.low), params.dataIndex]), api.coord([inside(row.high), params.dataIndex]),
              line, 1.8, false, 3) : []),
            forestMark(row.verdict, x, y, c, line), ...beyond] };
        } },
      // An axis without a series is not drawn.
      { type: "scatter", yAxisIndex: 1, silent: true, data: [] },
      { type: "scatter", yAxisIndex: 2, silent: true, data: [] }],
    },
    table: {
      head: ["profile", ...LOAD_HEADS, "change of " + data.primary + " %", "95 % interval", "verdict"],
      rows: rows.map((row) => ({ cells: [profileName(row.profile), ...loadFields(row.load),
        signed(row.percent, 1), known(row.low) ? "[" + signed(row.low, 1) + ", " + signed(row.high, 1) + "]" : UNKNOWN,
        VERDICT_MARKS[row.verdict] + " " + row.verdict],
        open: opener(row) })),
    },
  };
}

/** "+5", "−10", "0" */
function signedWhole(x) {
  const text = String(Math.abs(Math.round(x * 10) / 10));
  return text === "0" ? "0" : (x < 0 ? "−" : "+") + text;
}
