"use strict";

// Everything that comes from files goes into the page as text, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const files = data.files;

const actions = {
  failed: "failed",
  left: "left alone",
  trimmed: "rotate, edges would be cut off",
  reset: "set the tag to 1",
  redrawn: "rotate, would be re-encoded",
  exact: "rotate, lossless",
  nothing: "already upright",
};
const kinds = Object.keys(actions);
const perPage = 48;
const rowsOfChart = 12;

const byId = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");
const words = (identifier) => identifier.replaceAll("-", " ");
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

function drawing(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 999.5 && unit < units.length - 1) {
    bytes /= 1000;
    unit += 1;
  }
  return `${unit === 0 || bytes >= 99.95 ? Math.round(bytes) : bytes.toFixed(1)} ${units[unit]}`;
}

// Folders, named from the folder that all files have in common.

function commonFolder(folders) {
  let common = null;
  for (const folder of folders) {
    const parts = folder.split("/");
    if (common === null) common = parts;
    let same = 0;
    while (same < common.length && same < parts.length && common[same] === parts[same]) same += 1;
    common = common.slice(0, same);
  }
  return (common || []).join("/");
}

for (const file of files) {
  const slash = file.path.lastIndexOf("/");
  file.name = file.path.slice(slash + 1);
  file.parent = file.path.slice(0, Math.max(slash, 0));
}
const common = commonFolder(new Set(files.map((file) => file.parent)));
for (const file of files) {
  file.folder = common === "" ? file.parent : file.parent.slice(common.length + 1);
}
const folderName = (folder) => folder === "" ? "." : folder;

// Totals.

function groups(keysOf) {
  const found = new Map();
  for (const file of files) {
    for (const key of keysOf(file)) {
      let group = found.get(key);
      if (!group) found.set(key, group = { key, count: 0, kinds: {} });
      group.count += 1;
      group.kinds[file.kind] = (group.kinds[file.kind] || 0) + 1;
    }
  }
  return [...found.values()];
}

const troubled = (group) => (group.kinds.failed || 0) + (group.kinds.left || 0);
const byTrouble = (a, b) => troubled(b) - troubled(a) || b.count - a.count || (a.key < b.key ? -1 : 1);
const byCount = (a, b) => b.count - a.count || (a.key < b.key ? -1 : 1);

function bar(group, largest) {
  const svg = drawing("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  let x = 0;
  for (const kind of kinds.filter((kind) => group.kinds[kind])) {
    const width = Math.max(4, group.kinds[kind] / largest * 1000);
    svg.append(drawing("rect", { class: kind, x, y: 0, width, height: 10 }));
    x += width;
  }
  return svg;
}

function chart(title, all, label, filter) {
  if (all.length === 0) return null;
  const table = element("table", { class: "chart" }, element("caption", {}, title));
  const body = element("tbody");
  const largest = Math.max(...all.slice(0, 1000).map((group) => group.count), 1);
  const row = (group) => {
    const button = element("button", { type: "button" }, label(group.key));
    button.addEventListener("click", () => choose(filter(group.key)));
    const parts = kinds.filter((kind) => group.kinds[kind])
      .map((kind) => `${number(group.kinds[kind])} ${actions[kind]}`).join(", ");
    return element("tr", { title: parts },
      element("th", { scope: "row" }, button),
      element("td", {}, bar(group, largest), element("span", { class: "hidden" }, parts)),
      element("td", {}, number(group.count)));
  };
  body.append(...all.slice(0, rowsOfChart).map(row));
  if (all.length > rowsOfChart) {
    const button = element("button", { type: "button" }, `${number(all.length - rowsOfChart)} more`);
    const last = element("tr", { class: "more" }, element("th", { scope: "row" }, button));
    button.addEventListener("click", () => {
      const rest = all.slice(rowsOfChart).map(row);
      last.replaceWith(...rest);
      rest[0].querySelector("button").focus();
    });
    body.append(last);
  }
  table.append(body);
  return table;
}

function skippedText() {
  const reasons = Object.entries(data.skipped).map(([reason, count]) => `${number(count)} ${reason}`);
  return reasons.length === 0 ? "" : `; skipped: ${reasons.join(", ")}`;
}

function showTotals() {
  const bytes = files.reduce((sum, file) => sum + (file.bytes || 0), 0);
  const folders = groups((file) => [file.folder]).sort(byTrouble);
  byId("summary").textContent = `${plural(files.length, "file")} in ${plural(folders.length, "folder")}`
    + (bytes > 0 ? `, ${size(bytes)}` : "") + (common === "" ? "" : `, in ${common}`) + skippedText();
  byId("version").textContent = `upright ${data.version}`;
  const inOrder = (a, b) => kinds.indexOf(b.key) - kinds.indexOf(a.key);
  const years = groups((file) => file.captured ? [file.captured.slice(0, 4)] : [])
    .sort((a, b) => a.key < b.key ? -1 : 1);
  const all = [
    chart("What would be done", groups((file) => [file.kind]).sort(inOrder),
      (kind) => actions[kind], (action) => ({ action, risk: "all" })),
    chart("Risks", groups((file) => file.risks || []).sort(byCount), words, (risk) => ({ risk })),
    folders.length > 1
      ? chart("By folder", folders, folderName, (folder) => ({ folder, risk: "all" })) : null,
    chart("By camera", groups((file) => file.bytes ? [file.camera || "unknown"] : []).sort(byTrouble),
      (camera) => camera, (camera) => ({ camera, risk: "all" })),
    years.length > 1
      ? chart("By year of capture", years, (year) => year, (year) => ({ year, risk: "all" })) : null,
    chart("Files with", groups((file) => file.traits || []).sort(byCount), (trait) => trait,
      (trait) => ({ trait, risk: "all" })),
  ];
  byId("totals").append(...all.filter((table) => table !== null));
}

// The filter. What a chart chose beyond the four controls is shown beside the count.

let chosen = {};
let shown = files;
let page = 0;

function options(select, entries) {
  select.append(...entries.map(([value, text]) => element("option", { value }, text)));
}

function fillControls() {
  const folders = groups((file) => [file.folder]).sort((a, b) => a.key < b.key ? -1 : 1);
  const counted = (text, count) => `${text} (${number(count)})`;
  options(byId("folder"), [["", "All folders"],
    ...folders.map((group) => ["/" + group.key, counted(folderName(group.key), group.count)])]);
  const present = groups((file) => [file.kind]);
  options(byId("action"), [["", "All actions"], ...kinds
    .flatMap((kind) => present.filter((group) => group.key === kind))
    .map((group) => [group.key, counted(actions[group.key], group.count)])]);
  const attention = files.filter((file) => file.attention).length;
  options(byId("risk"), [
    ["attention", counted("Needs attention", attention)], ["all", counted("All files", files.length)],
    ...groups((file) => file.risks || []).sort(byCount)
      .map((group) => ["=" + group.key, counted(words(group.key), group.count)])]);
  if (attention === 0) byId("risk").querySelector("[value=all]").defaultSelected = true;
  byId("filter").reset();
}

function choose(choice) {
  byId("filter").reset();
  if (choice.folder !== undefined) byId("folder").value = "/" + choice.folder;
  if (choice.action) byId("action").value = choice.action;
  if (choice.risk) byId("risk").value = choice.risk === "all" ? "all" : "=" + choice.risk;
  chosen = choice;
  filter();
  goToFiles();
}

function goToFiles() {
  byId("count").focus({ preventScroll: true });
  byId("count").scrollIntoView({ block: "start" });
}

function filter() {
  const text = byId("text").value.toLowerCase();
  const folder = byId("folder").value.slice(1);
  const anyFolder = byId("folder").value === "";
  const action = byId("action").value;
  const risk = byId("risk").value;
  const { camera, year, trait } = chosen;
  shown = files.filter((file) =>
    (risk === "all" || (risk === "attention" ? file.attention : (file.risks || []).includes(risk.slice(1))))
    && (anyFolder || file.folder === folder || (folder !== "" && file.folder.startsWith(folder + "/")))
    && (action === "" || file.kind === action)
    && (camera === undefined || (file.bytes && (file.camera || "unknown") === camera))
    && (year === undefined || (file.captured || "").startsWith(year))
    && (trait === undefined || (file.traits || []).includes(trait))
    && (text === "" || file.path.toLowerCase().includes(text)));
  const rank = (file) => kinds.indexOf(file.kind);
  shown.sort((a, b) => rank(a) - rank(b));
  page = 0;
  show();
}

// The gallery, a page at a time.

const inverse = (turn) => turn === 6 ? 8 : turn === 8 ? 6 : turn;

/** The ways to show a file's thumbnail, each a caption and a turn of the thumbnail. */
function views(file) {
  const turn = file.orientation || 1;
  if (turn === 1) return { list: [["as stored", 1]] };
  const isConflict = (file.risks || []).includes("conflict");
  const differs = turn >= 5 && file.thumbnail
    && (file.thumbnail[0] - file.thumbnail[1]) * (file.width - file.height) < 0;
  if (!differs) {
    const asTold = file.kind === "reset" || isConflict ? "turned by the tag" : "upright";
    return { list: [["as stored", 1], [asTold, turn]] };
  }
  // The thumbnail lies otherwise than the picture, so one of them was turned already.
  if (file.kind === "reset") return { list: [["as stored, and as it stays", turn]] };
  if (file.kind === "left") {
    return {
      list: [["thumbnail as it is", 1], ["turned by the tag", turn]],
      note: "The thumbnail's shape is not that of the stored picture: one of the two was turned already. "
        + "If the thumbnail is upright as it is, the picture may still need its turn; if it is upright "
        + "when turned, the picture itself probably is upright already and the tag is stale.",
    };
  }
  return { list: [["as stored", inverse(turn)], ["upright", 1]] };
}

/** A landscape of the picture's shape, where there is no thumbnail to show. */
function sketch(file, turn) {
  const isTurned = (file.orientation || 1) >= 5;
  const [width, height] = isTurned ? [file.height, file.width] : [file.width, file.height];
  const scale = 100 / Math.max(width, height, 1);
  const [w, h] = [Math.max(width * scale, 12), Math.max(height * scale, 12)];
  const [x, y] = [(120 - w) / 2, (120 - h) / 2];
  const at = (u, v) => `${x + u * w},${y + v * h}`;
  return drawing("svg", { viewBox: "0 0 120 120", class: `turn-${turn}`, "aria-hidden": "true" },
    drawing("rect", { class: "sky", x, y, width: w, height: h }),
    drawing("circle", { class: "land", cx: x + 0.75 * w, cy: y + 0.25 * h, r: Math.min(w, h) * 0.09 }),
    drawing("polygon", { class: "land", points:
      [at(0, 1), at(0, 0.75), at(0.3, 0.45), at(0.55, 0.8), at(0.72, 0.62), at(1, 0.85), at(1, 1)].join(" ") }));
}

function figures(file) {
  const { list, note } = views(file);
  const canSketch = file.orientation > 1 && file.kind !== "reset" && !(file.risks || []).includes("conflict");
  if (!file.picture && !canSketch) return [];
  const made = list.map(([caption, turn]) => {
    const view = element("div", { class: "view" });
    if (file.picture) {
      view.append(element("img", {
        src: "data:image/jpeg;base64," + file.picture, alt: `Thumbnail, ${caption}`, loading: "lazy",
        decoding: "async", class: `turn-${turn}`,
      }));
    } else {
      view.append(sketch(file, turn === 1 ? inverse(file.orientation) : 1));
    }
    return element("figure", {}, view, element("figcaption", {}, caption));
  });
  const row = element("div", { class: "views" }, ...made);
  return file.picture && note ? [row, element("p", { class: "note" }, note)] : [row];
}

function card(file) {
  const facts = [
    file.width ? `${file.width}×${file.height}` : null,
    file.sampling, file.orientation ? `Orientation ${file.orientation}` : null,
    file.camera, file.captured ? file.captured.replace("T", " ") : null,
    file.bytes ? size(file.bytes) : null,
  ].filter((fact) => fact);
  const marks = [
    ...(file.risks || []).map((risk) => element("li", { class: "risk" }, words(risk))),
    ...(file.traits || []).map((trait) => element("li", {}, trait)),
  ];
  return element("li", { class: file.kind },
    element("h3", {}, file.name),
    element("p", { class: "folder" }, folderName(file.folder)),
    element("p", { class: "what" }, file.text || actions[file.kind]),
    ...figures(file),
    ...(file.evidence || []).map((text) => element("p", { class: "note" }, text)),
    file.sidecar ? element("p", { class: "note" }, file.sidecar) : null,
    element("p", { class: "facts" }, facts.join(" · ")),
    marks.length > 0 ? element("ul", { class: "marks", "aria-label": "Risks and contents" }, ...marks) : null);
}

function show() {
  const pages = Math.max(1, Math.ceil(shown.length / perPage));
  const first = page * perPage;
  const extra = [chosen.camera, chosen.year, chosen.trait].filter((value) => value !== undefined);
  const count = byId("count");
  count.textContent = `${number(shown.length)} of ${plural(files.length, "file")}`
    + (extra.length > 0 ? `: ${extra.join(", ")}` : "")
    + (pages > 1 ? `, page ${number(page + 1)} of ${number(pages)}` : "");
  byId("gallery").replaceChildren(...shown.slice(first, first + perPage).map(card));
  byId("pages").hidden = pages === 1;
  byId("page").textContent = `${number(page + 1)} of ${number(pages)}`;
  byId("previous").disabled = page === 0;
  byId("next").disabled = page === pages - 1;
}

function turnPage(step) {
  page += step;
  show();
  goToFiles();
}

let waiting = 0;
byId("filter").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, 120);
});
byId("filter").addEventListener("reset", () => {
  chosen = {};
  setTimeout(filter);
});
byId("filter").addEventListener("submit", (event) => event.preventDefault());
byId("previous").addEventListener("click", () => turnPage(-1));
byId("next").addEventListener("click", () => turnPage(1));

showTotals();
fillControls();
filter();
