/* Marks the chart library lacks: intervals over grouped bars, and points with intervals. */

function segment(x1, y1, x2, y2, style) {
  return { type: "line", shape: { x1, y1, x2, y2 }, style, silent: true };
}

/** An interval from low to high around a place on the other axis; a whisker with two feet. */
function whisker(from, to, colour, width, upright, foot = 4) {
  const style = { stroke: colour, lineWidth: width, fill: "none" };
  return upright
    ? [segment(from[0], from[1], to[0], to[1], style),
       segment(from[0] - foot, from[1], from[0] + foot, from[1], style),
       segment(to[0] - foot, to[1], to[0] + foot, to[1], style)]
    : [segment(from[0], from[1], to[0], to[1], style),
       segment(from[0], from[1] - foot, from[0], from[1] + foot, style),
       segment(to[0], to[1] - foot, to[0], to[1] + foot, style)];
}

/**
 * A series of vertical whiskers in each category. Values are [category, low, high];
 * `slot(api)` returns the offset from the category's middle, in pixels.
 */
function uprightWhiskers(name, values, colour, slot) {
  return {
    type: "custom", name, silent: true, z: 5, tooltip: { show: false },
    encode: { x: 0, y: [1, 2] }, data: values,
    renderItem: (params, api) => {
      const shift = slot(api, params);
      const low = api.coord([api.value(0), api.value(1)]);
      const high = api.coord([api.value(0), api.value(2)]);
      return { type: "group", silent: true,
        children: whisker([low[0] + shift, low[1]], [high[0] + shift, high[1]], colour, 1.4, true) };
    },
  };
}

/** A series of horizontal whiskers; values are [low, high, category]. */
function lyingWhiskers(name, values, colour) {
  return {
    type: "custom", name, silent: true, z: 5, tooltip: { show: false },
    encode: { x: [0, 1], y: 2 }, data: values,
    renderItem: (params, api) => ({ type: "group", silent: true,
      children: whisker(api.coord([api.value(0), api.value(2)]),
        api.coord([api.value(1), api.value(2)]), colour, 1.2, false) }),
  };
}

/** The offset of the bar of one of several series from its category's middle. */
function barSlot(which, count, api) {
  const visible = api.currentSeriesIndices().filter((index) => index < count);
  const place = visible.indexOf(which);
  const layout = api.barLayout({ barGap: BAR_GAP, barCategoryGap: CATEGORY_GAP, barMaxWidth: BAR_WIDTH,
    count: Math.max(1, visible.length) });
  return layout[Math.max(0, place)].offsetCenter;
}
const BAR_GAP = "12%";
const CATEGORY_GAP = "28%";
const BAR_WIDTH = 46;
