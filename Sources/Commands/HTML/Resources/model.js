"use strict";

// What comes from files is inserted as text, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);

/** Whether the page shows what was done, and not what would be. */
const isReport = data.kind === "report";
const verb = { rotate: "rotated", flip: "flipped", crop: "cropped", undo: "restored", convert: "converted", tag: "tagged" }[data.request] || "rotated";

/** What would be or was done with a file, in the order of the bars; each file counts once. */
const actions = {
  decide: "to decide",
  lossless: `${verb}, lossless`,
  "re-encoded": `${verb}, re-encoded`,
  trimmed: `${verb}, with edges cut off`,
  restored: "restored, byte for byte",
  converted: "converted, re-encoded",
  tag: data.request === "tag" ? "tagged, image unchanged" : "tag set to 1, image unchanged",
  skipped: "skipped",
  failed: "failed",
  interrupted: "interrupted and not replaced",
  upright: ["audit", "normalize"].includes(data.request) ? "already upright" : "unchanged",
};
const kinds = Object.keys(actions);
/** The actions that the first line counts. */
const answers = data.request === "tag" ? ["tag"] : ["lossless", "re-encoded", "trimmed", "restored", "converted"];
const rotations = ["lossless", "re-encoded", "trimmed"];

/** The gallery's sections in their order; decisions come first. */
const order = ["decide", "re-encoded", "trimmed", "lossless", "restored", "converted", "tag", "skipped", "upright", "interrupted", "failed"];

/** Causes that are not reasons of their own. */
const causes = {
  "re-encoded": isReport ? "was re-encoded" : "would be re-encoded",
  trimmed: isReport ? "edges were cut off" : "edges would be cut off",
  "xmp-disagrees": "XMP and Exif give different orientations",
  sidecar: "has an XMP sidecar",
  misfit: "keeps data that may not fit",
  "not-jpeg": "not a JPEG file",
  "contradicted-tag": "something contradicts the tag, which is trusted",
  limit: "larger than the limit",
  "other-name": "the name of another format",
  "not-image": "not an image",
  empty: "empty file",
  truncated: "the end is missing",
  malformed: "damaged",
  unsupported: "not supported",
  verification: "verification failed",
  io: "cannot be read or written",
};

/** Hints for each cause. */
const hints = {
  "xmp-disagrees": "Upright uses the Exif orientation, as viewers do.",
};

const byId = (id) => document.getElementById(id);
const dateOf = (time) => time.replace("T", " ").replace("Z", " UTC");
const number = (value) => value.toLocaleString("en");
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const reasonName = (reason) => causes[reason] || data.reasons[reason] || reason.replaceAll("-", " ");
/** A sort key that orders numbers by value: batch-2 before batch-10. */
const natural = (text) => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function button(attributes, text, act) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
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

// Folders, relative to the folder that all files have in common.

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

const lastYear = Number(data.created.slice(0, 4)) + 1;

function section(file) {
  if (file.disposition === "failed") return "failed";
  return file.decide ? "decide" : file.disposition;
}

// A row has folder, camera and sampling only if they differ from the previous row.
let last = { folder: "", camera: null, sampling: null };
data.files.forEach((file, index) => {
  last = { folder: file.folder ?? last.folder, camera: file.camera === undefined ? last.camera : file.camera,
    sampling: file.sampling === undefined ? last.sampling : file.sampling };
  file.path = last.folder + file.name;
  file.parent = last.folder.slice(0, -1);
  file.camera = last.camera;
  file.sampling = last.sampling;
  file.section = section(file);
  file.isCopied = index < data.copied;
  const year = Number((file.captured || "").slice(0, 4));
  if (year >= 1826 && year <= lastYear) file.year = String(year);
});

/** Whether something was done with a file. */
const isDone = (file) => [...rotations, "restored", "converted", "tag"].includes(file.disposition);

/** Each file once: as the last run left it, but as the one before if the last found that nothing was to do any more. */
function latest(rows) {
  const found = new Map();
  for (const row of rows) {
    const path = `${row.raw ?? ""} ${row.path}`;
    if (!(row.disposition === "upright" && found.has(path) && isDone(found.get(path)))) found.set(path, row);
  }
  return [...found.values()];
}
const files = data.copied > 0 ? latest(data.files) : data.files;
// Readers apply the Orientation of some formats.
if (files.some((file) => file.section === "upright" && data.otherFormats.includes(file.sampling))) {
  actions.upright = actions.upright.replace("already upright", "already upright or unchanged");
}
const common = commonFolder(new Set(files.map((file) => file.parent)));
for (const file of files) {
  file.folder = common === "" ? file.parent : file.parent.slice(common.length + 1);
}
const folderName = (folder) => (folder === "" ? "." : folder);

// Files in the order of the gallery: by section, cause, folder and name.

/** The cause by which the files of a section are grouped. */
function cause(file) {
  if (!["decide", "skipped", "failed"].includes(file.section)) return "";
  const all = file.risks || [];
  if (all.includes("conflict")) return "conflict";
  return all.find((risk) => risk !== "re-encoded" && risk !== "trimmed" && risk !== "sidecar") || all[0] || "";
}

function sortFiles() {
  const sectionRank = Object.fromEntries(order.map((name, index) => [name, index]));
  const folderRank = new Map([...new Set(files.map((file) => file.folder))]
    .map((folder) => [folder, natural(folder).replaceAll("/", "\u0001")])
    .sort((a, b) => inOrder(a[1], b[1])).map(([folder], index) => [folder, index]));
  for (const file of files) {
    file.cause = cause(file);
    file.rank = sectionRank[file.section] * 0x1000000 + folderRank.get(file.folder);
    file.key = natural(file.name);
  }
  files.sort((a, b) => (a.section === b.section && a.cause !== b.cause
    ? (a.cause === "conflict" ? -1 : b.cause === "conflict" ? 1 : inOrder(a.cause, b.cause))
    : a.rank - b.rank || inOrder(a.key, b.key)));
}
sortFiles();

// Real paths: in displayed paths, control characters and bytes that are not UTF-8 are escaped.

/** The path as text; null if its bytes are not UTF-8. */
function realPath(file) {
  try {
    return file.raw === undefined ? file.path : decodeURIComponent(file.raw);
  } catch {
    return null;
  }
}

/** A word, quoted for a shell. */
const quoted = (word) => (/^[\w./=+:,@%][\w./=+:,@%-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The words of policies; those of flags have no value. */
const policyWords = (policies) => Object.entries(policies)
  .flatMap(([option, value]) => (value === "true" ? [option] : value === "false" ? [] : [option, value]));

/** The command that carries out a decision about a file; null if there is none, or if the path is not UTF-8. */
function commandFor(file, remedy) {
  const path = realPath(file);
  if (path === null) return null;
  const name = quoted(path.startsWith("-") ? `./${path}` : path);
  const normalize = (policies) => {
    const safeguards = data.safeguards.filter((word) => policies[word] !== "false");
    return ["upright", "normalize", ...policyWords({ ...data.nonDefault, ...policies }), ...safeguards, name].join(" ");
  };
  if (remedy.policy) return normalize({ [`--${remedy.policy}`]: remedy.value });
  const isOwn = remedy.action === "reset-sidecar" && file.orientation > 1 && !data.otherFormats.includes(file.sampling);
  if (remedy.action === "reset-sidecar" && !isOwn) return normalize({ "--sidecars": "update", "--on-conflict": "reset-tag" });
  // A journal would take the tag for what the run was to do with the photo.
  const journal = data.safeguards.indexOf("--journal");
  const safeguards = data.safeguards.filter((word, index) => journal < 0 || (index !== journal && index !== journal + 1));
  const orientation = isOwn ? file.orientation : file.sidecarOrientation;
  const tag = ["upright", "tag", "set", orientation ?? "N", ...safeguards, name].join(" ");
  return orientation ? `${tag} && ${normalize({})}` : tag;
}

/** A reference to the file, or its result, relative to the page. */
function link(file) {
  const path = file.output ?? file.raw ?? file.path.split("/").map(encodeURIComponent).join("/");
  if (!path.startsWith("/")) return data.links.working + path;
  const [from, to] = [data.links.directory, path].map((path) => path.split("/").filter((part) => part !== ""));
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return "../".repeat(from.length - same) + to.slice(same).join("/");
}
