/* Light, dark, or as the system has it; paper is always light. */

/* Okabe and Ito's palette, distinguishable with any colour vision, lightened for dark. */
const HUES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#3a9bd6", "#6a6a6a", "#7a4fb5"],
  dark: ["#56b4e9", "#ff8c42", "#3ecf9f", "#e6a1c8", "#f0c04a", "#9ad0f5", "#b9b9b9", "#b89aea"],
};
const SYMBOLS = ["circle", "rect", "triangle", "diamond", "path://M0,0 L10,0 L5,9 Z",
  "path://M0,0 L9,5 L0,10 Z"];

/* Patterns in addition to colours: each colour has its texture. */
const PATTERNS = [
  null,
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  { symbol: "circle", dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0], symbolSize: 0.6 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [4, 3], rotation: 0 },
  { symbol: "triangle", dashArrayX: [[9, 9], [0, 9, 9, 0]], dashArrayY: [7, 2], symbolSize: 0.75 },
];

const themeListeners = [];
let themeChoice = "auto";
let onPaper = false;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return !onPaper && (themeChoice === "dark" || (themeChoice === "auto" && darkSystem.matches));
}

/** The colours of charts, from the style sheet's variables. */
function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return {
    ink: of("--ink"), muted: of("--muted"), line: of("--line"), ground: of("--card"),
    band: of("--band"),
    hues: isDark() ? HUES.dark : HUES.light,
    // Greys, since a colour is a profile's in all charts.
    run: isDark() ? "#dfe6ec" : "#33424f",
    wait: isDark() ? "#93a1ad" : "#7f8d99",
    blocked: isDark() ? "#4a545d" : "#d3d9de",
    heat: isDark() ? ["#1c3d55", "#2f7fb5", "#8fd0ff"] : ["#e3f1fb", "#6fb3df", "#0b4f80"],
  };
}

/** The style of a profile by its index: hue, symbol and pattern repeat with different periods. */
function look(place) {
  const hues = colours().hues;
  return {
    colour: hues[place % hues.length],
    symbol: SYMBOLS[(place + Math.floor(place / hues.length)) % SYMBOLS.length],
    pattern: PATTERNS[place % PATTERNS.length],
    dash: [[], [7, 4], [2, 3], [9, 3, 2, 3]][place % 4],
  };
}

/** The style of a profile by its name. */
function lookOf(name) {
  return look(Math.max(0, data.profiles.findIndex((profile) => profile.name === name)));
}

/** A pattern over a colour, drawn in the background's colour. */
function textured(pattern) {
  return pattern === null ? { symbol: "none" }
    : { ...pattern, color: isDark() ? "rgba(0,0,0,.35)" : "rgba(255,255,255,.55)" };
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  document.documentElement.classList.toggle("paper", onPaper);
  themeListeners.forEach((listener) => listener());
}

function onTheme(listener) {
  themeListeners.push(listener);
}

function mountThemeSwitch(place) {
  const buttons = ["auto", "light", "dark"].map((name) =>
    el("button", {
      type: "button", "aria-pressed": String(name === themeChoice),
      onclick: () => {
        themeChoice = name;
        buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === name)));
        applyTheme();
      },
    }, name));
  place.append(...buttons);
  darkSystem.addEventListener("change", applyTheme);
  const paper = (now) => {
    if (onPaper !== now) {
      onPaper = now;
      applyTheme();
    }
  };
  matchMedia("print").addEventListener("change", (event) => paper(event.matches));
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
  applyTheme();
}
