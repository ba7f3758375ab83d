// A file's card, its images, and the large view.

const inverse = (orientation) => (orientation === 6 ? 8 : orientation === 8 ? 6 : orientation);

/** What each orientation does to the stored image: where the unit vectors to the right and down lead. */
const matrices = [null, [1, 0, 0, 1], [-1, 0, 0, 1], [-1, 0, 0, -1], [1, 0, 0, -1], [0, 1, 1, 0], [0, 1, -1, 0], [0, -1, -1, 0], [0, -1, 1, 0]];

/** The orientation that does first one and then the other. */
function followed([a, b, c, d], [e, f, g, h]) {
  const both = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h].join();
  return matrices.findIndex((matrix) => matrix?.join() === both);
}

/** The views of a file's image: each a caption and the orientation to display it with. */
function views(file) {
  if (file.stated) return [["as readers show it", 1], ["as the metadata says", file.stated]];
  const tag = file.orientation || 1;
  if (tag === 1) return [["as stored", 1]];
  const isStale = (file.risks || []).includes("conflict");
  const differs = !file.rendition && tag >= 5 && file.isThumbnailAcross;
  // The thumbnail and the image differ in shape, so one of the two was rotated earlier.
  if (differs && file.section === "decide") return [["thumbnail as stored", 1], ["thumbnail as the tag says", tag]];
  if (differs && file.disposition === "tag") return [["as stored", tag]];
  if (differs) return [["as stored", inverse(tag)], ["upright", 1]];
  return [["as stored", 1], [isStale || file.disposition === "tag" || file.section === "decide" ? "as the tag says" : "upright", tag]];
}

/** A drawing of the image's shape, for files without an image to show. */
function sketch(file, orientation) {
  const isSwapped = (file.orientation || 1) >= 5;
  const [width, height] = isSwapped ? [file.height, file.width] : [file.width, file.height];
  const scale = 100 / Math.max(width, height, 1);
  const [w, h] = [Math.max(width * scale, 12), Math.max(height * scale, 12)];
  const [x, y] = [(120 - w) / 2, (120 - h) / 2];
  const at = (u, v) => `${x + u * w},${y + v * h}`;
  return drawing("svg", { viewBox: "0 0 120 120", class: `orientation-${orientation}`, "aria-hidden": "true" },
    drawing("rect", { class: "sky", x, y, width: w, height: h }),
    drawing("circle", { class: "land", cx: x + 0.75 * w, cy: y + 0.25 * h, r: Math.min(w, h) * 0.09 }),
    drawing("polygon", { class: "land", points:
      [at(0, 1), at(0, 0.75), at(0.3, 0.45), at(0.55, 0.8), at(0.72, 0.62), at(1, 0.85), at(1, 1)].join(" ") }));
}

const imageOf = (file) => file.rendition || file.thumbnailImage;
/** What an image element shows of a file: an image in the page, or the file itself, as the browser displays it. */
const sourceOf = (file) => (imageOf(file) ? { src: "data:image/jpeg;base64," + imageOf(file) }
  : file.stated ? { src: link(file), loading: "lazy" } : null);
/** Whether the card has images; for a decision, a drawing would mislead. */
const hasFigures = (file) => imageOf(file) !== undefined || file.stated !== undefined
  || (isReport ? isCompared(file) : file.orientation > 1 && file.section !== "decide" && file.disposition !== "tag");
/** Whether a file of the report is shown before and after. */
const isCompared = (file) => file.before !== undefined;

/** The names of formats that no browser displays as JPEG is, in the place of a sampling. */
const otherFormats = new Set(data.otherFormats);
/** Whether the browser has shown a HEIC file, which most cannot. */
let showsHEIC = false;
const isHEIC = (file) => file.sampling === "HEIC";

/** Draws the gallery without the images of a file that the browser cannot show, or of all HEIC files if it cannot show these. */
function withoutImages(file) {
  if (file.stated === undefined) return;
  const unseen = isHEIC(file) && !showsHEIC ? files.filter(isHEIC) : [file];
  for (const each of unseen) delete each.stated;
  showGallery();
}

/** Shows the file itself in an image element, as soon as the browser has it; it displays a JPEG file as its tag says. */
function showFile(image, file, orientation) {
  if (!imageOf(file) || !data.showsFiles || otherFormats.has(file.sampling)) return;
  const tag = file.orientation || 1;
  const whole = new Image();
  whole.addEventListener("load", () => {
    const isWide = (tag >= 5) !== (file.width > file.height);
    // A file that is not as the page knows it would mislead.
    if (file.width !== file.height && isWide !== whole.naturalWidth > whole.naturalHeight) return;
    image.src = whole.src;
    image.className = `orientation-${followed(matrices[inverse(tag)], matrices[orientation])} displayed`;
  });
  whole.src = link(file);
}

/** The one view of a file of the report, which a button switches from after to before. */
function toggledFigure(file, isLarge) {
  const caption = element("figcaption");
  const view = element("div", { class: "view" });
  view.addEventListener("click", () => enlarge(file, view));
  const toggle = button({ class: "toggle" }, "", () => {
    file.isBefore = !file.isBefore;
    for (const made of document.querySelectorAll(".toggle")) made.show();
  });
  const source = sourceOf(file);
  const before = file.disposition === "tag" ? "before, as its tag said" : data.request === "normalize" ? "before, as stored" : "before";
  toggle.show = () => {
    const orientation = file.isBefore ? file.before : file.orientation || 1;
    caption.textContent = file.isBefore ? before : "after";
    toggle.textContent = file.isBefore ? "Show after" : "Show before";
    toggle.setAttribute("aria-label", `${toggle.textContent}: ${file.name}`);
    if (source) {
      const image = element("img", { ...source, alt: `${file.name}, ${caption.textContent}`, decoding: "async", class: `orientation-${orientation}` });
      view.replaceChildren(image);
      if (isLarge) showFile(image, file, orientation);
    } else {
      view.replaceChildren(sketch(file, orientation));
    }
  };
  toggle.show();
  return element("div", { class: "views" }, element("figure", {}, view, caption, toggle));
}

/** Switches a photo of the report by its key; returns whether the key is that. */
function toggleByKey(event, file) {
  if (event.key.toLowerCase() !== "b" || !isCompared(file) || !hasFigures(file) || event.altKey || event.ctrlKey || event.metaKey) return false;
  event.preventDefault();
  file.isBefore = !file.isBefore;
  for (const made of document.querySelectorAll(".toggle")) made.show();
  announce(`${file.name}: ${file.isBefore ? "before" : "after"}`);
  return true;
}

function figures(file, isLarge = false) {
  if (!hasFigures(file)) return null;
  if (isCompared(file)) return toggledFigure(file, isLarge);
  const source = sourceOf(file);
  return element("div", { class: "views" }, ...views(file).map(([caption, orientation], index) => {
    const view = element("div", { class: "view" });
    // Buttons and keys open it, too.
    view.addEventListener("click", () => enlarge(file, view));
    if (source) {
      const image = element("img", { ...source, alt: `${file.name}, ${caption}`, decoding: "async",
        class: `orientation-${orientation}${imageOf(file) ? "" : " displayed"}` });
      image.addEventListener("error", () => withoutImages(file));
      if (isHEIC(file)) image.addEventListener("load", () => showsHEIC = true);
      view.append(image);
      if (isLarge) showFile(image, file, orientation);
    } else {
      view.append(sketch(file, orientation === 1 ? inverse(file.orientation) : 1));
    }
    return element("figure", {}, view, element("figcaption", {}, caption),
      marksFigures(file) ? markButton(file, index === 0 ? "image" : "tag") : null);
  }));
}

/** Whether each of the two views has the button that marks it as right. */
const marksFigures = (file) => canMark(file) && hasFigures(file) && views(file).length === 2;

/** The buttons that mark a file, where its figures have none. */
function marksOf(file) {
  if (!canMark(file) || marksFigures(file)) return null;
  return element("p", { class: "marking" }, ...Object.keys(verdicts).map((verdict) => markButton(file, verdict)));
}

function factsOf(file) {
  return [
    file.width ? `${file.width}×${file.height}` : null, file.sampling,
    file.orientation ? `Orientation ${file.orientation}` : null, file.camera,
    file.captured ? file.captured.replace("T", " ") : null, file.bytes ? size(file.bytes) : null,
    ...(file.traits || []),
  ].filter((fact) => fact).join(" · ");
}

/** The strongest evidence of a stale tag; the large view has the rest. */
function evidenceOf(file) {
  const [first, ...others] = file.evidence || [];
  if (!first) return "";
  return sentence(others.length === 0 ? first : `${first}, and ${others.length} more`);
}

/** Whether whatOf would repeat the evidence. */
const isExplained = (file) => file.disposition === "skipped" && inConflict(file);
const whatOf = (file) => sentence(file.text || actions[file.disposition]);

/** The links of a file; `decide` opens the view that has the commands. */
function actionsOf(file, decide) {
  const named = (text) => ({ "aria-label": `${text}: ${file.name}` });
  return element("p", { class: "links" }, element("a", { href: link(file), ...named("Open the file") }, "Open the file"),
    button(named("Copy its path"), "Copy its path", () => copyPath(file)),
    decide && decisionsOf(file) ? button(named("Commands to decide"), "Commands", decide) : null);
}

/** The commands for the possible decisions about a file, each with a button that copies it. */
function decisionsOf(file) {
  if (file.section !== "decide" || !file.remedies) return null;
  const choices = file.remedies.map((each) => [
    sentence(each.text) + (each.action === "correct-orientation" && !file.sidecarOrientation ? "; N is 1 to 8" : ""), commandFor(file, each)]);
  if (choices.some(([, command]) => command === null)) return null;
  return element("section", { class: "decisions" }, element("h3", {}, "To decide"),
    element("p", {}, `Run one of these in the folder in which the ${isReport ? "command" : "audit"} was run:`),
    ...choices.map(([text, command]) => element("div", {}, element("p", {}, text), element("code", {}, command),
      button({ "aria-label": `Copy this command: ${text}` }, "Copy this command",
        () => copy(command, "Command copied")))));
}

function card(file, index) {
  const cardClass = `card ${file.disposition}`;
  const heading = file.cause === "" ? "h4" : "h5";
  const isLine = cardSize(file) === "line";
  const made = element("article", { class: cardClass, "aria-label": file.name, "aria-posinset": index + 1, "aria-setsize": shown.length, "data-file": index },
    figures(isLine ? {} : file),
    element("div", { class: "words" },
      element(heading, { title: file.name }, button({ class: "open", "aria-haspopup": "dialog" }, file.name, () => openViewer(index))),
      element("p", { class: "folder", title: file.folder }, folderName(file.folder)),
      ["upright", "interrupted"].includes(file.section) ? null : element("p", { class: "what" }, evidenceOf(file) || whatOf(file)),
      isLine ? null : element("p", { class: "facts" }, factsOf(file)), marksOf(file),
      actionsOf(file, () => openViewer(index))));
  setStops(made);
  return made;
}

// The large view.

let viewed = 0;

function openViewer(index) {
  viewed = index;
  const file = shown[index];
  // A screen reader announces the status when the file changes, but not the heading.
  byId("place").replaceChildren(`${number(index + 1)} of ${number(shown.length)}`,
    element("span", { class: "hidden" }, `: ${file.name}`));
  byId("viewer-name").textContent = file.name;
  byId("previous").disabled = index === 0;
  byId("next").disabled = index === shown.length - 1;
  byId("viewer").className = file.disposition;
  const list = element("dl");
  const fact = (term, value) => value && list.append(element("dt", {}, term), element("dd", {}, value));
  fact("Path", file.path);
  fact("Reasons", (file.risks || []).map(reasonName).join(", "));
  fact("Evidence", (file.evidence || []).join("; "));
  fact("Sidecar", file.sidecar);
  fact("Kept, but may not fit the image", (file.misfits || []).join("; "));
  fact("Checked", file.proof && proofs[file.proof]);
  fact("File", factsOf(file));
  byId("viewer-body").replaceChildren(...[figures(file, true), marksOf(file), element("p", { class: "what" }, isExplained(file) ? sentence(reasonName("conflict")) : whatOf(file)), decisionsOf(file), list, actionsOf(file)]
    .filter((part) => part));
  if (!byId("viewer").open) byId("viewer").showModal();
  // A button of the file before has gone, with the focus; keys still lead on.
  else if (!byId("viewer").contains(document.activeElement)) byId("viewer").focus();
}

/** Opens the large view of a card's image; there, a click shows the image as large as the window. */
function enlarge(file, view) {
  const index = shown.indexOf(file);
  if (!byId("viewer").open) openViewer(index);
  else view.classList.toggle("whole");
}

const step = (by) => shown[viewed + by] && openViewer(viewed + by);
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
byId("close").addEventListener("click", () => byId("viewer").close());
byId("viewer").addEventListener("keydown", (event) => {
  if (markByKey(event, shown[viewed]) || toggleByKey(event, shown[viewed])) return;
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  event.preventDefault();
  step(event.key === "ArrowLeft" ? -1 : 1);
});
byId("viewer").addEventListener("close", () => goTo(viewed));

showOverview();
fillControls();
readAddress();
