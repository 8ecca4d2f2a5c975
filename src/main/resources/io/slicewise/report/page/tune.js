/* A tune: how the candidates raced, what was simulated and measured, and how the choice was confirmed. */

function raceOptions() {
  return data.tune.races.map((race, place) => [String(place),
    race.loads.map((load) => data.loads.find((one) => sameLoad(one, load)))
      .map((load) => load.brief || load.text).join(", ") + " " + data.axes[0].unit]);
}

function raceChoice() {
  return { key: "race", label: "Race", value: "0", options: raceOptions() };
}

/** The blocks of a race in the order in which they ran; `kind` is calibration, race or confirmation. */
function raceUnits(race) {
  const loads = race.loads.map((load) => data.loads.findIndex((one) => sameLoad(one, load)));
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
    note: "Each candidate's change from the settings found after every block, with its 95 % interval; further down is "
      + (raceSign(data.tune.races[0]) > 0 ? "better" : "worse") + ". Thick: the best so far. Diamonds: the confirmation, "
      + "which counts its own blocks only.",
    choices: [raceChoice()],
    build: (state) => buildRace(data.tune.races[Number(state.race)]),
  };
}

/** Whether a race's metric is one that the page knows of every trial. */
function hasRace() {
  return data.tune.races.every((race) => METRIC_KEYS.includes(race.metric))
    && data.tune.races.some((race) => raceSteps(race).length > 0);
}

/** 1 if less is better. */
function raceSign(race) {
  return (scaleOf(race.metric) || {}).moreIsBetter ? -1 : 1;
}

/** Student's two-sided 5 % point; exact to 10 degrees of freedom. */
function student(freedom) {
  return [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23][freedom - 1] || 1.96 + 2.7 / freedom;
}

/**
 * The estimates of all candidates after each block, of the race and of the confirmation apart: the
 * mean log ratio to the settings found, with the scatter that all candidates share.
 */
function raceSteps(race) {
  const steps = [];
  let sums = new Map();
  let kind = "race";
  raceUnits(race).forEach((unit, at) => {
    const values = new Map(unit.trials.filter((t) => t.valid && valueOf(t, race.metric) > 0)
      .map((t) => [t.profile, Math.log(valueOf(t, race.metric))]));
    const base = [...values].find(([profile]) => data.profiles[profile].name === data.profiles[data.baseline].name);
    if (unit.kind === "calibration" || !base) {
      return;
    }
    if (unit.kind !== kind) {
      sums = new Map();
      kind = unit.kind;
    }
    values.forEach((value, profile) => profile !== base[0]
      && sums.set(profile, (sums.get(profile) || []).concat(value - base[1])));
    const means = [...sums].map(([profile, logs]) => ({ profile, logs, mean: logs.reduce((x, y) => x + y, 0) / logs.length }));
    const freedom = means.reduce((n, one) => n + one.logs.length - 1, 0);
    const variance = means.reduce((sum, one) => sum + one.logs.reduce((x, y) => x + (y - one.mean) ** 2, 0), 0) / freedom;
    const percent = (log) => 100 * Math.expm1(log);
    steps.push({ at: at + 1, kind, unit, estimates: means.map((one) => {
      const half = freedom > 0 ? student(freedom) * Math.sqrt(variance / one.logs.length) : NaN;
      return { profile: one.profile, n: one.logs.length, now: values.has(one.profile), percent: percent(one.mean),
        low: freedom > 0 ? percent(one.mean - half) : null, high: freedom > 0 ? percent(one.mean + half) : null };
    }) });
  });
  return steps;
}

function buildRace(race) {
  const c = colours();
  const steps = raceSteps(race);
  const sign = raceSign(race);
  const best = steps.filter((step) => step.kind === "race").map((step) => [step.at,
    sign * Math.min(...step.estimates.map((one) => sign * one.percent))]);
  const profiles = [...new Set(steps.flatMap((step) => step.estimates.map((one) => one.profile)))];
  const label = (profile) => (profileName(profile) === race.choice ? "★ " : "") + profileName(profile);
  const tip = (mark) => [profileName(mark.profile), mark.step.kind + ", block " + mark.step.unit.block
    + (mark.step.unit.session ? " in session " + mark.step.unit.session : "") + ": " + signed(mark.percent, 1) + " %"
    + (known(mark.low) ? " [" + signed(mark.low, 1) + ", " + signed(mark.high, 1) + "]" : ""),
    "over " + plural(mark.n, "block")];
  const marks = profiles.map((profile, which) => steps.flatMap((step) => step.estimates
    .filter((one) => one.profile === profile && one.now)
    .map((one) => ({ ...one, step, x: step.at + (which - (profiles.length - 1) / 2) * Math.min(0.12, 0.6 / profiles.length) }))));
  const percents = marks.flat().map((mark) => mark.percent);
  const spread = Math.max(10, Math.max(...percents, 0) - Math.min(...percents, 0));
  const inside = (percent) => Math.max(Math.min(...percents, 0) - spread / 3, Math.min(Math.max(...percents, 0) + spread / 3, percent));
  const few = profiles.length <= 8;
  const keys = legend((few ? profiles : profiles.filter((p) => profileName(p) === race.choice))
    .map((profile) => ({ name: label(profile), icon: look(profile).symbol })).concat({ name: "best so far", icon: "rect" }));
  const last = Math.max(...steps.map((step) => step.at));
  return {
    height: tall(360) + keys.room,
    points: marks.flatMap((own, series) => own.map((mark, index) => ({ series: series + 1, index, text: tip(mark).join("; "),
      open: () => openTrial(mark.step.unit.trials.find((t) => t.profile === mark.profile).number) }))),
    option: {
      legend: keys,
      grid: { left: 62, right: 20, top: keys.room + 36, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: axis({ type: "value", min: Math.min(...steps.map((step) => step.at)) - 1, max: last + 1, minInterval: 1,
        splitLine: { show: false }, name: "block, in run order", nameLocation: "middle", nameGap: 28 }),
      yAxis: axis({ type: "value", min: inside(-1e9), max: inside(1e9), name: "change, %",
        axisLabel: { formatter: signedWhole, showMinLabel: false, showMaxLabel: false },
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      series: [
        { type: "line", name: "best so far", silent: true, symbol: "none", step: "end", data: best, z: 2,
          itemStyle: { color: c.muted }, lineStyle: { color: c.muted, width: 5, opacity: 0.45 },
          markLine: { silent: true, symbol: "none", label: { show: false },
            lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ yAxis: 0 }] } },
        ...marks.map((own, which) => {
          const style = look(profiles[which]);
          return { type: "custom", name: label(profiles[which]), z: 4, encode: { x: 0, y: 1 },
            itemStyle: { color: style.colour },
            data: own.map((mark) => ({ value: [mark.x, mark.percent], tip: tip(mark) })),
            renderItem: (params, api) => {
              const mark = own[params.dataIndex];
              const at = (percent) => api.coord([mark.x, inside(percent)]);
              const [x, y] = at(mark.percent);
              const previous = own[params.dataIndex - 1];
              const from = previous && previous.step.kind === mark.step.kind && api.coord([previous.x, previous.percent]);
              return { type: "group", children: [
                ...(from ? [segment(from[0], from[1], x, y, { stroke: style.colour, lineWidth: 1.2, opacity: 0.6 })] : []),
                ...(known(mark.low) ? whisker(at(mark.low), at(mark.high), style.colour, 1.4, true, 3) : []),
                dot(mark.step.kind === "confirmation" ? "diamond" : style.symbol, x, y, 5,
                  { fill: style.colour, stroke: c.ground, lineWidth: 1 })] };
            } };
        })],
    },
    table: {
      head: ["candidate", "part", "blocks", "change %", "95 % interval", "result"],
      rows: ["race", "confirmation"].flatMap((kind) => {
        const step = steps.filter((one) => one.kind === kind).pop();
        return (step ? step.estimates : []).sort((x, y) => sign * (x.percent - y.percent)).map((one) => {
          const left = race.departures.find((gone) => gone.name === profileName(one.profile));
          return { cells: [label(one.profile), kind, String(one.n), signed(one.percent, 1),
            known(one.low) ? "[" + signed(one.low, 1) + ", " + signed(one.high, 1) + "]" : UNKNOWN,
            left && kind === "race" ? "left after block " + left.block + ": " + left.reason
              : profileName(one.profile) === race.choice ? (race.confirmed ? "chosen and confirmed" : "chosen") : ""] };
        });
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
        ...(up < 0 ? { color: measuredOnes ? c.ink : c.muted } : {}) },
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
    { name: race.confirmation.choice + (data.tune.races.length > 1 ? ", " + options[place][1] : ""), choice: race.confirmation.choice, confirmed: true,
      percent: 100 * race.confirmation.effect.mean, low: 100 * race.confirmation.effect.low,
      high: 100 * race.confirmation.effect.high,
      words: race.confirmed ? "confirmed" : race.confirmation.broken.join(", ") || "not confirmed" },
    ...race.points.filter((point) => point.name === race.confirmation.choice && known(point.change)).map((point) =>
      ({ name: "in the race", choice: point.name, percent: 100 * point.change, words: "over " + plural(point.observations, "block") })),
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
              lookOf(row.choice).colour, 2, false, 4) : []),
            dot(row.confirmed ? "diamond" : "rect", x, y, row.confirmed ? 6 : 4,
              { fill: lookOf(row.choice).colour, stroke: c.ground, lineWidth: 1 })] };
        } }],
    },
    table: {
      head: ["what", "change %", "95 % interval", "result"],
      rows: rows.map((row) => ({ cells: [row.name, signed(row.percent, 1),
        known(row.low) ? "[" + signed(row.low, 1) + ", " + signed(row.high, 1) + "]" : UNKNOWN, row.words] })),
    },
  };
}
