/* A tune: who raced and left, what was simulated and measured, and how the choice was confirmed. */

function raceOptions() {
  return data.tune.races.map((race, place) => [String(place),
    race.loads.map((load) => load.users + (known(load.neighbours) ? " + " + load.neighbours : "")).join(", ") + " users"]);
}

function raceChoice() {
  return { key: "race", label: "Race", value: "0", options: raceOptions() };
}

/** The blocks of a race in the order in which they ran; `kind` is calibration, race or confirmation. */
function raceUnits(race) {
  const loads = race.loads.map((load) => data.loads.findIndex((one) =>
    one.users === load.users && (one.neighbours || 0) === (load.neighbours || 0)));
  const units = [];
  data.trials.rows.filter((t) => loads.includes(t.load)).forEach((trial) => {
    const key = trial.place.length > 0 ? trial.place.slice(0, 2).join("/") : String(trial.block);
    const last = units[units.length - 1];
    if (last && last.key === key) {
      last.trials.push(trial);
    } else {
      units.push({ key, block: trial.block, session: trial.place[0], trials: [trial] });
    }
  });
  let next = 0;
  units.forEach((unit) => {
    const candidates = unit.trials.some((t) => t.profile !== data.baseline);
    const raced = candidates && next < race.path.length && race.path[next].block === unit.block;
    next += raced ? 1 : 0;
    unit.kind = raced ? "race" : candidates ? "confirmation" : "calibration";
  });
  return units;
}

function raceChart() {
  return {
    id: "race", metric: data.tune.question, title: "The race",
    note: "A mark for every block in which a candidate was measured: squares in the race, diamonds in the confirmation, "
      + "circles before the race. A cross: it left after that block. ★: the choice.",
    choices: [raceChoice()],
    build: (state) => buildRace(data.tune.races[Number(state.race)]),
  };
}

function raceRows(race, units) {
  const seen = new Map();
  units.forEach((unit, at) => unit.trials.forEach((t) => {
    const row = seen.get(t.profile) || { profile: t.profile, marks: [] };
    if (!row.marks.some((mark) => mark.at === at)) {
      row.marks.push({ at, kind: unit.kind, trial: t.number });
    }
    seen.set(t.profile, row);
  }));
  const rows = [...seen.values()].map((row) => {
    const left = race.departures.find((one) => one.name === profileName(row.profile));
    const end = left ? units.findIndex((unit) => unit.kind === "race" && unit.block === left.block) : -1;
    return { ...row, left, end: end >= 0 ? end : Math.max(...row.marks.map((mark) => mark.at)) };
  });
  const rank = (row) => row.profile === data.baseline ? 2 : profileName(row.profile) === race.choice ? 0 : 1;
  return rows.sort((a, b) => rank(a) - rank(b) || b.end - a.end || b.marks.length - a.marks.length);
}

function buildRace(race) {
  const c = colours();
  const units = raceUnits(race);
  const rows = raceRows(race, units);
  const label = (row) => (profileName(row.profile) === race.choice ? "★ " : "") + profileName(row.profile);
  const fate = (row) => row.left ? "left after block " + row.left.block + ": " + row.left.reason
    : row.profile === data.baseline ? "the settings found" : profileName(row.profile) === race.choice
      ? (race.confirmed ? "chosen and confirmed" : "chosen") : "still in the race at its end";
  const marks = rows.flatMap((row, y) => row.marks.map((mark) => ({ ...mark, y, row })));
  const symbol = { race: "rect", confirmation: "diamond", calibration: "circle" };
  const tip = (mark) => [profileName(mark.row.profile), mark.kind + ", block " + units[mark.at].block
    + (units[mark.at].session ? " in session " + units[mark.at].session : ""), fate(mark.row)];
  const names = nameRoom();
  return {
    height: 66 + rows.length * rowHeight(rows.length > 14 ? 18 : 26),
    points: marks.map((mark, index) => ({ series: 1, index, text: tip(mark).join("; "), open: () => openTrial(mark.trial) })),
    option: {
      grid: { left: names, right: 24, top: 10, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: axis({ type: "value", min: 0, max: units.length + 1, minInterval: 1, splitLine: { show: false },
        name: "block, in run order", nameLocation: "middle", nameGap: 28,
        axisLabel: { hideOverlap: true, formatter: (x) => x >= 1 && x <= units.length ? String(x) : "" } }),
      yAxis: axis({ type: "category", inverse: true, data: rows.map(label), axisTick: { show: false },
        axisLabel: { interval: 0, width: names - 14, overflow: "truncate" } }),
      series: [
        { type: "custom", silent: true, encode: { x: [0, 1], y: 2 },
          data: rows.map((row, y) => [Math.min(...row.marks.map((m) => m.at)) + 1, row.end + 1, y]),
          renderItem: (params, api) => {
            const from = api.coord([api.value(0), api.value(2)]);
            const to = api.coord([api.value(1), api.value(2)]);
            const row = rows[params.dataIndex];
            const style = { stroke: row.left ? c.hues[1] : c.muted, lineWidth: 2, opacity: row.left ? 1 : 0.6 };
            const x = to[0] + 12;
            return { type: "group", children: [segment(from[0], from[1], to[0], to[1], style),
              ...(row.left ? [segment(x - 5, to[1] - 5, x + 5, to[1] + 5, style), segment(x - 5, to[1] + 5, x + 5, to[1] - 5, style)]
                : [])] };
          } },
        { type: "scatter", symbolSize: 11, z: 4, data: marks.map((mark) => ({ value: [mark.at + 1, mark.y],
          symbol: symbol[mark.kind], tip: tip(mark), itemStyle: {
            color: mark.kind === "confirmation" ? c.hues[2] : mark.kind === "race" ? c.hues[0] : c.muted,
            borderColor: c.ground, borderWidth: 1 } })) }],
    },
    table: {
      head: ["candidate", "blocks raced", "blocks of confirmation", "last block raced", "result"],
      rows: rows.map((row) => {
        const raced = row.marks.filter((mark) => mark.kind === "race");
        return { cells: [profileName(row.profile), String(raced.length),
          String(row.marks.filter((mark) => mark.kind === "confirmation").length),
          raced.length > 0 ? String(units[raced[raced.length - 1].at].block) : UNKNOWN, fate(row)],
          open: () => openTrial(row.marks[0].trial) };
      }),
    },
  };
}

/** The points of a race with values of the knobs. */
function surfacePoints(race) {
  return race.points.filter((point) => point.point.length === data.tune.knobs.length)
    .map((point) => ({ ...point, measured: known(point.change), percent: 100 * (known(point.change) ? point.change
      : point.simulated) }))
    .filter((point) => known(point.percent));
}

function hasSurface() {
  return data.tune.knobs.length > 0 && data.tune.races.some((race) => surfacePoints(race).length > 1);
}

function surfaceChart() {
  const knobs = data.tune.knobs.map((name, place) => [String(place), name]);
  const shared = "Change of " + data.tune.question.replace(/^(lowest|highest) /, "") + " from the settings found. ";
  return {
    id: "surface", metric: data.tune.question, title: knobs.length > 1 ? "Response surface" : "Response by " + data.tune.knobs[0],
    note: shared + "Squares with a number were measured on the host; circles were only simulated."
      + (knobs.length > 1 ? " Darker is higher on a light background, lighter is higher on a dark one." : ""),
    choices: [raceChoice(), { key: "across", label: "Across", value: "0", options: knobs },
      { key: "down", label: "Up", value: "1", options: knobs.length > 1 ? knobs : [] }],
    build: (state) => buildSurface(data.tune.races[Number(state.race)], Number(state.across),
      knobs.length > 1 ? Number(state.down) : -1),
  };
}

function buildSurface(race, across, up) {
  const c = colours();
  const all = surfacePoints(race).sort((a, b) => a.measured - b.measured);
  const log = (knob) => all.every((point) => point.point[knob] > 0)
    && Math.max(...all.map((p) => p.point[knob])) / Math.min(...all.map((p) => p.point[knob])) > 8;
  const percents = all.map((point) => point.percent);
  // A few candidates much worse than the rest would leave no shades for the rest.
  const sorted = [...percents].sort((a, b) => a - b);
  const most = Math.min(sorted[sorted.length - 1], Math.max(5, 2 * Math.abs(sorted[0])));
  const tip = (point) => [point.name, ...data.tune.knobs.map((knob, i) => knob + " " + point.point[i]),
    known(point.simulated) ? "simulated " + signed(100 * point.simulated, 1) + " %" : "not simulated",
    point.measured ? "measured " + signed(100 * point.change, 1) + " %"
      + (point.observations > 0 ? " over " + plural(point.observations, "block") : ", the reference") : "not measured"];
  const value = (point) => up < 0 ? [point.point[across], point.percent]
    : [point.point[across], point.point[up], Math.min(most, point.percent)];
  const profile = (point) => data.profiles.findIndex((one) => one.name === point.name);
  const series = [false, true].map((measuredOnes) => {
    const own = all.filter((point) => point.measured === measuredOnes);
    return { type: "scatter", name: measuredOnes ? "measured" : "simulated only", z: measuredOnes ? 5 : 3,
      symbol: measuredOnes ? "rect" : "circle", symbolSize: measuredOnes ? 15 : 9,
      itemStyle: { borderColor: measuredOnes ? c.ink : c.muted, borderWidth: measuredOnes ? 1.8 : 0.8,
        ...(up < 0 ? { color: measuredOnes ? c.hues[1] : c.hues[0] } : {}) },
      labelLayout: { hideOverlap: true },
      data: own.map((point) => ({ value: value(point), tip: tip(point), label: { position: "top",
        show: measuredOnes && (point.name === race.choice || !(narrow() || onPaper)), color: c.ink, fontSize: 11.5,
        textBorderColor: c.ground, textBorderWidth: 3, formatter: signed(point.percent, 0) + " %"
          + (point.name === race.choice ? " ★" : "") } })) };
  });
  const points = series.flatMap((one, which) => all.filter((point) => point.measured === (which === 1))
    .map((point, index) => ({ series: which, index, text: tip(point).join("; "),
      open: profile(point) >= 0 && point.measured ? () => openCell(profile(point), data.loads.length - 1) : null })));
  const keys = legend(["measured", "simulated only"]);
  const knobAxis = (knob, extra) => axis({ type: log(knob) ? "log" : "value", logBase: 2, scale: true, name: data.tune.knobs[knob]
    + (log(knob) ? " (log scale)" : ""), axisLabel: { hideOverlap: true }, ...extra });
  return {
    height: tall(390) + keys.room + (up < 0 ? 0 : 40), points,
    option: {
      legend: keys,
      grid: { left: 62, right: 30, top: keys.room + 38, bottom: up < 0 ? 48 : 92 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: knobAxis(across, { nameLocation: "middle", nameGap: 28 }),
      yAxis: up < 0 ? axis({ type: "value", name: "change, %",
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } })
        : knobAxis(up, { nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      ...(up < 0 ? {} : { visualMap: { dimension: 2, min: sorted[0], max: most > sorted[0] ? most : sorted[0] + 1,
        calculable: false, orient: "horizontal", left: "center", bottom: 4, itemHeight: 160, itemWidth: 12,
        text: [signed(most, 0) + (sorted[sorted.length - 1] > most ? " % or more" : " %"), signed(sorted[0], 0) + " %"],
        textStyle: { color: c.muted }, inRange: { color: c.heat } } }),
      series,
    },
    table: {
      head: ["candidate", ...data.tune.knobs, "simulated %", "measured %", "blocks"],
      rows: all.filter((point) => point.measured).concat(all.filter((point) => !point.measured)).map((point) => ({
        cells: [point.name, ...point.point.map(String), known(point.simulated) ? signed(100 * point.simulated, 1) : UNKNOWN,
          known(point.change) ? signed(100 * point.change, 1) : UNKNOWN, String(point.observations)] })),
    },
  };
}

function hasConfirmation() {
  return data.tune.races.some((race) => race.confirmation);
}

function confirmationChart() {
  return {
    id: "confirmation", metric: data.tune.question, title: "Confirmation",
    note: "Change from the settings found in separate " + UNIT + "s, with its 95 % interval. Squares: the estimates of the "
      + "race, which favour its winner.",
    choices: [],
    build: buildConfirmation,
  };
}

function buildConfirmation() {
  const c = colours();
  const options = raceOptions();
  const rows = data.tune.races.flatMap((race, place) => race.confirmation ? [
    { name: race.confirmation.choice + (data.tune.races.length > 1 ? ", " + options[place][1] : ""), confirmed: true,
      percent: 100 * race.confirmation.effect.mean, low: 100 * race.confirmation.effect.low,
      high: 100 * race.confirmation.effect.high,
      words: race.confirmed ? "confirmed" : race.confirmation.broken.join(", ") || "not confirmed" },
    ...race.points.filter((point) => point.name === race.confirmation.choice && known(point.change)).map((point) =>
      ({ name: "in the race", percent: 100 * point.change, words: "over " + plural(point.observations, "block") })),
  ] : []);
  const ends = rows.flatMap((row) => [row.percent, known(row.low) ? row.low : row.percent, known(row.high) ? row.high : row.percent]);
  const tip = (row) => [row.name, signed(row.percent, 1) + " %" + (known(row.low) ? " [" + signed(row.low, 1) + ", "
    + signed(row.high, 1) + "]" : ""), row.words];
  const margin = 0.05 * (Math.max(0, ...ends) - Math.min(0, ...ends));
  return {
    height: 62 + rows.length * 30,
    points: rows.map((row, index) => ({ series: 0, index, text: tip(row).join("; ") })),
    option: {
      grid: { left: nameRoom(), right: 30, top: 8, bottom: 46 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", min: Math.min(0, ...ends) - margin, max: Math.max(0, ...ends) + margin,
        name: "change from the settings found, %", nameLocation: "middle", nameGap: 28, splitNumber: narrow() ? 3 : 6,
        axisLabel: { formatter: signedWhole, hideOverlap: true, showMinLabel: false, showMaxLabel: false } }),
      yAxis: axis({ type: "category", inverse: true, data: rows.map((row) => row.name), axisTick: { show: false },
        axisLabel: { interval: 0, width: nameRoom() - 14, overflow: "truncate" } }),
      series: [{ type: "custom", encode: { x: 0, y: 1 },
        markLine: { silent: true, symbol: "none", label: { show: false },
          lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ xAxis: 0 }] },
        data: rows.map((row, y) => ({ value: [row.percent, y], tip: tip(row) })),
        renderItem: (params, api) => {
          const row = rows[params.dataIndex];
          const [x, y] = api.coord([row.percent, params.dataIndex]);
          return { type: "group", children: [
            ...(known(row.low) ? whisker(api.coord([row.low, params.dataIndex]), api.coord([row.high, params.dataIndex]),
              c.hues[2], 2, false, 4) : []),
            dot(row.confirmed ? "diamond" : "rect", x, y, row.confirmed ? 6 : 4,
              { fill: row.confirmed ? c.hues[2] : c.hues[0], stroke: c.ground, lineWidth: 1 })] };
        } }],
    },
    table: {
      head: ["what", "change %", "95 % interval", "result"],
      rows: rows.map((row) => ({ cells: [row.name, signed(row.percent, 1),
        known(row.low) ? "[" + signed(row.low, 1) + ", " + signed(row.high, 1) + "]" : UNKNOWN, row.words] })),
    },
  };
}
