/* Sorts and filters the result tables, which the page contains as written. */

function mountTables(section) {
  const tables = [...section.querySelectorAll("table.results")];
  tables.forEach(makeSortable);
  if (tables.length > 0) {
    section.insertBefore(filters(tables), section.querySelector(".wide"));
  }
}

function makeSortable(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const words = head.textContent;
    head.replaceChildren(el("button", { type: "button", class: "sort", onclick: () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      [...table.tHead.rows[0].cells].forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [sortKey(row.cells[column]), row]);
      rows.sort(([a], [b]) => compareKeys(a, b, down));
      body.append(...rows.map(([, row]) => row));
    } }, words));
  });
}

/** Numbers by their exact value, names by their text; unknown values are NaN. */
function sortKey(cell) {
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

/** Unknown values are last in both directions. */
function compareKeys(a, b, down) {
  if (typeof a === "number") {
    if (Number.isNaN(a) || Number.isNaN(b)) {
      return Number.isNaN(a) - Number.isNaN(b);
    }
    return down ? b - a : a - b;
  }
  return down ? b.localeCompare(a) : a.localeCompare(b);
}

function filters(tables) {
  const wanted = {};
  const count = el("span", { class: "aside", "aria-live": "polite" });
  const refresh = () => {
    let shown = 0;
    tables.forEach((table) => [...table.tBodies[0].rows].forEach((row) => {
      const fits = Object.entries(wanted).every(([key, value]) => value === ""
        || row.dataset[key] === value || (key === "domain" && row.dataset.domain === ""));
      row.hidden = !fits;
      shown += fits;
    }));
    count.textContent = plural(shown, "row") + " shown";
  };
  const values = (key) => [...new Set(tables.flatMap((table) =>
    [...table.tBodies[0].rows].map((row) => row.dataset[key])).filter(Boolean))];
  const one = (key, label) => {
    const own = values(key);
    return own.length < 2 ? null : choice(label,
      [["", "all"]].concat(own.map((value) => [value, value])), "", (value) => {
        wanted[key] = value;
        refresh();
      });
  };
  return el("div", { class: "choices", id: "filters" },
    ...LOAD_HEADS.map((key) => one(key, key[0].toUpperCase() + key.slice(1))),
    one("profile", "Profile"), one("domain", "Domain"), one("scheduler", "Scheduler"), count);
}
