// The page of `upright serve`: sends photos to the service and shows the results. tools/package/wasm/make-page makes a
// page from it that needs no service.

const element = (id) => document.getElementById(id);
/** How many photos are sent at a time: the service has a queue, and other clients. */
const together = 2;
/** @type {{name: string, bytes: Uint8Array, urls: string[]}[]} */
let results = [];
let waiting = [];
let running = 0;
let failures = 0;

// Choosing photos

element("files").addEventListener("change", (event) => {
  take([...event.target.files]);
  event.target.value = "";
});
let depth = 0;
const drag = (type, act) => addEventListener(type, (event) => {
  if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
  event.preventDefault();
  act(event);
  document.body.classList.toggle("dragging", depth > 0);
});
drag("dragenter", () => depth++);
drag("dragleave", () => depth--);
drag("dragover", (event) => event.dataTransfer.dropEffect = "copy");
drag("drop", (event) => {
  depth = 0;
  take([...event.dataTransfer.files]);
});
element("clear").addEventListener("click", () => {
  for (const result of results) result.urls.forEach(URL.revokeObjectURL);
  [results, waiting, failures] = [[], [], 0];
  element("photos").replaceChildren();
  tell();
  element("files").focus();
});
element("zip").addEventListener("click", () => {
  download(zip(results.filter((result) => result.bytes)), "upright.zip");
});

function take(files) {
  for (const file of files) {
    const item = element("photo").content.cloneNode(true).firstElementChild;
    item.querySelector("h2").textContent = file.name;
    item.querySelector(".what").textContent = "waiting";
    element("photos").append(item);
    waiting.push({ file, item });
  }
  next();
}

async function next() {
  tell();
  while (running < together && waiting.length > 0) {
    const work = waiting.shift();
    running++;
    normalize(work).catch((error) => fail(work.item, error.message)).finally(() => {
      running--;
      next();
    });
  }
}

function tell() {
  const done = results.length;
  const left = waiting.length + running;
  const some = (count) => `${count} photo${count === 1 ? "" : "s"}`;
  const items = [...element("photos").children];
  const open = items.filter((item) => item.querySelector(".links.open")).length;
  const skipped = items.filter((item) => item.classList.contains("skipped") && !item.querySelector(".links.open")).length;
  element("status").textContent = left > 0 ? `${some(left)} to go`
    : items.length === 0 ? ""
    : items.length === 1 ? ["h2", ".what"].map((part) => items[0].querySelector(part).textContent).join(": ")
    : [`${some(done - open - skipped)} done`, skipped > 0 ? `${skipped} skipped` : "", failures > 0 ? `${failures} failed` : "", open > 0 ? `${open} to decide` : ""]
      .filter((part) => part !== "").join(", ");
  element("actions").hidden = left > 0 || done + failures === 0;
  element("zip").hidden = done === 0;
}

// Talking to the service

async function normalize({ file, item }) {
  item.querySelector(".what").textContent = "working";
  const original = new Uint8Array(await file.arrayBuffer());
  const { report, bytes } = await ask(file, {});
  show(item, file, original, bytes, report);
}

/** Processes a photo with policies, and returns the report and the result. */
const ask = globalThis.workInThisPage ?? askService;

/** Sends a photo to the service. */
async function askService(file, policies) {
  const form = new FormData();
  form.append("photo", file);
  for (const [name, value] of Object.entries(policies)) form.append(name, value);
  let response;
  for (let attempt = 0; ; attempt++) {
    response = await fetch("/normalize", {
      method: "POST", body: form, headers: { Accept: "multipart/form-data" },
    });
    if (response.status !== 503 || attempt === 10) break;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds * (1 + Math.random())));
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({ detail: response.statusText }));
    throw new Error(problem.detail);
  }
  const answer = await response.formData();
  return {
    report: JSON.parse(await answer.get("report")),
    bytes: new Uint8Array(await answer.get("photo").arrayBuffer()),
  };
}

function fail(item, message) {
  failures++;
  item.classList.add("failed");
  item.querySelector(".what").textContent = `Failed: ${message}`;
}

// Showing a result

const words = {
  "flip-horizontal": "flipped horizontally", "rotate-180": "rotated 180°",
  "flip-vertical": "flipped vertically", transpose: "transposed",
  "rotate-90": "rotated 90° clockwise", transverse: "transversed",
  "rotate-270": "rotated 90° counter-clockwise",
};

/** The questions that the values of a policy answer, by policy. */
const questions = globalThis.questionsOfThisPage ?? JSON.parse(element("questions").textContent);
/** The name of a remedy's policy, which the page that works by itself has in camel case. */
const policyOf = (remedy) => remedy.policy?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The decision that a skipped photo needs: the question, and the answers with their policies; undefined if none helps. */
function decisionOn(report) {
  if (isRewritten(report)) return undefined;
  const remedies = (report.reason?.remedies ?? []).filter((remedy) => questions[policyOf(remedy)]);
  if (remedies.length === 0) return undefined;
  // In the order of the images, of which the stored one is the first.
  if (policyOf(remedies[0]) === "on-conflict") remedies.reverse();
  return {
    question: questions[policyOf(remedies[0])],
    answers: remedies.map((remedy) =>
      [remedy.text.replace(/^./, (first) => first.toUpperCase()), { [remedy.policy]: remedy.value }]),
  };
}

/** The other result that a photo can have, for those who see that this one is on its side; only the service has both. */
function alternative(report) {
  if (globalThis.workInThisPage || !isRewritten(report) || !(report.orientation > 1)) return undefined;
  return report.transform === undefined ? ["Rotate as the tag says", { "on-conflict": "trust-tag" }]
    : ["Keep as stored, set only the tag", { image: "keep" }];
}
const isConverted = (report) => report.status === "converted";
/** Whether the report is that of a HEIC photo that is not converted, which has no more than a reason. */
const isNotConverted = (report) => report.width === undefined;

const isRewritten = (report) => (report.changes ?? []).length > 0;
const isReencoded = (report) => isRewritten(report) && report.edges === "re-encoded";

/** What else was re-encoded, as the end of a sentence. */
function otherLosses(report) {
  const reencoded = (report.embeddedImages ?? []).filter((image) => image.disposition === "re-encoded");
  const names = new Set(reencoded.map((image) => image.role.replaceAll("-", " ")));
  return names.size === 0 ? "" : `; re-encoded, too: ${[...names].join(", ")}`;
}

function summary(report) {
  if (isConverted(report)) return "Converted from HEIC to JPEG, upright; the pixels are re-encoded";
  if (report.transform !== undefined && isRewritten(report)) {
    const edges = report.edges === "lossless" ? "lossless"
      : report.edges === "trimmed" ? `trimmed by ${report.trimmed.columns} columns and ${report.trimmed.rows} rows`
      : "re-encoded, because a lossless rotation is impossible at an edge"
        + (report.redraw?.psnr ? ` (${report.redraw.psnr} dB)` : "");
    return `${words[report.transform]}, ${edges}${otherLosses(report)}`.replace(/^./, (first) => first.toUpperCase());
  }
  if (isRewritten(report)) return "Orientation set to 1, image unchanged";
  if (report.status === "already-upright") return `Already upright: ${report.reason.text}`;
  if (report.status === "unchanged") return `Unchanged: ${report.reason.text}`;
  return decisionOn(report)?.question ?? `Skipped: ${report.reason.text}`;
}

function show(item, file, original, bytes, report) {
  const name = isConverted(report) ? `${file.name.replace(/\.[^.]*$/, "")}.jpg` : file.name;
  const urls = [original, bytes].map((data) =>
    URL.createObjectURL(new Blob([data], { type: "image/jpeg" })));
  const result = { name, bytes, urls };
  item.classList.add(report.status);
  item.querySelector(".what").textContent = summary(report);
  showImages(item, name, urls, report);
  showFacts(item.querySelector("dl"), original, bytes, report);
  const links = item.querySelector(".links");
  const link = (text, url) => {
    const made = document.createElement("a");
    [made.href, made.download, made.textContent] = [url, name, text];
    made.setAttribute("aria-label", `${text}: ${name}`);
    links.append(made);
  };
  const offer = ([text, policies]) => {
    const made = document.createElement("button");
    [made.type, made.textContent] = ["button", text];
    made.setAttribute("aria-label", `${text}: ${name}`);
    made.addEventListener("click", () => decide({ file, item, result, original }, policies));
    links.append(made);
  };
  const decision = decisionOn(report);
  if (decision) {
    decision.answers.forEach(offer);
    links.classList.add("open");
  } else {
    link(isRewritten(report) || isConverted(report) ? "Download" : "Download unchanged", urls[1]);
    if (isReencoded(report)) link("Download the original", urls[0]);
    if (alternative(report)) offer(alternative(report));
  }
  if (isRewritten(report) && !isConverted(report)) list(item, name, report.changes);
  results.push(result);
}

/** Processes a photo again as the user decided, and replaces its card. */
async function decide({ file, item, result, original }, policies) {
  const fresh = element("photo").content.cloneNode(true).firstElementChild;
  fresh.querySelector("h2").textContent = file.name;
  for (const button of item.querySelectorAll("button")) button.disabled = true;
  try {
    const { report, bytes } = await ask(file, policies);
    const at = results.indexOf(result);
    if (at < 0) return;
    result.urls.forEach(URL.revokeObjectURL);
    show(fresh, file, original, bytes, report);
    results[at] = results.pop();
    element("status").textContent = `${file.name}: ${summary(report)}`;
  } catch (error) {
    results = results.filter((other) => other !== result);
    fail(fresh, error.message);
    tell();
  }
  item.replaceWith(fresh);
  fresh.querySelector("h2").focus();
}

/** Shows the photo before and after: once if it is unchanged, and in both orientations if the user must decide. */
function showImages(item, name, urls, report) {
  const [stored, result] = item.querySelectorAll("figure");
  const caption = (figure, text, alt) => {
    figure.querySelector("figcaption").textContent = text;
    figure.querySelector("img").alt = `${name} ${alt}`;
  };
  // Few browsers show HEIC.
  if (isConverted(report) || isNotConverted(report)) stored.remove();
  if (isNotConverted(report)) return result.remove();
  if (isConverted(report)) {
    result.querySelector("img").src = urls[1];
    return caption(result, "As converted", "as converted");
  }
  stored.querySelector("img").src = urls[0];
  caption(stored, "As stored, ignoring the tag", `as stored, Orientation ${report.orientation ?? "absent"}`);
  if (isRewritten(report)) {
    result.querySelector("img").src = urls[1];
    caption(result, "As normalized", "as normalized");
  } else if (decisionOn(report) && report.orientation > 1) {
    result.querySelector("img").src = urls[0];
    result.querySelector("img").classList.add("tagged");
    caption(result, "As the tag says", "as the tag says");
  } else {
    result.remove();
  }
}

function showFacts(facts, original, bytes, report) {
  const fact = (term, value, kind) => {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = term;
    dd.append(value);
    if (kind !== undefined) dd.className = kind ? "good" : "bad";
    facts.append(dt, dd);
  };
  // If the tag is invalid, the reason says so.
  if (report.orientation !== undefined || report.status === "already-upright") {
    fact("Orientation", `${report.orientation ?? "none"}${isRewritten(report) ? " → 1" : ""}`);
  }
  if (isNotConverted(report)) return fact("File", `${original.length} bytes`);
  fact(isConverted(report) ? "Size" : "Stored size",
    [`${report.width} × ${report.height}`, report.sampling, report.coding].filter((part) => part).join(", "));
  fact("File", bytes.length === original.length ? `${bytes.length} bytes`
    : `${original.length} → ${bytes.length} bytes`);
  const after = coordinates(bytes);
  const before = isConverted(report) ? after : coordinates(original);
  if (before) {
    const kept = after !== null && after.text === before.text;
    const [link, place, copy] = ["a", "span", "button"].map((tag) => document.createElement(tag));
    const text = `${before.latitude.toFixed(6)}, ${before.longitude.toFixed(6)}`;
    link.href = `geo:${text.replace(" ", "")}`;
    link.textContent = before.text;
    [copy.type, copy.className, copy.textContent] = ["button", "copy", "Copy"];
    copy.setAttribute("aria-label", `Copy the coordinates ${text}`);
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        element("status").textContent = `Copied: ${text}`;
      } catch {
        element("status").textContent = `Not copied; the coordinates are ${text}`;
      }
    });
    const compares = isRewritten(report) && !isConverted(report);
    place.append(link, compares ? kept ? " (the same in both files) " : " (not the same in the result) " : " ", copy);
    fact("Coordinates", place, compares ? kept : undefined);
  } else {
    fact("Coordinates", "none in the file");
  }
  if (report.verification) {
    fact("Verified by Upright", {
      restored: "the original was restored from the result, byte for byte",
      reference: "the coefficients are those of TurboJPEG's lossless transform",
      coefficients: "all coefficients that should be kept are in the result",
      none: "not verified",
    }[report.verification]);
  }
  if (isRewritten(report) && !isConverted(report)) {
    const copied = copiedBytes(original, bytes, report.changes);
    fact("Verified by this page", copied === null ? "bytes differ that the report does not list"
      : `all other ${copied} bytes are the same as in the original`, copied !== null);
  }
  for (const loss of report.losses ?? []) fact("Not carried over", loss.text);
  for (const note of report.notes ?? []) fact("Note", note.text);
}

// What changed

const kinds = [
  [/^thumbnail\.|\.ifd1\./, "Thumbnail rotated with the image"],
  [/^scan\./, "Image data rewritten"], [/^huffman-tables\./, "Huffman tables"],
  [/^quantization-table/, "Quantization tables"], [/^mpf/, "Index of further images"],
  [/^fill/, "Fill bytes before the end of the image"], [/^content-credentials/, "Content credentials"],
];
const sources = { exif: "Exif", xmp: "XMP", frame: "Image", jfif: "JFIF" };

/** The changes as lines of text: one for each value, and one for each kind of bytes. */
export function readable(changes) {
  const lines = new Map();
  for (const change of changes) {
    const { field } = change;
    const kind = kinds.find(([pattern]) => pattern.test(field))?.[1];
    const what = change.old !== undefined && change.new !== undefined ? `${change.old} → ${change.new}` : change.new ?? "";
    if (kind) {
      const known = lines.get(kind) ?? new Set();
      if (!/^thumbnail\.|\.ifd1\./.test(field) && !/[^a-z ]/.test(what) && what !== "") known.add(what);
      lines.set(kind, known);
    } else {
      const parts = field.split(".");
      const name = parts.at(-1).replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&-").replaceAll("-", " ").toLowerCase();
      lines.set(`${sources[parts[0]] ?? parts[0]}: ${name}`, new Set(what === "" ? [] : [what]));
    }
  }
  return [...lines].map(([name, values]) => name + (values.size > 0 ? `: ${[...values].join(", ")}` : ""));
}

function list(item, name, changes) {
  const summaryList = item.querySelector(".changes");
  summaryList.hidden = false;
  summaryList.setAttribute("aria-label", `What changed in ${name}`);
  for (const line of readable(changes)) {
    const made = document.createElement("li");
    made.textContent = line;
    summaryList.append(made);
  }
  const details = item.querySelector("details");
  details.hidden = false;
  details.querySelector("summary").textContent = `${changes.length} changes, byte for byte`;
  details.querySelector(".table").setAttribute("aria-label", `Changes of ${name}`);
  for (const change of changes) {
    const row = details.querySelector("tbody").insertRow();
    const length = change.oldLength === change.newLength ? `${change.oldLength}`
      : `${change.oldLength} → ${change.newLength}`;
    const value = change.old !== undefined && change.new !== undefined ? `${change.old} → ${change.new}`
      : change.new ?? change.old ?? "";
    for (const text of [change.offset, length, change.field, value]) row.insertCell().textContent = text;
  }
}

/** The number of bytes outside the changes, which must be the same in both files; null if one differs. */
export function copiedBytes(original, result, changes) {
  let [from, to, count] = [0, 0, 0];
  const copied = (end) => {
    for (; from < end; from++, to++, count++) if (original[from] !== result[to]) return false;
    return true;
  };
  for (const change of changes) {
    if (!copied(change.offset)) return null;
    from += change.oldLength;
    to += change.newLength;
  }
  return copied(original.length) && to === result.length ? count : null;
}

// Exif: the coordinates, which the page reads itself

/** The coordinates in a JPEG file; null if there are none. */
export function coordinates(file) {
  try {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    for (let at = 2; view.getUint8(at) === 0xFF;) {
      const marker = view.getUint8(at + 1);
      if (marker === 0xFF) { at++; continue; }
      if (marker === 0xDA || marker === 0xD9) return null;
      const length = view.getUint16(at + 2);
      if (marker === 0xE1 && view.getUint32(at + 4) === 0x45786966) {
        return position(new DataView(file.buffer, file.byteOffset + at + 10, length - 8));
      }
      at += 2 + length;
    }
  } catch (error) {
    // An offset outside the file: no coordinates.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

function position(tiff) {
  const little = tiff.getUint16(0) === 0x4949;
  const entries = (offset) => {
    const found = new Map();
    for (let index = 0; index < tiff.getUint16(offset, little); index++) {
      const at = offset + 2 + 12 * index;
      found.set(tiff.getUint16(at, little), at);
    }
    return found;
  };
  const gpsEntry = entries(tiff.getUint32(4, little)).get(0x8825);
  if (gpsEntry === undefined) return null;
  const gps = entries(tiff.getUint32(gpsEntry + 8, little));
  const degrees = (tag, reference) => {
    if (!gps.has(tag) || !gps.has(reference)) return NaN;
    const at = tiff.getUint32(gps.get(tag) + 8, little);
    const part = (index) =>
      tiff.getUint32(at + 8 * index, little) / (tiff.getUint32(at + 8 * index + 4, little) || 1);
    const sign = "SW".includes(String.fromCharCode(tiff.getUint8(gps.get(reference) + 8))) ? -1 : 1;
    return sign * (part(0) + part(1) / 60 + part(2) / 3600);
  };
  const [latitude, longitude] = [degrees(2, 1), degrees(4, 3)];
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return null;
  const text = `${Math.abs(latitude).toFixed(6)}° ${latitude < 0 ? "S" : "N"}, `
    + `${Math.abs(longitude).toFixed(6)}° ${longitude < 0 ? "W" : "E"}`;
  return { latitude, longitude, text };
}

// Downloading

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xEDB88320 ^ value >>> 1 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xFF] ^ crc >>> 8;
  return ~crc >>> 0;
}

/** A ZIP file with stored (uncompressed) files and names in UTF-8 (APPNOTE 6.3.10). */
export function zip(files) {
  const names = new Set();
  const unique = (name) => {
    const [, stem, end] = /^(.*?)(\.[^.]*)?$/s.exec(name);
    let candidate = name;
    for (let number = 2; names.has(candidate); number++) candidate = `${stem} (${number})${end ?? ""}`;
    names.add(candidate);
    return candidate;
  };
  const numbers = (...fields) => {
    const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
    let at = 0;
    for (const [size, value] of fields) {
      size === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true);
      at += size;
    }
    return new Uint8Array(view.buffer);
  };
  const now = new Date();
  const time = now.getHours() << 11 | now.getMinutes() << 5 | now.getSeconds() >> 1;
  const date = now.getFullYear() - 1980 << 9 | now.getMonth() + 1 << 5 | now.getDate();
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(unique(file.name));
    const size = file.bytes.length;
    // Version 2.0, names in UTF-8, stored.
    const common = [[2, 20], [2, 0x0800], [2, 0], [2, time], [2, date], [4, crc32(file.bytes)], [4, size],
      [4, size], [2, name.length], [2, 0]];
    const head = numbers([4, 0x04034B50], ...common);
    parts.push(head, name, file.bytes);
    directory.push(
      numbers([4, 0x02014B50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name);
    offset += head.length + name.length + size;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([4, 0x06054B50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length],
    [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
