/*
 * The common parts of all charts: a title with the origin of the numbers, choices, the
 * drawing, a text line for the current point, keys to move between points, and a table of the same
 * numbers.
 *
 * A chart is { id, title, note, choices, build(state) }; `half`: two fit side by side on paper; `metric`: what it
 * shows if neither a choice nor the deciding metric; `load`: its load if not all. `build` returns
 *   option   for the chart library, without the common parts
 *   points   [{ series, index, text, open }] in the order of the arrow keys
 *   table    { head: [...], rows: [{ cells: [...], open }] }
 *   height   in pixels
 */

const drawings = [];

function axis(extra) {
  const c = colours();
  return {
    axisLine: { lineStyle: { color: c.line } }, axisTick: { lineStyle: { color: c.line } },
    axisLabel: { color: c.muted, fontSize: 12, ...(extra.axisLabel || {}) },
    nameTextStyle: { color: c.muted, fontSize: 12, ...(extra.nameTextStyle || {}) },
    splitLine: { lineStyle: { color: c.line, opacity: 0.6 }, ...(extra.splitLine || {}) },
    ...Object.fromEntries(Object.entries(extra)
      .filter(([key]) => !["axisLabel", "nameTextStyle", "splitLine"].includes(key))),
  };
}

/** Space for names next to horizontal bars: what the longest profile needs, less of it on narrow screens. */
function nameRoom() {
  const longest = Math.ceil(Math.max(0, ...data.profiles.map((profile) => textWidth(profile.name, 12)))) + 50;
  return narrow() ? Math.min(150, Math.max(110, longest)) : Math.min(300, Math.max(190, longest));
}

function narrow() {
  return innerWidth < 640 && !onPaper;
}

let measuring = null;

/** The width of a text in a legend, in pixels. */
function textWidth(text, size) {
  measuring = measuring || document.createElement("canvas").getContext("2d");
  measuring.font = size + "px " + getComputedStyle(document.body).fontFamily;
  return measuring.measureText(text).width;
}

/** Lines of text in a tooltip, the first one bold; text only. */
function tipLines(lines) {
  const [first, ...rest] = lines;
  return el("div", { class: "tip" }, el("strong", {}, first),
    rest.map((line) => el("div", {}, line)));
}

/** The place of the chart that is being built. */
let drawnOn = null;

/** The width of the chart that is being built. */
function chartWidth() {
  return Math.max(240, drawnOn ? drawnOn.clientWidth : innerWidth - 60);
}

/** A plot's height in pixels, less on paper. */
function tall(pixels) {
  return onPaper ? Math.round(pixels * 0.58) : pixels;
}

/** The height of a row in pixels, less on paper. */
function rowHeight(pixels) {
  return onPaper ? Math.max(11, Math.round(pixels * 0.62)) : pixels;
}

/** What a chart shows, for paper, where its choices cannot be seen. */
function shownWords(spec, state) {
  const chosen = (spec.choices || []).map((one) => {
    const option = one.options.find(([key]) => key === String(state[one.key])) || one.options[0];
    return one.label + ": " + (one.key === "load" && option && option[0] === "all"
      ? data.loads.map((load) => load.text).join(", ") : option ? option[1] : UNKNOWN);
  });
  const names = (spec.choices || []).map((one) => one.key);
  const metric = scaleOf(data.primary);
  if (!names.includes("metric")) {
    chosen.unshift("Metric: " + (spec.metric || (metric ? metric.label : data.primary)));
  }
  if (!names.includes("load") && !names.includes("session") && !names.includes("race")) {
    chosen.push("Load: " + (spec.load || data.loads.map((load) => load.text).join(", ")));
  }
  return chosen.join(" · ");
}

/** A legend with all its names, on as many lines as they need; `room` is its height. */
function legend(names, extra) {
  const c = colours();
  const width = chartWidth();
  const gap = narrow() ? 10 : 16;
  let lines = 1;
  let used = 0;
  names.forEach((one) => {
    const needed = textWidth(one.name || one, 12.5) + 18 + 5 + gap;
    if (used > 0 && used + needed > width) {
      lines += 1;
      used = 0;
    }
    used += needed;
  });
  return { type: "plain", data: names, top: 0, left: 0, right: 0, itemGap: gap, itemWidth: 18,
    itemHeight: 11, textStyle: { color: c.ink, fontSize: 12.5 }, room: lines * 22, ...extra };
}

function common(option, label) {
  const c = colours();
  return {
    animation: false, backgroundColor: "transparent",
    textStyle: { color: c.ink, fontFamily: getComputedStyle(document.body).fontFamily },
    aria: { enabled: true, label: { enabled: true, description: label } },
    ...option,
    tooltip: option.tooltip === undefined ? undefined : {
      confine: true, backgroundColor: c.ground, borderColor: c.line, padding: [8, 12],
      textStyle: { color: c.ink, fontSize: 13 }, ...option.tooltip },
  };
}

function tableOf(caption, table) {
  const opens = table.rows.some((row) => row.open);
  return el("table", { class: "numbers" },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, table.head.map((h) => el("th", { scope: "col" }, h)),
      opens ? el("th", { scope: "col" }, UNIT + "s") : null)),
    el("tbody", {}, table.rows.map((row) => el("tr", {},
      row.cells.map((cell, i) => i === 0 ? el("th", { scope: "row" }, cell) : el("td", {}, cell)),
      opens ? el("td", {}, row.open
        ? action("show", "Show the trials of " + row.cells.slice(0, 2).join(", "), row.open)
        : null) : null))));
}

/** Adds a chart to the page; it is drawn when it approaches the screen or is printed. */
function mountChart(spec, parent) {
  const state = {};
  const words = el("p", { class: "point", "aria-live": "polite" });
  const shown = el("p", { class: "shown" });
  const canvas = el("div", { class: "canvas", tabindex: "0", role: "group",
    "aria-roledescription": "chart" });
  const holder = el("div", { class: "wide", tabindex: "0", role: "group",
    "aria-label": "Numbers of the chart " + spec.title });
  const details = el("details", { class: "same-numbers", ontoggle: () => fillTable() },
    el("summary", {}, "The same numbers as a table"), holder);
  const controls = el("div", { class: "choices" }, (spec.choices || []).map((one) => {
    state[one.key] = one.value;
    return one.options.length < 2 ? null : choice(one.label, one.options, one.value, (value) => {
      state[one.key] = value;
      draw();
    });
  }));
  const figure = el("figure", { class: spec.half ? "chart half" : "chart", id: "chart-" + spec.id },
    el("figcaption", {},
      el("h3", {}, spec.title, " ", originMark()),
      el("p", { class: "aside" }, spec.note)),
    shown, controls, canvas, words, details);
  parent.append(figure);

  let chart = null;
  let built = null;
  let builtNarrow = false;
  let at = -1;

  function fillTable() {
    if (details.open) {
      if (!built) {
        built = spec.build(state);
      }
      holder.replaceChildren(tableOf(spec.title, built.table));
    }
  }

  function draw() {
    drawnOn = canvas;
    built = spec.build(state);
    builtNarrow = narrow();
    drawnOn = null;
    shown.textContent = shownWords(spec, state);
    at = -1;
    words.textContent = "";
    canvas.style.height = built.height + "px";
    canvas.setAttribute("aria-label", spec.title + ": " + plural(built.points.length, "point")
      + ". Arrow keys move between them" + (built.points.some((p) => p.open) ? ", Enter opens the trials of a point." : "."));
    if (chart === null) {
      chart = echarts.init(canvas, null, { renderer: "svg" });
      chart.on("click", (event) => {
        const point = built.points.find((p) =>
          p.series === event.seriesIndex && p.index === event.dataIndex);
        if (point && point.open) {
          point.open();
        }
      });
      new ResizeObserver(() => builtNarrow === narrow() ? chart.resize() : draw()).observe(canvas);
    } else {
      chart.resize();
    }
    chart.setOption(common(built.option, spec.title), true);
    canvas.dataset.drawn = "yes";
    fillTable();
  }

  function walk(step) {
    if (built.points.length === 0) {
      return;
    }
    at = (at + step + built.points.length) % built.points.length;
    const point = built.points[at];
    words.textContent = point.text;
    chart.dispatchAction({ type: "downplay" });
    chart.dispatchAction({ type: "highlight", seriesIndex: point.series, dataIndex: point.index });
    chart.dispatchAction({ type: "showTip", seriesIndex: point.series, dataIndex: point.index });
  }

  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (steps[event.key]) {
      event.preventDefault();
      walk(steps[event.key]);
    } else if (event.key === "Enter" && at >= 0 && built.points[at].open) {
      event.preventDefault(); // otherwise the key would press the first button of the opened dialog
      built.points[at].open();
    }
  });
  canvas.addEventListener("blur", () => chart && chart.dispatchAction({ type: "hideTip" }));

  const drawing = { figure, draw, drawn: () => chart !== null };
  drawings.push(drawing);
  return drawing;
}

/** Draws charts near the screen first and the rest when idle; all at once for printing. */
function drawWhenSeen() {
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting) {
      const drawing = drawings.find((d) => d.figure === entry.target);
      seen.unobserve(entry.target);
      if (!drawing.drawn()) {
        drawing.draw();
      }
    }
  }), { rootMargin: "600px" });
  drawings.forEach((drawing) => seen.observe(drawing.figure));
  const rest = () => {
    const next = drawings.find((drawing) => !drawing.drawn());
    if (next) {
      next.draw();
      setTimeout(rest, 0);
    }
  };
  setTimeout(rest, 200);
  onTheme(() => drawings.filter((d) => d.drawn() || onPaper).forEach((d) => d.draw()));
}
