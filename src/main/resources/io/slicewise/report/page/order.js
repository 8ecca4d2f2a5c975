/* The deviation of each trial from its cell, in run order: drift of the host shows as a slope. */

function orderChart() {
  return {
    id: "order", half: true, title: "Block to block",
    note: "The deviation of each trial from the mean of its cell, in run order, "
      + "and the mean of each block. " + driftWords(),
    choices: [],
    build: buildOrder,
  };
}

function driftWords() {
  const drift = data.drift;
  const tests = [drift.slopeP, drift.lagOneP].filter(known);
  if (tests.length === 0) {
    return "Too few trials to judge drift.";
  }
  const p = Math.min(1, 2 * Math.min(...tests));
  return (p < 0.05 ? "The host drifted" : "No drift found") + " (p " + fixed(p, 3) + ").";
}

function buildOrder() {
  const c = colours();
  const scale = scaleOf(data.primary);
  const trials = data.order.trials;
  const spans = data.order.blocks.map((block) => {
    const own = trials.filter((t) => t.block === block.block).map((t) => t.trial);
    return { ...block, from: Math.min(...own), to: Math.max(...own) };
  });
  const points = trials.map((t, index) => ({ series: 0, index,
    text: orderTip(t, scale).join("; "), open: () => openTrial(t.trial) }));
  return {
    height: tall(340), points,
    option: {
      legend: legend(["trial", "mean of a block"]),
      grid: { left: 62, right: 20, top: 56, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: axis({ type: "value", name: "trial, in run order", nameLocation: "middle",
        nameGap: 30, min: 0, max: Math.max(1, ...trials.map((t) => t.trial)) + 1, minInterval: 1,
        splitLine: { show: false } }),
      yAxis: axis({ type: "value", name: data.primary + " against its own cell, %",
        axisLabel: { formatter: (x) => x > 0 ? "+" + x : String(x).replace("-", "−") },
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      series: [
        { type: "scatter", name: "trial", symbolSize: trials.length > 400 ? 4 : 8,
          itemStyle: { color: c.muted, opacity: 0.6 },
          data: trials.map((t) => ({ value: [t.trial, t.percent], tip: orderTip(t, scale) })),
          markLine: { silent: true, symbol: "none", label: { show: false },
            lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ yAxis: 0 }] },
          markArea: { silent: true, itemStyle: { color: c.band },
            data: spans.filter((_, i) => i % 2 === 0)
              .map((s) => [{ xAxis: s.from - 0.5 }, { xAxis: s.to + 0.5 }]) } },
        { type: "line", name: "mean of a block", symbol: "rect", symbolSize: 10,
          itemStyle: { color: c.ink }, lineStyle: { width: 2.5, color: c.ink },
          data: spans.map((s) => ({ value: [(s.from + s.to) / 2, s.percent],
            tip: ["block " + s.block, signed(s.percent, 1) + " %", plural(s.trials, "trial")] })) }],
    },
    table: {
      head: ["block", "trials", "mean against their own cells %"],
      rows: data.order.blocks.map((b) => ({
        cells: [String(b.block), String(b.trials), signed(b.percent, 2)] })),
    },
  };
}

function orderTip(deviation, scale) {
  const trial = trialsByNumber.get(deviation.trial);
  return [...trialTip(trial, scale), signed(deviation.percent, 1) + " % from its cell's mean"];
}
