/* Building the document. Every string becomes text; nothing here parses markup. */

/** An element with attributes, listeners ("onclick": function) and children (strings are text). */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
  return element;
}

/** A labelled choice; `options` are [value, text]. */
function choice(label, options, value, change) {
  const select = el("select", { onchange: () => change(select.value) },
    options.map(([key, words]) => el("option", { value: key, selected: key === value }, words)));
  return el("label", {}, label + " ", select);
}

/** A button that looks like a link. */
function action(words, label, act) {
  return el("button", { type: "button", class: "link", "aria-label": label, onclick: act }, words);
}
