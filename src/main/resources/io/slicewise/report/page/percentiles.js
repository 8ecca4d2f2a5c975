/* The distribution of response times: the tail gets the room, as in HdrHistogram's own plots. */

function percentileChart() {
  return {
    id: "percentiles", half: true, metric: "response time", title: "Distribution of response times",
    note: "Each point is the mean of the trials' own percentiles (nearest rank, no interpolation); the line ends where fewer than ten "
      + "requests of a trial are beyond it.",
    choices: [{ key: "load", label: "Load", value: busiest(), options: loadOptions() }],
    build: (state) => buildPercentiles(Number(state.load)),
  };
}

/** 0 % at 0, 90 % at 1, 99 % at 2, 99.9 % at 3. */
function tailPlace(percentile) {
  return -Math.log10(1 - percentile / 100);
}

function buildPercentiles(load) {
  const cells = data.cells.filter((cell) => cell.load === load && cell.curve.length > 0);
  const points = [];
  const series = cells.map((cell, which) => {
    const style = look(cell.profile);
    return {
      type: "line", name: profileName(cell.profile), symbol: style.symbol, symbolSize: 6,
      lineStyle: { width: 2, type: style.dash.length ? style.dash : "solid" },
      itemStyle: { color: style.colour }, emphasis: { focus: "series" },
      data: cell.curve.map((point, index) => {
        const [percentile, mean, deviation, n, low, high] = point;
        const tip = [cellName(cell), "p" + percentile + " " + measured([mean, deviation, n, low, high], 1, 1)
          + " ms", "n = " + n];
        points.push({ series: which, index, text: tip.join("; "),
          open: () => openCell(cell.profile, cell.load) });
        return { value: [tailPlace(percentile), mean], tip };
      }),
    };
  });
  const last = Math.max(1, ...cells.map((cell) => tailPlace(cell.curve[cell.curve.length - 1][0])));
  const shown = narrow() || onPaper ? [0, 90, 99, 99.9] : [0, 50, 75, 90, 95, 99, 99.9, 99.99];
  const keys = legend(cells.map((cell) => profileName(cell.profile)));
  return {
    height: tall(320) + keys.room, points,
    option: {
      legend: keys,
      grid: { left: 62, right: 24, top: keys.room + 36, bottom: 52 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "value", min: 0, max: Math.ceil(last * 10) / 10, name: "percentile of requests",
        nameLocation: "middle", nameGap: 32,
        axisLabel: { customValues: shown.map(tailPlace), formatter: (place) =>
          String(Number((100 - 100 * Math.pow(10, -place)).toFixed(2))) + " %" },
        axisTick: { customValues: shown.map(tailPlace) }, splitLine: { show: false } }),
      yAxis: axis({ type: "value", name: "response time in ms",
        nameTextStyle: { align: "left", padding: [0, 0, 4, -46] } }),
      series,
    },
    table: {
      head: ["profile", "percentile", "ms", "95 % interval", "n"],
      rows: cells.flatMap((cell) => cell.curve.map(([percentile, mean, , n, low, high], i) => ({
        cells: [profileName(cell.profile), "p" + percentile, fixed(mean, 1),
          interval([mean, null, n, low, high], 1, 1), String(n)],
        open: i === 0 ? () => openCell(cell.profile, cell.load) : null,
      }))),
    },
  };
}
