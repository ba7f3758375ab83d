// The gallery: rows of known heights. Only the rows in view are in the document.

/** Heights of rows and minimum widths of columns, in rem; narrow windows have one column. */
const layouts = {
  wide: { section: 3.6, title: 2.8, group: 4.4, large: 34, photo: 13.9, plain: 13.9, line: 4.7,
    columns: { large: 34, photo: 30, plain: 30, line: 24 } },
  narrow: { section: 3.6, title: 2.8, group: 7.2, large: 27.4, photo: 23.8, plain: 14, line: 4.7, columns: {} },
};
/** The maximum height in pixels; browsers do not draw much higher pages. */
const maxHeight = 15_000_000;
const gap = 0.8;
const minRows = 6;

let rows = [];
/** The rows in the document, by index. */
let drawn = new Map();
/** The file with the keyboard focus, as an index of `shown`. */
let current = 0;
/** Groups that were opened or closed. */
const toggled = new Set();

function cardSize(file) {
  if (["upright", "interrupted", "failed"].includes(file.section)) return "line";
  if (!hasFigures(file)) return "plain";
  return file.cause === "conflict" ? "large" : "photo";
}

const groupKey = (file) => `${file.section} ${file.cause}`;
const isOpen = (file) => (file.section === "failed") === toggled.has(groupKey(file));

const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
const isNarrow = () => innerWidth < 42 * rootSize();

/** Arranges the shown files in rows. */
function arrangeRows() {
  const rem = rootSize();
  const width = byId("gallery").clientWidth / rem;
  const layout = layouts[isNarrow() ? "narrow" : "wide"];
  rows = [];
  let top = 0;
  const add = (row, height) => {
    rows.push({ ...row, top, height: (height - gap) * rem });
    top += height * rem;
  };
  for (let index = 0; index < shown.length;) {
    const first = shown[index];
    const before = shown[index - 1];
    const isEnd = (test) => {
      let end = index;
      while (end < shown.length && test(shown[end])) end += 1;
      return end;
    };
    if (!before || before.section !== first.section) {
      const count = isEnd((file) => file.section === first.section) - index;
      add({ kind: "section", file: first, count }, layout.section);
    }
    const end = isEnd((file) => groupKey(file) === groupKey(first));
    if (first.cause !== "") {
      const text = groupText(shown.slice(index, end));
      add({ kind: "group", file: first, count: end - index, text }, text === "" ? layout.title : layout.group);
    }
    if (first.cause === "" || isOpen(first)) {
      for (let start = index; start < end && top < maxHeight;) {
        const size = cardSize(shown[start]);
        const columns = Math.max(1, Math.floor((width + gap) / ((layout.columns[size] || Infinity) + gap)));
        let next = start + 1;
        while (next < end && next < start + columns && cardSize(shown[next]) === size) next += 1;
        // An error has a line of its own.
        add({ kind: "cards", size, columns, start, end: next }, layout[size] + (shown[start].section === "failed" ? 1.2 : 0));
        start = next;
      }
    }
    index = end;
    if (top >= maxHeight) {
      add({ kind: "rest" }, layout.section);
      break;
    }
  }
  byId("gallery").style.height = `${top}px`;
}

/** The index of the row at a height, found by binary search. */
function rowAt(height) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].top + rows[middle].height < height) low = middle + 1;
    else high = middle;
  }
  return low;
}

const rowOf = (index) => rows.findIndex((row) => row.kind === "cards" && row.start <= index && index < row.end);

/** Draws the rows in view and removes the others. The row of the current file stays, because Tab must reach it. */
function draw() {
  const gallery = byId("gallery");
  const top = gallery.getBoundingClientRect().top;
  if (!gallery.contains(document.activeElement)) {
    const inView = rows.slice(rowAt(-top), rowAt(-top) + 8).find((row) => row.kind === "cards" && row.top + top >= 0);
    if (inView && inView.start !== current) makeCurrent(inView.start);
  }
  const required = new Set();
  // Some rows are drawn even if none is in view, because Tab must reach them.
  const first = Math.max(0, Math.min(rowAt(-top - innerHeight / 2), rows.length - minRows));
  const isRequired = (index) => index < rows.length
    && (index < first + minRows || rows[index].top + top < innerHeight * 1.5);
  for (let index = first; isRequired(index); index += 1) required.add(index);
  if (rowOf(current) >= 0) required.add(rowOf(current));
  for (const [index, made] of drawn) {
    if (required.has(index)) continue;
    made.remove();
    drawn.delete(index);
  }
  for (const index of required) {
    if (drawn.has(index)) continue;
    const made = drawRow(rows[index]);
    made.style.top = `${rows[index].top}px`;
    made.style.height = `${rows[index].height}px`;
    made.dataset.index = index;
    drawn.set(index, made);
    // Screen readers follow the order of the document.
    const after = [...gallery.children].find((other) => Number(other.dataset.index) > index);
    gallery.insertBefore(made, after || null);
  }
}

function drawRow(row) {
  switch (row.kind) {
  case "section":
    return element("h3", { class: "row section" }, `${sentence(actions[row.file.section])} (${number(row.count)})`);
  case "group": return drawGroup(row);
  case "rest": return element("p", { class: "row" }, "The page cannot show more files: narrow the filter to see the others.");
  default: {
    const made = element("div", { class: `row cards ${row.size}` });
    made.style.gridTemplateColumns = `repeat(${row.columns}, minmax(0, 1fr))`;
    for (let index = row.start; index < row.end; index += 1) made.append(card(shown[index], index));
    return made;
  }
  }
}

/** The text that all files of one cause share; empty if their cards have it. */
function groupText(group) {
  const [first] = group;
  const policy = first.remedies?.[0].policy;
  // This question is about images.
  const question = policy !== "on-conflict" || group.every(hasFigures) ? data.questions[policy] : undefined;
  if (hints[first.cause] || question) return hints[first.cause] || question;
  if (!first.text || (group.length === 1 && isOpen(first))) return "";
  return (group.every((file) => file.text === first.text) ? "" : "For example: ") + sentence(first.text);
}

/** The heading of the files of one cause. */
function drawGroup(row) {
  const opener = button({ "aria-expanded": String(isOpen(row.file)) },
    `${sentence(reasonName(row.file.cause))} (${number(row.count)})`, () => {
      const key = groupKey(row.file);
      toggled.has(key) ? toggled.delete(key) : toggled.add(key);
      showGallery();
      [...document.querySelectorAll(".group button")].find((other) => other.dataset.key === key)?.focus();
    });
  opener.dataset.key = groupKey(row.file);
  return element("div", { class: `row group ${row.file.disposition}` }, element("h4", {}, opener),
    row.text ? element("p", { title: row.text }, row.text) : null);
}

function showGallery() {
  arrangeRows();
  current = Math.min(current, Math.max(shown.length - 1, 0));
  if (rowOf(current) < 0) current = rows.find((row) => row.kind === "cards")?.start ?? 0;
  drawn = new Map();
  byId("gallery").replaceChildren();
  draw();
}

// The keyboard: Tab reaches one card, arrow keys move to the others.

function makeCurrent(index) {
  current = index;
  for (const made of byId("gallery").querySelectorAll("article")) setStops(made);
}

function setStops(made) {
  const isCurrent = Number(made.dataset.file) === current;
  for (const stop of made.querySelectorAll("button, a")) stop.tabIndex = isCurrent ? 0 : -1;
}

/** Scrolls to a file and focuses it. */
function goTo(index) {
  const row = rows[rowOf(index)];
  if (!row) return;
  makeCurrent(index);
  const top = byId("gallery").getBoundingClientRect().top + row.top;
  if (top < 0) scrollBy(0, top - 8);
  else if (top + row.height > innerHeight) scrollBy(0, top + row.height - innerHeight + 8);
  draw();
  byId("gallery").querySelector(`article[data-file="${index}"] .open`).focus({ preventScroll: true });
}

byId("gallery").addEventListener("keydown", (event) => {
  const article = event.target.closest("article");
  if (!article || event.altKey || event.ctrlKey || event.metaKey) return;
  const cards = rows.filter((row) => row.kind === "cards");
  const index = Number(article.dataset.file);
  if (markByKey(event, shown[index]) || toggleByKey(event, shown[index])) return;
  const at = cards.findIndex((row) => row.start <= index && index < row.end);
  const column = index - cards[at].start;
  const inRow = (row) => row && Math.min(row.start + column, row.end - 1);
  const target = {
    ArrowRight: index + 1 < cards[at].end ? index + 1 : cards[at + 1]?.start,
    ArrowLeft: index > cards[at].start ? index - 1 : cards[at - 1] && cards[at - 1].end - 1,
    ArrowDown: inRow(cards[at + 1]), ArrowUp: inRow(cards[at - 1]),
    Home: cards[0].start, End: cards[cards.length - 1].end - 1,
  }[event.key];
  if (!(event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End")) return;
  event.preventDefault();
  if (target !== undefined) goTo(target);
});
byId("gallery").addEventListener("focusin", (event) => {
  const article = event.target.closest("article");
  if (article && Number(article.dataset.file) !== current) makeCurrent(Number(article.dataset.file));
});

let isDrawing = false;
addEventListener("scroll", () => {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}, { passive: true });
byId("tables").addEventListener("toggle", draw);
new ResizeObserver(() => showGallery()).observe(byId("files-heading"));

// A printout has all rows, up to a limit.

const maxPrintedRows = 400;
addEventListener("beforeprint", () => {
  byId("gallery").replaceChildren(...rows.slice(0, maxPrintedRows).map(drawRow));
  if (rows.length > maxPrintedRows) {
    byId("gallery").append(element("p", {}, `The first ${number(rows[maxPrintedRows - 1].end ?? 0)} of ${plural(shown.length, "file")}.`));
  }
});
addEventListener("afterprint", showGallery);
