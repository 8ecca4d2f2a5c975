/* The course of a session, and changes session by session. */

/** The sessions with a window, as [load, number]. */
function sessionList() {
  const seen = new Map();
  data.trials.rows.filter((t) => t.place.length > 0)
    .forEach((t) => seen.set(t.load + "/" + t.place[0], [t.load, t.place[0]]));
  return [...seen.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function sessionName(load, session) {
  return "session " + session + (data.loads[load].size > 0 ? " at " + loadText(load) : "");
}

function courseChart() {
  return {
    id: "course", title: "Course of a session",
    note: "Every window in its profile's colour; wash-outs, which are not counted, are hatched. Faint windows were excluded.",
    choices: [
      { key: "session", label: "Session", value: sessionList()[0].join("/"),
        options: sessionList().map(([load, session]) => [load + "/" + session, sessionName(load, session)]) },
      { key: "domain", label: "Shares of", value: "0",
        options: data.domains.map((name, place) => [String(place), name]) }],
    build: (state) => buildCourse(...state.session.split("/").map(Number), Number(state.domain || 0)),
  };
}

function buildCourse(load, session, domain) {
  const windows = data.trials.rows
    .filter((t) => t.load === load && t.place[0] === session)
    .sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
  const origin = Date.parse(windows[0].start) / 1000 - windows[0].warmUp;
  const from = (t) => Date.parse(t.start) / 1000 - origin;
  const panels = coursePanels(windows, from, domain);
  const c = colours();
  const end = Math.max(...windows.map((t) => from(t) + t.length));
  const rows = 26;
  const each = narrow() ? 92 : tall(104);
  const keys = legend(profilesOf(windows).map((place) => ({ name: profileName(place) })));
  const top = keys.room + 14;
  const left = narrow() ? 48 : 58;
  const grids = [{ left, right: 14, top, height: rows }, ...panels.map((_, i) =>
    ({ left, right: 14, top: top + rows + 24 + i * (each + 30), height: each }))];
  const points = windows.map((t, index) => ({ series: 0, index, text: courseTip(t).join("; "),
    open: () => openTrial(t.number) }));
  return {
    height: top + rows + 24 + panels.length * (each + 30) + 34, points,
    option: {
      legend: { ...keys, selectedMode: false },
      grid: grids,
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: grids.map((_, i) => axis({ type: "value", gridIndex: i, min: 0, max: Math.ceil(end),
        splitLine: { show: false }, splitNumber: narrow() ? 4 : 8,
        axisLabel: { show: i === grids.length - 1, hideOverlap: true, showMaxLabel: false },
        name: i === grids.length - 1 ? "seconds" : "", nameLocation: "middle", nameGap: 26 })),
      yAxis: grids.map((_, i) => axis(i === 0
        ? { type: "value", gridIndex: 0, min: 0, max: 1, show: false }
        : { type: "value", gridIndex: i, scale: panels[i - 1].scale, splitNumber: narrow() ? 2 : 3,
          axisLabel: { hideOverlap: true }, name: panels[i - 1].name,
          nameTextStyle: { align: "left", padding: [0, 0, -2, 4 - left] },
          ...(panels[i - 1].max ? { max: panels[i - 1].max } : {}) })),
      series: [windowSeries(windows, from), ...grids.map((_, i) => hatchSeries(windows, from, i)),
        ...panels.flatMap((panel, i) => panel.lines.map((line) => ({ type: "line", name: line.name,
          xAxisIndex: i + 1, yAxisIndex: i + 1, showSymbol: false, silent: true, connectNulls: false,
          lineStyle: { width: 1.6, color: line.colour || c.ink, type: line.dash || "solid" },
          itemStyle: { color: line.colour || c.ink }, data: line.values,
          markArea: line === panel.lines[0] ? tinted(windows, from) : undefined }))),
        ...profilesOf(windows).map((place) => ({ type: "bar", name: profileName(place), data: [],
          itemStyle: { color: look(place).colour, decal: textured(look(place).pattern) } }))],
    },
    table: courseTable(windows, from, domain),
  };
}

function profilesOf(windows) {
  return [...new Set(windows.map((t) => t.profile))].sort((a, b) => a - b);
}

/** Lines break at wash-outs, which no window covers. */
function coursePanels(windows, from, domain) {
  const step = data.trials.step;
  const line = (of) => windows.flatMap((t) => {
    const values = of(t);
    return [...values.map((y, i) => [from(t) + Math.min(t.length, (i + 0.5) * step), known(y) ? y : null]),
      [from(t) + t.length, null]];
  });
  const panels = [];
  if (windows.some((t) => t.lines.rate.length > 0)) {
    panels.push({ name: "requests/s", scale: true, lines: [{ name: "rate", values: line((t) => t.lines.rate) }] });
    panels.push({ name: "p95 in ms", scale: true, lines: [{ name: "p95", values: line((t) => t.lines.p95) }] });
  }
  const share = (which) => line((t) => (t.lines.shares[domain] || [[], []])[which]
    .map((x) => x < 0 ? NaN : x / 10));
  if (windows.some((t) => t.lines.shares[domain])) {
    const c = colours();
    panels.push({ name: "% of " + data.domains[domain] + ": run, wait (dashed)", scale: false, max: 100,
      lines: [{ name: "run", values: share(0), colour: c.run },
        { name: "wait", values: share(1), colour: c.wait, dash: [5, 3] }] });
  }
  return panels;
}

function tinted(windows, from) {
  return { silent: true, data: windows.map((t) => [{ xAxis: from(t),
    itemStyle: { color: look(t.profile).colour, opacity: t.valid ? 0.2 : 0.06 } }, { xAxis: from(t) + t.length }]) };
}

function windowSeries(windows, from) {
  return { type: "custom", name: "windows", xAxisIndex: 0, yAxisIndex: 0, encode: { x: [0, 1] },
    data: windows.map((t) => ({ value: [from(t), from(t) + t.length], tip: courseTip(t) })),
    renderItem: (params, api) => {
      const t = windows[params.dataIndex];
      const [x, y] = api.coord([api.value(0), 1]);
      const [right, bottom] = api.coord([api.value(1), 0]);
      return { type: "rect", shape: { x, y, width: Math.max(1, right - x), height: bottom - y },
        style: { fill: look(t.profile).colour, opacity: t.valid ? 1 : 0.3, stroke: colours().ground, lineWidth: 1 },
        emphasis: { style: { stroke: colours().ink, lineWidth: 2 } } };
    } };
}

/** Slanted strokes over each wash-out, down all panels. */
function hatchSeries(windows, from, panel) {
  return { type: "custom", silent: true, xAxisIndex: panel, yAxisIndex: panel, encode: { x: [0, 1] }, z: 1,
    data: windows.filter((t) => t.warmUp > 0).map((t) => [from(t) - t.warmUp, from(t)]),
    renderItem: (params, api) => {
      const box = params.coordSys;
      const left = Math.max(box.x, api.coord([api.value(0), 0])[0]);
      const right = Math.min(box.x + box.width, api.coord([api.value(1), 0])[0]);
      const width = right - left;
      const strokes = [];
      for (let y = box.y - width; y < box.y + box.height; y += 6) {
        const a = Math.max(0, box.y - y);
        const b = Math.min(width, box.y + box.height - y);
        if (b > a) {
          strokes.push({ type: "line", shape: { x1: left + a, y1: y + a, x2: left + b, y2: y + b },
            style: { stroke: colours().muted, lineWidth: 0.8, opacity: 0.55 } });
        }
      }
      return { type: "group", children: strokes };
    } };
}

function courseTip(t) {
  const metric = scaleOf(data.primary);
  const value = metric && valueOf(t, data.primary);
  return ["block " + t.place[1] + ", window " + t.place[2] + ": " + profileName(t.profile),
    fixed(t.length, 1) + " s after " + fixed(t.warmUp, 1) + " s of wash-out",
    ...(value === undefined || value === null ? [] : [metric.label + " " + fixed(value * metric.scale, metric.digits) + " " + metric.unit]),
    ...(t.valid ? [] : ["excluded"])];
}

function courseTable(windows, from, domain) {
  const mean = (values) => {
    const some = values.filter((x) => known(x) && x >= 0);
    return some.length === 0 ? null : some.reduce((a, b) => a + b, 0) / some.length;
  };
  return {
    head: ["block", "window", "profile", "from s", "to s", "wash-out s", "requests/s", "p95 ms",
      "run % of " + (data.domains[domain] || "domain"), "wait %", "valid"],
    rows: windows.map((t) => {
      const [run, wait] = t.lines.shares[domain] || [[], []];
      const part = (values) => { const m = mean(values); return m === null ? UNKNOWN : fixed(m / 10, 1); };
      return { cells: [String(t.place[1]), String(t.place[2]), profileName(t.profile), fixed(from(t), 1),
        fixed(from(t) + t.length, 1), fixed(t.warmUp, 1), fixed(valueOf(t, "throughput"), 1),
        fixed(valueOf(t, "p95"), 0), part(run), part(wait), t.valid ? "yes" : "no"],
        open: () => openTrial(t.number) };
    }),
  };
}

function effectsChart() {
  const changed = loadOptions().filter(([load]) => data.changes.some((one) => one.load === Number(load)));
  return {
    id: "effects", title: "Changes by profile, session by session",
    note: "Change of " + data.primary + " from " + profileName(data.baseline) + " within blocks. Large marks: all "
      + "sessions, with the 95 % interval; small ones: each session, with the interval over its blocks.",
    choices: [{ key: "load", label: "Load", value: changed[changed.length - 1][0], options: changed }],
    build: (state) => buildEffects(Number(state.load)),
  };
}

function buildEffects(load) {
  const c = colours();
  const all = data.changes.filter((one) => one.load === load);
  const names = all.map((one) => profileName(one.profile));
  const rows = all.flatMap((one, row) => {
    const its = data.sessions.filter((s) => s.load === load && s.profile === one.profile);
    const room = rowHeight(58) * 0.38 / Math.max(1, its.length);
    return [{ ...one, row, shift: -rowHeight(58) * 0.22, size: 6.5, text: "all sessions: " + one.verdict },
      ...its.map((s, i) => ({ ...s, row, shift: -2 + i * room, size: 3.5,
        text: "session " + s.session + ", " + plural(s.blocks, "block") }))];
  });
  const tip = (r) => [profileName(r.profile) + ", " + r.text,
    signed(r.percent, 1) + " % [" + signed(r.low, 1) + ", " + signed(r.high, 1) + "]"];
  const ends = rows.flatMap((r) => [r.percent, known(r.low) ? r.low : r.percent, known(r.high) ? r.high : r.percent]);
  return {
    height: 70 + all.length * rowHeight(58),
    points: rows.map((r, index) => ({ series: 0, index, text: tip(r).join("; "),
      open: () => openCell(r.profile, load) })),
    option: {
      grid: { left: nameRoom(), right: 24, top: 10, bottom: 46 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", name: "change of " + data.primary + ", %", nameLocation: "middle", nameGap: 28,
        min: Math.min(0, ...ends), max: Math.max(0, ...ends), scale: true,
        axisLabel: { formatter: (x) => fixed(x, 0), hideOverlap: true } }),
      yAxis: axis({ type: "category", inverse: true, data: names, axisTick: { show: false },
        axisLabel: { width: nameRoom() - 14, overflow: "truncate", interval: 0 } }),
      series: [{ type: "custom", encode: { x: 0, y: 1 },
        markLine: { silent: true, symbol: "none", label: { show: false },
          lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ xAxis: 0 }] },
        data: rows.map((r) => ({ value: [r.percent, r.row], tip: tip(r) })),
        renderItem: (params, api) => {
          const r = rows[params.dataIndex];
          const style = look(r.profile);
          const [x, middle] = api.coord([r.percent, r.row]);
          const y = middle + r.shift;
          const lines = known(r.low) ? [{ type: "line",
            shape: { x1: api.coord([r.low, r.row])[0], y1: y, x2: api.coord([r.high, r.row])[0], y2: y },
            style: { stroke: style.colour, lineWidth: r.size > 5 ? 2.4 : 1.2, opacity: r.size > 5 ? 1 : 0.75 } }] : [];
          return { type: "group", children: [...lines,
            dot(style.symbol, x, y, r.size, { fill: style.colour, stroke: c.ground, lineWidth: 1 })] };
        } }],
    },
    table: {
      head: ["profile", ...LOAD_HEADS, "session", "blocks", "change %", "95 % interval", "verdict"],
      rows: rows.map((r) => ({ cells: [profileName(r.profile), ...loadFields(load),
        r.session ? String(r.session) : "all", r.blocks ? String(r.blocks) : UNKNOWN, signed(r.percent, 1),
        known(r.low) ? signed(r.low, 1) + " to " + signed(r.high, 1) : UNKNOWN, r.verdict || UNKNOWN] })),
    },
  };
}
