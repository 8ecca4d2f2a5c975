/* A metric over loads for every profile. */

/** Above this number of profiles, bars are too thin to read and points replace them. */
const MOST_BARS = 10;

function loadChart(id, title, note, metrics) {
  return {
    id, title, note, half: true,
    choices: [{ key: "metric", label: "Metric", value: metrics.includes(data.primary)
      ? data.primary : metrics[0],
      options: metrics.map((key) => [key, scaleOf(key).label]) }],
    build: (state) => buildLoad(scaleOf(state.metric)),
  };
}

function buildLoad(scale) {
  const profiles = data.profiles.map((_, place) => place)
    .filter((place) => data.loads.some((_, load) => estimateAt(place, load, scale)));
  const bars = profiles.length <= MOST_BARS;
  const points = [];
  const marks = profiles.map((place, which) =>
    bars ? barsOf(place, which, scale, points) : dotsOf(place, which, profiles.length, scale, points));
  const whiskers = bars ? profiles.map((place, which) => uprightWhiskers(profileName(place),
    rangesOf(place, scale), colours().ink,
    (api) => barSlot(which, profiles.length, api))) : [];
  points.sort((a, b) => a.index - b.index);
  const keys = legend(profiles.map((place) => ({ name: profileName(place),
    icon: bars ? undefined : look(place).symbol })), bars ? {} : { itemWidth: 11 });
  return {
    height: tall(330) + keys.room, points,
    option: {
      legend: keys,
      grid: { left: 62, right: 16, top: keys.room + 36, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "category", data: data.loads.map((load) => load.text.replace(" with ", "\n")),
        axisLabel: { lineHeight: 15 }, splitLine: { show: false } }),
      yAxis: axis({ type: "value", name: scale.label + " in " + scale.unit, nameLocation: "end",
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      series: marks.concat(whiskers),
    },
    table: loadTable(profiles, scale),
  };
}

function estimateAt(place, load, scale) {
  const cell = cellOf(place, load);
  return cell && cell.metrics[scale.key];
}

function tipOf(cell, scale) {
  const estimate = cell.metrics[scale.key];
  return [cellName(cell),
    scale.label + " " + measured(estimate, scale.scale, scale.digits) + " " + scale.unit,
    "95 % interval " + interval(estimate, scale.scale, scale.digits) + ", n = " + estimate[COUNT],
    ...against(cell, scale), standing(cell)];
}

/** The change from the baseline with its interval and verdict, in the deciding metric. */
function against(cell, scale) {
  const change = scale.key === data.primary && data.changes.find((c) =>
    c.profile === cell.profile && c.load === cell.load);
  return change ? [signed(change.percent, 1) + " % [" + signed(change.low, 1) + ", "
    + signed(change.high, 1) + "] against " + profileName(data.baseline) + ": " + change.verdict] : [];
}

function barsOf(place, which, scale, points) {
  const style = look(place);
  return {
    type: "bar", name: profileName(place), barGap: BAR_GAP, barCategoryGap: CATEGORY_GAP,
    barMaxWidth: BAR_WIDTH, itemStyle: { color: style.colour, decal: textured(style.pattern),
      borderRadius: [2, 2, 0, 0] },
    emphasis: { itemStyle: { borderColor: colours().ink, borderWidth: 2 } },
    data: data.loads.map((_, load) => pointAt(place, which, load, scale, points,
      (mean) => mean)),
  };
}

/** Points spread inside their category, each with its interval, if bars would be too thin. */
function dotsOf(place, which, count, scale, points) {
  const style = look(place);
  const ranges = rangesOf(place, scale);
  return {
    type: "custom", name: profileName(place), itemStyle: { color: style.colour },
    encode: { x: 0, y: 1 },
    data: data.loads.map((_, load) => pointAt(place, which, load, scale, points,
      (mean) => [load, mean])),
    renderItem: (params, api) => {
      const width = api.size([1, 0])[0] * 0.86;
      const shift = (which + 0.5) / count * width - width / 2;
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const range = ranges.find((r) => r[0] === api.value(0));
      const size = Math.max(2.5, Math.min(5, width / count * 0.35));
      const lines = range ? whisker([x + shift, api.coord([0, range[1]])[1]],
        [x + shift, api.coord([0, range[2]])[1]], style.colour, 1.2, true, Math.min(4, size)) : [];
      return { type: "group", children: lines.concat([dot(style.symbol, x + shift, y, size,
        { fill: style.colour, stroke: colours().ground, lineWidth: 1 })]) };
    },
  };
}

function dot(symbol, x, y, size, style) {
  if (symbol === "rect") {
    return { type: "rect", shape: { x: x - size, y: y - size, width: 2 * size, height: 2 * size }, style };
  }
  const corners = { triangle: [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]],
    diamond: [[0, -1.3], [1.1, 0], [0, 1.3], [-1.1, 0]],
    [SYMBOLS[4]]: [[0, 1.2], [1.1, -0.9], [-1.1, -0.9]],
    [SYMBOLS[5]]: [[-0.9, -1.1], [1.2, 0], [-0.9, 1.1]] }[symbol];
  return corners
    ? { type: "polygon", shape: { points: corners.map(([a, b]) => [x + a * size, y + b * size]) }, style }
    : { type: "circle", shape: { cx: x, cy: y, r: size }, style };
}

function pointAt(place, which, load, scale, points, value) {
  const cell = cellOf(place, load);
  const estimate = cell && cell.metrics[scale.key];
  if (!estimate || !known(estimate[MEAN])) {
    return { value: "-", tip: [""] };
  }
  const tip = tipOf(cell, scale);
  points.push({ series: which, index: load, text: tip.join("; "),
    open: () => openCell(cell.profile, cell.load) });
  return { value: value(estimate[MEAN] * scale.scale), tip };
}

function rangesOf(place, scale) {
  return data.loads.map((_, load) => [load, estimateAt(place, load, scale)])
    .filter(([, estimate]) => estimate && known(estimate[LOW]))
    .map(([index, e]) => [index, e[LOW] * scale.scale, e[HIGH] * scale.scale]);
}

function loadTable(profiles, scale) {
  const rows = [];
  for (const load of data.loads.keys()) {
    for (const place of profiles) {
      const cell = cellOf(place, load);
      const estimate = cell && cell.metrics[scale.key];
      rows.push({
        cells: [profileName(place), ...loadFields(load), String(estimate ? estimate[COUNT] : 0),
          fixed(estimate && estimate[MEAN] * scale.scale, scale.digits),
          fixed(estimate && known(estimate[DEVIATION]) ? estimate[DEVIATION] * scale.scale : null, scale.digits),
          interval(estimate, scale.scale, scale.digits),
          cell && cell.best === true ? "yes" : cell && cell.best === false ? "no" : UNKNOWN],
        open: () => openCell(place, load),
      });
    }
  }
  return { head: ["profile", ...LOAD_HEADS, "n", scale.label + " " + scale.unit, "deviation",
    "95 % interval", "in the best set of its load (" + data.primary + ")"], rows };
}
