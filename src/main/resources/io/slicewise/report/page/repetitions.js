/* Every repetition as a point, and the box of its cell. */

function repetitionsChart() {
  return {
    id: "repetitions", title: "Repetitions",
    note: "Each point is a trial; the box spans the middle half, the whiskers at most 1.5 times its length. "
      + "Outliers are listed in the notes and kept.",
    choices: [
      { key: "metric", label: "Metric", value: data.primary,
        options: data.metrics.map((m) => [m.key, m.label]) },
      { key: "load", label: "Load", value: busiest(), options: loadOptions() }],
    build: (state) => buildRepetitions(scaleOf(state.metric), Number(state.load)),
  };
}

function buildRepetitions(scale, load) {
  const c = colours();
  const cells = data.cells.filter((cell) => cell.load === load && cell.boxes[scale.key]);
  const trials = cells.flatMap((cell, row) => trialsOf(cell.profile, load)
    .filter((t) => t.valid && valueOf(t, scale.key) !== undefined)
    .map((trial, i) => ({ trial, row, shift: (i % 2 ? 1 : -1) * (2 + (i % 5) * 1.6) })));
  const points = trials.map(({ trial }, index) => ({ series: 1, index,
    text: trialTip(trial, scale).join("; "), open: () => openTrial(trial.number) }));
  return {
    height: 88 + cells.length * rowHeight(34), points,
    option: {
      grid: { left: nameRoom(), right: 24, top: 14, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", scale: true, name: scale.label + " in " + scale.unit,
        nameLocation: "middle", nameGap: 30 }),
      yAxis: axis({ type: "category", inverse: true, data: cells.map((x) => profileName(x.profile)),
        axisTick: { show: false }, axisLabel: { width: nameRoom() - 14, overflow: "truncate", interval: 0 } }),
      series: [
        { type: "boxplot", layout: "horizontal", boxWidth: [10, 18],
          itemStyle: { color: c.band, borderColor: c.muted, borderWidth: 1.3 },
          data: cells.map((cell) => ({ value: boxNumbers(cell, scale), tip: boxTip(cell, scale) })) },
        { type: "scatter", symbolSize: 9, z: 4,
          data: trials.map(({ trial, row, shift }) => {
            const style = look(trial.profile);
            return { value: [valueOf(trial, scale.key) * scale.scale, row], symbol: style.symbol,
              symbolOffset: [0, shift],
              itemStyle: { color: style.colour, borderColor: c.ground, borderWidth: 0.8 },
              tip: trialTip(trial, scale) };
          }) }],
    },
    table: {
      head: ["profile", ...LOAD_HEADS, "n", "lower whisker", "first quartile", "median", "third quartile",
        "upper whisker", "values in " + scale.unit],
      rows: cells.map((cell, row) => ({
        cells: [profileName(cell.profile), ...loadFields(load),
          String(trials.filter((t) => t.row === row).length),
          ...boxNumbers(cell, scale).map((x) => fixed(x, scale.digits)),
          trials.filter((t) => t.row === row)
            .map((t) => fixed(valueOf(t.trial, scale.key) * scale.scale, scale.digits)).join("  ")],
        open: () => openCell(cell.profile, load) })),
    },
  };
}

function boxNumbers(cell, scale) {
  const box = cell.boxes[scale.key];
  return [box.low, box.q1, box.median, box.q3, box.high].map((x) => x * scale.scale);
}

function boxTip(cell, scale) {
  const [low, q1, median, q3, high] = boxNumbers(cell, scale).map((x) => fixed(x, scale.digits));
  return [cellName(cell), "median " + median + " " + scale.unit, "middle half " + q1 + " to " + q3,
    "whiskers " + low + " to " + high, plural(cell.n, "trial")];
}

function trialTip(trial, scale) {
  return ["trial " + trial.number + ", " + profileName(trial.profile) + ", " + loadText(trial.load),
    scale.label + " " + fixed(valueOf(trial, scale.key) * scale.scale, scale.digits) + " " + scale.unit,
    "block " + trial.block];
}
