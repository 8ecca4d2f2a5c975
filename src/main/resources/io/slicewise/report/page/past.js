/* A metric over many runs: the value of each with its interval, the levels between changes, the changes. */

/** Beyond this number of series, one chart has a choice between them. */
const MOST_PAST_CHARTS = 6;

function mountPast(parent) {
  const scale = scaleOf(data.primary);
  if (data.past.length > MOST_PAST_CHARTS) {
    mountChart(pastChart("series", "Series", [{ key: "series", label: "Series", value: "0",
      options: data.past.map((series, place) => [String(place), seriesName(series)]) }],
    (state) => data.past[Number(state.series)], scale), parent);
  } else {
    data.past.forEach((series, place) => mountChart(
      pastChart("series-" + place, seriesName(series), [], () => series, scale), parent));
  }
}

function seriesName(series) {
  return series.profile + ", " + series.load;
}

function pastChart(id, title, choices, seriesOf, scale) {
  const first = seriesOf({ series: "0" });
  return {
    id, title, choices, metric: scale.label, load: choices.length > 0 ? UNKNOWN : first.load,
    note: "Geometric mean of each " + first.unit + "'s trials with its 95 % interval; horizontal lines are the levels "
      + "between changes, dashed lines the changes. " + (scale.moreIsBetter ? "More" : "Less") + " is better."
      + (choices.length > 0 ? "" : " " + first.where + "."),
    build: (state) => buildPast(seriesOf(state), scale),
  };
}

/** The levels as [first run, last run, value]; one without changes. */
function levels(series) {
  const starts = [0, ...series.steps.map((step) => step.index)];
  return series.steps.length === 0 ? [] : starts.map((from, i) => [from,
    (i + 1 < starts.length ? starts[i + 1] : series.runs.length) - 1,
    i === 0 ? series.steps[0].before : series.steps[i - 1].after]);
}

function pastTip(series, place, scale) {
  const [value, low, high, trials] = series.runs[place];
  const step = series.steps.find((one) => one.index === place);
  return [series.names[place], series.days[place].replace("T", " ") + " UTC",
    scale.label + " " + fixed(value, 1) + " " + scale.unit + (known(low)
      ? " [" + fixed(low, 1) + ", " + fixed(high, 1) + "]" : ""), plural(trials, "trial"),
    ...(step ? [changeWords(step)] : [])];
}

function changeWords(step) {
  return (step.fresh ? "new: " : "") + signed(step.percent, 1) + " % " + step.verdict;
}

function buildPast(series, scale) {
  const c = colours();
  const hue = (verdict) => verdict === "better" ? c.hues[2] : verdict === "worse" ? c.hues[1] : c.muted;
  const whiskers = series.runs.map(([, low, high], place) => [place, low, high]).filter(([, low]) => known(low));
  return {
    height: tall(320),
    points: series.runs.map((_, index) => ({ series: 0, index, text: pastTip(series, index, scale).join("; ") })),
    option: {
      grid: { left: 62, right: 24, top: 40, bottom: 48 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip || [""]) },
      xAxis: axis({ type: "category", data: series.days.map((day) => day.slice(0, 10)), nameLocation: "middle",
        name: series.unit + ", by its start", nameGap: 30, splitLine: { show: false },
        axisLabel: { hideOverlap: true, interval: Math.max(0, Math.ceil(series.runs.length * 92 / chartWidth()) - 1) } }),
      yAxis: axis({ type: "value", scale: true, name: scale.label + ", " + scale.unit,
        splitNumber: narrow() ? 4 : 5, nameTextStyle: { align: "left", padding: [0, 0, 12, -46] } }),
      series: [
        { type: "line", symbol: "circle", symbolSize: series.runs.length > 100 ? 4 : 7,
          itemStyle: { color: c.hues[0] }, lineStyle: { color: c.hues[0], width: 1, opacity: 0.5 },
          data: series.runs.map(([value], place) => ({ value, tip: pastTip(series, place, scale) })),
          markLine: { silent: true, symbol: "none", label: { show: false }, data: [
            ...levels(series).map(([from, to, value]) => [{ coord: [from, value],
              lineStyle: { color: c.ink, type: "solid", width: 2 } }, { coord: [to, value] }]),
            ...series.steps.map((step) => ({ xAxis: step.index,
              lineStyle: { color: hue(step.verdict), type: "dashed", width: 1.6 },
              label: { show: true, position: "end", distance: 2, formatter: changeWords(step),
                color: c.ink, fontSize: 11.5, align: 2 * step.index > series.runs.length ? "right" : "left" } }))] } },
        uprightWhiskers("interval", whiskers, c.hues[0], () => 0)],
    },
    table: {
      head: [series.unit, "begun", data.primary + " " + scale.unit, "95 % interval", "n", "change"],
      rows: series.runs.map(([value, low, high, trials], place) => {
        const step = series.steps.find((one) => one.index === place);
        return { cells: [series.names[place], series.days[place].replace("T", " "), fixed(value, 1),
          known(low) ? "[" + fixed(low, 1) + ", " + fixed(high, 1) + "]" : UNKNOWN, String(trials),
          step ? changeWords(step) : ""] };
      }),
    },
  };
}
