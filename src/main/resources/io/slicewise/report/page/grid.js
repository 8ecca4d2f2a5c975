/* Profiles that cross two parameters, as a map of heat. */

function gridChart(grid, place) {
  return {
    id: "grid-" + place,
    title: capital(grid.across.parameter) + " × " + grid.down.parameter + " (" + schedulerName(grid) + ")",
    note: "Of " + grid.domains.join(", ") + ". Darker means higher on a light background, lighter "
      + "means higher on a dark one; each field shows the value, ★ marks the best set of the load.",
    choices: [
      { key: "metric", label: "Metric", value: data.primary,
        options: data.metrics.map((m) => [m.key, m.label]) },
      { key: "load", label: "Load", value: busiest(), options: loadOptions() }],
    build: (state) => buildGrid(grid, scaleOf(state.metric), Number(state.load)),
  };
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function schedulerName(grid) {
  return data.profiles.find((p) => p.name === grid.places[0].profile).scheduler;
}

function axisValue(axisOf, value) {
  return axisOf.parameter === "cap" && value === 0 ? "none"
    : String(value) + (axisOf.unit ? " " + axisOf.unit : "");
}

function buildGrid(grid, scale, load) {
  const c = colours();
  const fields = grid.places.map((place) => {
    const profile = data.profiles.findIndex((p) => p.name === place.profile);
    const cell = cellOf(profile, load);
    return { ...place, cell, estimate: cell && cell.metrics[scale.key] };
  }).filter((field) => field.estimate && known(field.estimate[MEAN]));
  const means = fields.map((field) => field.estimate[MEAN] * scale.scale);
  const least = Math.min(...means);
  const most = Math.max(...means);
  const points = fields.map((field, index) => ({ series: 0, index,
    text: tipOf(field.cell, scale).join("; "),
    open: () => openCell(field.cell.profile, load) }));
  return {
    height: 150 + grid.down.values.length * rowHeight(52), points,
    option: {
      grid: { left: 96, right: 24, top: 16, bottom: 92 },
      tooltip: { trigger: "item", formatter: (p) => tipLines(p.data.tip) },
      xAxis: axis({ type: "category", data: grid.across.values.map((v) => axisValue(grid.across, v)),
        name: grid.across.parameter, nameLocation: "middle", nameGap: 28, splitArea: { show: false } }),
      yAxis: axis({ type: "category", data: grid.down.values.map((v) => axisValue(grid.down, v)),
        name: grid.down.parameter, nameLocation: "middle", nameGap: 66 }),
      visualMap: { min: least, max: most > least ? most : least + 1, calculable: false,
        orient: "horizontal", left: "center", bottom: 4, itemHeight: 180, itemWidth: 12,
        text: [fixed(most, scale.digits) + " " + scale.unit, fixed(least, scale.digits)],
        textStyle: { color: c.muted }, inRange: { color: c.heat } },
      series: [{ type: "heatmap",
        itemStyle: { borderColor: c.ground, borderWidth: 3 },
        emphasis: { itemStyle: { borderColor: c.ink, borderWidth: 2 } },
        data: fields.map((field) => {
          const value = field.estimate[MEAN] * scale.scale;
          const depth = most > least ? (value - least) / (most - least) : 0.5;
          return { value: [field.across, field.down, value], tip: tipOf(field.cell, scale),
            label: { show: true, fontSize: 12.5,
              color: (depth > 0.55) !== isDark() ? "#ffffff" : "#10202c",
              formatter: fixed(value, scale.digits) + (field.cell.best === true ? " ★" : "") } };
        }) }],
    },
    table: {
      head: ["profile", grid.across.parameter, grid.down.parameter, scale.label + " " + scale.unit,
        "95 % interval", "n"],
      rows: fields.map((field) => ({
        cells: [field.profile, axisValue(grid.across, grid.across.values[field.across]),
          axisValue(grid.down, grid.down.values[field.down]),
          fixed(field.estimate[MEAN] * scale.scale, scale.digits),
          interval(field.estimate, scale.scale, scale.digits), String(field.estimate[COUNT])],
        open: () => openCell(field.cell.profile, load) })),
    },
  };
}
