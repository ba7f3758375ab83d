// The filter: four controls, and the choices made in charts. The address of the page holds it.

const controls = ["text", "folder", "show", "reason"];
const picks = ["camera", "year", "trait"];
/** The files that pass the filter, in the order of the gallery. */
let shown = [];
/** The choices made in charts. */
let picked = {};

function fillControls() {
  const options = (select, entries) =>
    select.append(...entries.map(([value, text]) => element("option", { value }, text)));
  const counted = (text, count) => `${text} (${number(count)})`;
  const folders = groups((file) => [file.folder]).sort((a, b) => inOrder(natural(a.key), natural(b.key)));
  options(byId("folder"), [["", "All folders"],
    ...folders.map((group) => ["/" + group.key, counted(folderName(group.key), group.count)])]);
  const of = (test) => files.filter(test).length;
  const work = of((file) => file.section !== "upright");
  options(byId("show"), [
    ["work", counted(isReport ? "All but unchanged" : "What needs work", work)],
    ...kinds.map((name) => [name, counted(sentence(actions[name]), of((file) => file.section === name))])
      .filter(([, text]) => !text.endsWith("(0)")),
    ["all", counted("All files", files.length)]]);
  if (work === 0) byId("show").querySelector("[value=all]").defaultSelected = true;
  options(byId("reason"), [["", "All reasons"], ...groups((file) => file.risks || []).sort(byWork)
    .map((group) => ["=" + group.key, counted(sentence(reasonName(group.key)), group.count)])]);
  byId("filter").reset();
}

/** Sets the filter to this choice only. */
function choose(choice, goes = false) {
  byId("filter").reset();
  if (choice.text) byId("text").value = choice.text;
  if (choice.folder !== undefined) byId("folder").value = "/" + choice.folder;
  if (choice.show) byId("show").value = choice.show;
  if (choice.reason) byId("reason").value = "=" + choice.reason;
  for (const control of controls) if (byId(control).selectedIndex === -1) byId(control).selectedIndex = 0;
  picked = Object.fromEntries(picks.filter((pick) => choice[pick]).map((pick) => [pick, choice[pick]]));
  filter();
  if (goes) {
    byId("count").focus({ preventScroll: true });
    byId("files-heading").scrollIntoView({ block: "start" });
  }
}

function filter() {
  const text = byId("text").value.toLowerCase();
  const folder = byId("folder").value.slice(1);
  const anyFolder = byId("folder").value === "";
  const show = byId("show").value;
  const reason = byId("reason").value.slice(1);
  const { camera, year, trait } = picked;
  shown = files.filter((file) =>
    (show === "all" || (show === "work" ? file.section !== "upright" : file.section === show))
    && (anyFolder || file.folder === folder || (folder !== "" && file.folder.startsWith(folder + "/")))
    && (reason === "" || (file.risks || []).includes(reason))
    && (camera === undefined || (file.bytes && (file.camera || "unknown") === camera))
    && (year === undefined || file.year === year)
    && (trait === undefined || (file.traits || []).includes(trait))
    && (text === "" || file.path.toLowerCase().includes(text)));
  byId("count").textContent = `${number(shown.length)} of ${plural(files.length, "file")}`;
  byId("chosen").replaceChildren(...Object.entries(picked).map(([pick, value]) =>
    element("li", {}, button({ "aria-label": `${sentence(pick)} ${value}: remove from the filter` }, `${sentence(pick)}: ${value} ×`, () => {
      delete picked[pick];
      filter();
      byId("count").focus();
    }))));
  byId("copy").disabled = shown.length === 0;
  writeAddress();
  showMarks();
  showGallery();
}

function writeAddress() {
  const parameters = new URLSearchParams();
  if (byId("text").value !== "") parameters.set("text", byId("text").value);
  if (byId("folder").value !== "") parameters.set("folder", byId("folder").value.slice(1));
  const initial = byId("show").querySelector(":scope > option[selected]") || byId("show").options[0];
  if (byId("show").value !== initial.value) parameters.set("show", byId("show").value);
  if (byId("reason").value !== "") parameters.set("reason", byId("reason").value.slice(1));
  for (const [pick, value] of Object.entries(picked)) parameters.set(pick, value);
  const fragment = `#${parameters}`;
  if (fragment !== (location.hash || "#")) history.replaceState(null, "", fragment);
}

function readAddress() {
  choose(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
}

let waiting = 0;
byId("filter").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, 120);
});
byId("clear").addEventListener("click", () => choose({}));
byId("filter").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", readAddress);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("files").focus();
});

// Copying paths

let vanishing = 0;

/** Shows a message for a while, in the dialog if it is open. */
function announce(message) {
  const place = byId(byId("viewer").open ? "viewer-copied" : "copied");
  place.textContent = message;
  clearTimeout(vanishing);
  vanishing = setTimeout(() => place.textContent = "", 8000);
}

/** Copies text to the clipboard, or shows it for copying by hand. */
async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    announce(message);
  } catch {
    byId("paths-text").value = text;
    byId("paths").showModal();
    byId("paths-text").select();
  }
}

/** Copies paths as a list that --files-from reads, of `count` files. */
function copyList(paths, end, count) {
  const missing = count - paths.length;
  copy(paths.map((path) => path + end).join(""), `${plural(paths.length, "path")} copied, ${end === "\n" ? "one per line" : "each with NUL at its end"}`
    + (missing > 0 ? `; ${plural(missing, "name")} that a list cannot hold ${missing === 1 ? "is" : "are"} missing` : ""));
}

byId("copy").addEventListener("click", () => copyList(
  shown.map(realPath).filter((path) => path !== null && !/\n|\r$/.test(path)), "\n", shown.length));

function copyPath(file) {
  const path = realPath(file);
  if (path === null) {
    announce("The path was not copied: it is not UTF-8");
  } else {
    copy(path, `Copied: ${file.path}`);
  }
}
