/* A study of pairs: each pair as a dot, the interval that only shrinks, and the evidence until it decides. */

function pairsChart() {
  return {
    id: "pairs", metric: data.primary, title: "Pairs and their evidence",
    note: "Dots: the change of " + data.primary + " from " + profileName(data.baseline) + " in each pair, whose order a coin "
      + "decided. Band: the changes that no pair so far refutes. Below: evidence against \"no change\" on a logarithmic "
      + "scale; it decides at the dashed line, and may be looked at after every pair.",
    choices: [{ key: "candidate", label: "Candidate", value: "0",
      options: data.courses.map((course, place) => [String(place), profileName(course.profile)]) }],
    build: (state) => buildPairs(data.courses[Number(state.candidate)]),
  };
}

function buildPairs(course) {
  const c = colours();
  const style = look(course.profile);
  const looks = course.looks.map(([pair, change, evidence, low, high], place) =>
    ({ at: place + 1, pair, change, evidence, low, high }));
  const changes = looks.map((one) => one.change);
  const spread = Math.max(5, Math.max(0, ...changes) - Math.min(0, ...changes));
  const top = Math.max(0, ...changes) + spread / 4;
  const bottom = Math.min(0, ...changes) - spread / 4;
  const end = (value, open) => known(value) ? Math.max(bottom, Math.min(top, value)) : open;
  const tip = (one) => ["pair " + one.pair + ": " + signed(one.change, 1) + " %",
    "so far [" + signed(one.low, 1) + ", " + signed(one.high, 1) + "] %",
    "evidence " + fixed(one.evidence, 1) + " of " + fixed(course.needed, 0)];
  const upper = tall(230);
  const lower = tall(130);
  const keys = legend([{ name: "pair", icon: style.symbol }, { name: "not refuted", icon: "rect" },
    { name: "evidence", icon: "rect" }]);
  const last = looks.length + 1;
  const least = Math.min(0.5, ...looks.map((one) => one.evidence));
  const most = Math.max(2 * course.needed, ...looks.map((one) => one.evidence));
  const grids = [{ left: 62, right: 20, top: keys.room + 36, height: upper },
    { left: 62, right: 20, top: keys.room + 36 + upper + 44, height: lower }];
  const openPair = (one) => {
    const trial = data.trials.rows.find((t) => t.profile === course.profile && t.block === one.pair);
    return trial && openTrial(trial.number);
  };
  return {
    height: keys.room + 36 + upper + 44 + lower + 48,
    points: looks.map((one, index) => ({ series: 0, index, text: tip(one).join("; "), open: () => openPair(one) })),
    option: {
      legend: { ...keys, selectedMode: false },
      grid: grids,
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: grids.map((_, i) => axis({ type: "value", gridIndex: i, min: 0, max: last, minInterval: 1,
        splitLine: { show: false }, axisLabel: { show: i === 1, hideOverlap: true },
        name: i === 1 ? "pair of this candidate" : "", nameLocation: "middle", nameGap: 28 })),
      yAxis: [axis({ type: "value", gridIndex: 0, min: bottom, max: top, name: "change, %",
        axisLabel: { formatter: signedWhole, showMinLabel: false, showMaxLabel: false },
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      axis({ type: "log", gridIndex: 1, min: least, max: most, name: "evidence",
        axisLabel: { formatter: (x) => x >= 1 ? fixed(x, 0) : fixed(x, 2), showMinLabel: false },
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } })],
      series: [
        { type: "scatter", name: "pair", symbol: style.symbol, symbolSize: looks.length > 100 ? 6 : 9, z: 4,
          itemStyle: { color: style.colour, borderColor: c.ground, borderWidth: 1 },
          data: looks.map((one) => ({ value: [one.at, one.change], tip: tip(one) })),
          markLine: { silent: true, symbol: "none", label: { show: false },
            lineStyle: { color: c.muted, type: "solid", width: 1 }, data: [{ yAxis: 0 }] } },
        { type: "custom", name: "not refuted", silent: true, z: 1, itemStyle: { color: c.muted, opacity: 0.4 },
          encode: { x: 0, y: [1, 2] },
          data: looks.map((one) => [one.at, end(one.low, bottom), end(one.high, top)]),
          renderItem: (params, api) => {
            const [left, low] = api.coord([api.value(0) - 0.5, api.value(1)]);
            const [right, high] = api.coord([api.value(0) + 0.5, api.value(2)]);
            return { type: "rect", shape: { x: left, y: high, width: right - left, height: low - high },
              style: { fill: style.colour, opacity: 0.22 } };
          } },
        { type: "line", name: "evidence", xAxisIndex: 1, yAxisIndex: 1, symbol: "none", step: "end", z: 3,
          lineStyle: { color: c.ink, width: 2 }, itemStyle: { color: c.ink },
          data: looks.map((one) => ({ value: [one.at, one.evidence], tip: tip(one) })),
          markLine: { silent: true, symbol: "none",
            label: { formatter: "decides", position: "insideEndTop", color: c.muted },
            lineStyle: { color: c.muted, type: "dashed", width: 1.4 }, data: [{ yAxis: course.needed }] } }],
    },
    table: {
      head: ["pair", "change %", "evidence", "not refuted, %"],
      rows: looks.map((one) => ({ cells: [String(one.pair), signed(one.change, 1), fixed(one.evidence, 2),
        signed(one.low, 1) + " to " + signed(one.high, 1)], open: () => openPair(one) })),
    },
  };
}
