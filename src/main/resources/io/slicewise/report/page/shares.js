/* How each domain spent its own vCPU time: run, wait, blocked, stacked, by profile. */

const PARTS = [["run", "run"], ["waiting", "wait"], ["blocked", "blocked"]];

/** Above this number of bars, a single domain is selected initially. */
const MOST_SHARE_BARS = 40;

/** Whether a domain's wait is known to be partly due to its own quota. */
const hasThrottled = data.cells.some((cell) => cell.domains.some((d) => d.throttled.length > 0));

function sharesChart() {
  const bars = data.domains.length * data.profiles.length;
  return {
    id: "shares", half: true, metric: "run, wait and blocked", title: "Run, wait and blocked by domain",
    note: "Shares of a domain's own vCPU time. Bars at segment ends: 95 % interval of that segment.",
    choices: [
      { key: "load", label: "Load", value: busiest(), options: loadOptions() },
      { key: "domain", label: "Domain", value: bars > MOST_SHARE_BARS ? "0" : "all",
        options: [["all", "all"]].concat(data.domains.map((name, i) => [String(i), name])) }],
    build: (state) => buildShares(Number(state.load), state.domain),
  };
}

function buildShares(load, domain) {
  const bars = shareBars(load, domain);
  const c = colours();
  const points = [];
  const series = PARTS.map(([part, name], which) => ({
    type: "bar", name, stack: "time", barWidth: rowHeight(onPaper && bars.length > 16 ? 12 : 15),
    itemStyle: { color: c[name], decal: textured(PATTERNS[[0, 1, 2][which]]) },
    emphasis: { itemStyle: { borderColor: c.ink, borderWidth: 1.5 } },
    data: bars.map((bar, index) => {
      if (!bar.shares) {
        return { value: 0, tip: [""] };
      }
      const tip = shareTip(bar);
      if (which === 0) {
        points.push({ series: which, index, text: tip.join("; "),
          open: () => openCell(bar.cell.profile, bar.cell.load) });
      }
      return { value: known(bar.shares[part][MEAN]) ? 100 * bar.shares[part][MEAN] : 0, tip };
    }),
  }));
  const clickable = points.flatMap((p) => [p, { ...p, series: 1 }, { ...p, series: 2 }]);
  return {
    height: 92 + bars.length * rowHeight(onPaper && bars.length > 16 ? 18 : 25),
    points: Object.assign(points.slice(), { find: (f) => clickable.find(f) }),
    option: {
      legend: legend(PARTS.map(([, name]) => name)),
      grid: { left: nameRoom(), right: 22, top: 30, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", min: 0, max: 100, name: "% of vCPU time",
        nameLocation: "middle", nameGap: 30 }),
      yAxis: axis({ type: "category", inverse: true, data: bars.map((bar) => bar.label),
        axisTick: { show: false },
        axisLabel: { width: nameRoom() - 14, overflow: "truncate", interval: 0, margin: 10,
          color: (_, index) => bars[index].shares ? c.muted : c.ink } }),
      series: series.concat([
        lyingWhiskers("run", shareRanges(bars, (s) => 0, "run"), c.ink),
        lyingWhiskers("wait", shareRanges(bars, (s) => s.run[MEAN], "waiting"), c.ink)]),
    },
    table: {
      head: ["domain", "profile", ...LOAD_HEADS, "vCPUs", "run %", "wait %", "blocked %",
        ...(hasThrottled ? ["throttled %"] : []), "n"],
      rows: bars.filter((bar) => bar.shares).map((bar) => ({
        cells: [data.domains[bar.shares.domain], profileName(bar.cell.profile), ...loadFields(load),
          String(bar.shares.vcpus), ...PARTS.map(([part]) => measured(bar.shares[part], 100, 1)),
          ...(hasThrottled ? [measured(bar.shares.throttled, 100, 1)] : []),
          String(bar.shares.run[COUNT])],
        open: () => openCell(bar.cell.profile, bar.cell.load) })),
    },
  };
}

/** A line with the domain's name, then a bar for every profile with its shares. */
function shareBars(load, domain) {
  const bars = [];
  data.domains.forEach((name, place) => {
    if (domain !== "all" && domain !== String(place)) {
      return;
    }
    const own = data.cells.filter((cell) => cell.load === load)
      .map((cell) => ({ cell, shares: cell.domains.find((d) => d.domain === place) }))
      .filter((bar) => bar.shares)
      .map((bar) => ({ ...bar, label: profileName(bar.cell.profile) }));
    if (own.length > 0) {
      bars.push({ label: name + ", " + plural(own[0].shares.vcpus, "vCPU") }, ...own);
    }
  });
  return bars;
}

function shareTip(bar) {
  return [data.domains[bar.shares.domain] + ", " + cellName(bar.cell),
    ...PARTS.map(([part, name]) => name + " " + measured(bar.shares[part], 100, 1) + " %"),
    ...(bar.shares.throttled.length > 0
      ? ["of the wait, throttled " + measured(bar.shares.throttled, 100, 1) + " %"] : []),
    "n = " + bar.shares.run[COUNT]];
}

function shareRanges(bars, base, part) {
  return bars.map((bar, index) => [bar.shares, index])
    .filter(([shares]) => shares && known(shares[part][LOW]) && known(base(shares)))
    .map(([shares, index]) => [Math.max(0, 100 * (base(shares) + shares[part][LOW])),
      Math.min(100, 100 * (base(shares) + shares[part][HIGH])), index]);
}
