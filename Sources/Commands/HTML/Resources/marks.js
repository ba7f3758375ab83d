// Marks: which is right, the stored image or the tag; and the lists of the files with each mark.

const verdicts = { image: "the stored image is right", tag: "the tag is right" };
const keysOfVerdicts = { i: "image", t: "tag" };
const inConflict = (file) => (file.risks || []).includes("conflict");
/** Whether the image and the tag lead to different results. */
const canMark = (file) => !isReport && file.orientation > 1 && (inConflict(file) || rotations.includes(file.disposition));
const markable = files.filter(canMark);

// The browser keeps the marks under a name of this page. Some browsers do not store anything for files.

const storageKey = `upright audit ${data.created} ${files.length} ${data.command}`;
let isStored = true;

function readMarks() {
  try {
    const letters = localStorage.getItem(storageKey) || "";
    if (letters.length !== markable.length) return;
    markable.forEach((file, index) => file.verdict = keysOfVerdicts[letters[index]]);
  } catch {
    isStored = false;
  }
}

function storeMarks() {
  try {
    const letters = markable.map((file) => (file.verdict ? file.verdict[0] : "-")).join("");
    if (/[it]/.test(letters)) localStorage.setItem(storageKey, letters);
    else localStorage.removeItem(storageKey);
  } catch {
    isStored = false;
  }
}

/** Marks files; without a verdict, their marks are removed. */
function mark(chosen, verdict) {
  for (const file of chosen) file.verdict = verdict;
  storeMarks();
  const top = () => byId("gallery").getBoundingClientRect().top;
  const before = top();
  showMarks();
  // A card stays where it is while lists appear before it.
  if (!byId("marks").contains(document.activeElement)) scrollBy(0, top() - before);
}

const toggleMark = (file, verdict) => mark([file], file.verdict === verdict ? undefined : verdict);

/** Marks a file by its key; returns whether the key is one of these. */
function markByKey(event, file) {
  const verdict = keysOfVerdicts[event.key.toLowerCase()];
  if (!verdict || !canMark(file) || event.altKey || event.ctrlKey || event.metaKey) return false;
  event.preventDefault();
  toggleMark(file, verdict);
  announce(`${file.name}: ${file.verdict ? verdicts[verdict] : "mark removed"}`);
  return true;
}

function markButton(file, verdict) {
  const made = button({ class: "mark", "aria-pressed": String(file.verdict === verdict),
    "aria-label": `${sentence(verdicts[verdict])}: ${file.name}` }, `${sentence(verdict)} is right`, () => toggleMark(file, verdict));
  made.isOn = () => file.verdict === verdict;
  return made;
}

/** The shown files that are marked together. Of the image, it is only said of those whose tag is suspected. */
const markedAtOnce = (verdict) => shown.filter((file) => canMark(file) && (verdict === "tag" || inConflict(file)));

/** Shows the marks on the cards, what can be marked at once, and the lists. */
function showMarks() {
  byId("marks").hidden = markable.length === 0;
  if (markable.length === 0) return;
  for (const made of document.querySelectorAll(".mark")) made.setAttribute("aria-pressed", String(made.isOn()));
  for (const verdict of Object.keys(verdicts)) {
    const count = markedAtOnce(verdict).length;
    byId(`mark-${verdict}`).textContent = `${number(count)} ${verdict === "image" ? "suspected" : "shown"}: ${verdicts[verdict]}`;
    byId(`mark-${verdict}`).disabled = count === 0;
  }
  byId("unmark").disabled = !shown.some(canMark);
  byId("unstored").hidden = isStored;
  byId("marked").replaceChildren(...Object.keys(verdicts)
    .map((verdict) => [verdict, markable.filter((file) => file.verdict === verdict)])
    .filter(([, marked]) => marked.length > 0).map(([verdict, marked]) => drawMarked(verdict, marked)));
}

/** The command that carries out a verdict on a list. */
function commandForList(verdict, marked, end) {
  // Without a conflict, normalize would rotate the image.
  const onlyTag = verdict === "image" && !marked.every(inConflict);
  const policies = onlyTag
    ? Object.fromEntries(Object.entries(data.nonDefault).filter(([option]) => data.tagOptions.includes(option)))
    : { ...data.nonDefault, ...data.verdicts[verdict] };
  return ["upright", ...(onlyTag ? ["tag", "set", "1"] : ["normalize"]), ...policyWords(policies),
    "--record", "record.ndjson", "--journal", "journal", "--files-from", "-", ...(end === "\0" ? ["-0"] : [])].join(" ");
}

function drawMarked(verdict, marked) {
  const end = marked.some((file) => /\n|\r$/.test(realPath(file))) ? "\0" : "\n";
  const command = commandForList(verdict, marked, end);
  const paths = marked.map(realPath).filter((path) => path !== null);
  const act = (text, then) => button({ "aria-label": `${text}: ${verdicts[verdict]}` }, text, then);
  return element("section", { class: "list", "aria-label": sentence(verdicts[verdict]) },
    element("h4", {}, `${plural(marked.length, "file")}: ${verdicts[verdict]}`), element("code", {}, command),
    element("p", {}, "In the folder in which the audit was run: ", end === "\n"
      ? "run the command, paste the list and press Ctrl+D, or append < and the name of the saved list."
      : "append < and the name of the saved list. Names have line breaks, so each path ends with NUL, which cannot be pasted."),
    element("p", { class: "buttons" },
      act("Copy the list", () => copyList(paths, end, marked.length)),
      act("Save the list", () => save(marked.flatMap((file) => [bytesOfPath(file), end]), `${verdict}-is-right.txt`)),
      act("Copy the command", () => copy(command, "Command copied"))));
}

/** The bytes of a path, also of one that is not UTF-8. */
const bytesOfPath = (file) => (file.raw === undefined ? file.path
  : Uint8Array.from(file.raw.match(/%..|[^%]/g), (part) => (part.length === 3 ? parseInt(part.slice(1), 16) : part.charCodeAt(0))));

function save(parts, name) {
  const address = URL.createObjectURL(new Blob(parts));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

for (const verdict of Object.keys(verdicts)) {
  byId(`mark-${verdict}`).addEventListener("click", () => {
    const chosen = markedAtOnce(verdict);
    mark(chosen, verdict);
    announce(`${plural(chosen.length, "file")} marked: ${verdicts[verdict]}`);
  });
}
byId("unmark").addEventListener("click", () => {
  const chosen = shown.filter((file) => file.verdict);
  mark(chosen, undefined);
  announce(`${plural(chosen.length, "mark")} removed`);
});
readMarks();
