/* Response time over throughput: what a load costs, and where the goal's bound is reached. */

function capacityChart() {
  const times = ["p95", "mean", "p50", "p99"].filter(has);
  const start = data.bound && times.includes(data.bound.metric) ? data.bound.metric
    : times.includes(data.primary) ? data.primary : times[0];
  return {
    id: "capacity", title: "Response time over throughput",
    note: "A point per load, labelled with its " + data.axes[0].unit
      + (data.loads.length > 1 ? "; lines join a profile's loads in order" : "")
      + ". Lower and further right is better."
      + (data.bound ? " The dashed line is the bound " + data.bound.text + "." : ""),
    choices: [{ key: "metric", label: "Metric", value: start,
      options: times.map((key) => [key, scaleOf(key).label]) }],
    build: (state) => buildCapacity(scaleOf(state.metric)),
  };
}

/** A line per profile and curve of loads, with its cells by the size of the load. */
function capacityLines(scale) {
  const lines = new Map();
  data.cells.filter((cell) => cell.metrics.throughput && known(cell.metrics.throughput[MEAN])
    && cell.metrics[scale.key] && known(cell.metrics[scale.key][MEAN])).forEach((cell) => {
    const key = cell.profile + "/" + data.loads[cell.load].curve;
    const line = lines.get(key) || { profile: cell.profile, cells: [] };
    line.cells.push(cell);
    lines.set(key, line);
  });
  lines.forEach((line) => line.cells.sort((a, b) => data.loads[a.load].size - data.loads[b.load].size));
  return [...lines.values()];
}

function sizeAtBound(profile, scale) {
  const found = data.bound && data.bound.metric === scale.key
    && data.bound.sizes.find((one) => one[0] === profile);
  return found && known(found[1]) ? Math.floor(found[1] + 1e-6)
    + (known(found[2]) ? " [" + Math.floor(found[2] + 1e-6) + ", " + Math.floor(found[3] + 1e-6) + "]" : "") : null;
}

function buildCapacity(scale) {
  const c = colours();
  const lines = capacityLines(scale);
  const points = [];
  const values = lines.flatMap((line) => line.cells.map((cell) => cell.metrics[scale.key][MEAN] * scale.scale));
  const wide = Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 12;
  const labelled = new Set();
  const series = lines.map((line, which) => {
    const style = look(line.profile);
    return { type: "line", name: profileName(line.profile), symbol: style.symbol, symbolSize: 8,
      lineStyle: { width: 2, type: style.dash.length ? style.dash : "solid", color: style.colour },
      itemStyle: { color: style.colour }, emphasis: { focus: "series" }, labelLayout: { hideOverlap: true },
      ...(which === 0 && data.bound && data.bound.metric === scale.key ? { markLine: { silent: true, symbol: "none",
        label: { formatter: data.bound.text, position: "insideStartTop", color: c.ink },
        lineStyle: { color: c.ink, type: "dashed", width: 1.2 }, data: [{ yAxis: data.bound.limit }] } } : {}),
      data: line.cells.map((cell, index) => {
        const tip = [cellName(cell), scale.label + " " + measured(cell.metrics[scale.key], scale.scale, scale.digits) + " "
          + scale.unit, "throughput " + measured(cell.metrics.throughput, 1, 1) + " requests/s"];
        points.push({ series: which, index, text: tip.join("; "), open: () => openCell(cell.profile, cell.load) });
        const mark = shortLoad(cell.load);
        const show = !labelled.has(mark) || (lines.length <= 4 && !narrow() && !onPaper);
        labelled.add(mark);
        return { value: [cell.metrics.throughput[MEAN], cell.metrics[scale.key][MEAN] * scale.scale], tip,
          label: { show, formatter: mark, position: "top", color: c.muted, fontSize: 11 } };
      }) };
  });
  const names = [...new Set(lines.map((line) => profileName(line.profile)))];
  const keys = legend(names);
  return {
    height: tall(330) + keys.room, points,
    option: {
      legend: keys,
      grid: { left: 62, right: 24, top: keys.room + 36, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", scale: true, name: "throughput, requests/s", nameLocation: "middle", nameGap: 30,
        splitNumber: narrow() ? 3 : 6, axisLabel: { hideOverlap: true } }),
      yAxis: axis({ type: wide ? "log" : "value", name: scale.label + ", " + scale.unit + (wide ? " (log scale)" : ""),
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      series,
    },
    table: {
      head: ["profile", ...LOAD_HEADS, "throughput requests/s", scale.label + " " + scale.unit, "95 % interval",
        ...(data.bound ? [data.bound.unit + " at " + data.bound.text] : [])],
      rows: lines.flatMap((line) => line.cells.map((cell) => ({ cells: [profileName(cell.profile), ...loadFields(cell.load),
        fixed(cell.metrics.throughput[MEAN], 1), fixed(cell.metrics[scale.key][MEAN] * scale.scale, scale.digits),
        interval(cell.metrics[scale.key], scale.scale, scale.digits),
        ...(data.bound ? [sizeAtBound(cell.profile, scale) || UNKNOWN] : [])],
        open: () => openCell(cell.profile, cell.load) }))),
    },
  };
}
