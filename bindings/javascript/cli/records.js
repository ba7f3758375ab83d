// Records (docs/record-format.md, section 1): appending and reading them.
import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { syncFolder } from "./files.js";
import { packed } from "./record-data.js";
import { Refusal } from "./refusal.js";

const schema = "upright-record/1";

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** A line with its checksum. */
function line(fields) {
  const text = JSON.stringify(fields);
  return `${text.slice(0, -1)},"check":"${sha256(text).slice(0, 16)}"}\n`;
}

/** Appends the record of a rewrite, and waits until it is on the disk. */
export async function append(file, { path, before, bytes }, result, tool) {
  const { transform } = result.report;
  const record = {
    schema, tool, date: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    action: transform ? "transformed" : "reset", transform, path,
    before: { size: bytes.length, sha256: sha256(bytes), modified: timeText(before.mtimeNs) },
    after: { size: result.bytes.length, sha256: sha256(result.bytes) },
    undo: result.undo ? packed(result.undo) : undefined,
  };
  // It holds old metadata, so it is for its owner alone.
  const log = await open(file, "a+", 0o600);
  try {
    const status = await log.stat();
    if (!status.isFile()) throw new Refusal(`the record ${file} is not a regular file`);
    const ends = Buffer.alloc(2);
    if (status.size > 0) {
      await log.read(ends, 0, 1, 0);
      await log.read(ends, 1, 1, status.size - 1);
      if (!["{", "\n"].includes(String.fromCharCode(ends[0]))) throw new Refusal(`${file} exists, and is not a record file: choose another name`);
    }
    // A run that was killed may have left a part of a line. In one call, so that lines of two runs do not mix.
    const text = Buffer.from((status.size > 0 && ends[1] !== 0x0A ? "\n" : "") + line(record));
    const { bytesWritten } = await log.write(text);
    if (bytesWritten < text.length) throw new Error(`${file}: the record could not be written`);
    await log.sync();
    if (status.size === 0) await syncFolder(resolve(file));
  } finally {
    await log.close();
  }
}

/** Nanoseconds as seconds with nine digits. */
function timeText(nanoseconds) {
  const [sign, size] = nanoseconds < 0n ? ["-", -nanoseconds] : ["", nanoseconds];
  return `${sign}${size / 1_000_000_000n}.${String(size % 1_000_000_000n).padStart(9, "0")}`;
}

/** The nanoseconds of such a text; null if it is another one. */
export function timeOf(text) {
  const [, sign, seconds, rest] = /^(-?)(\d+)\.(\d{9})$/.exec(text) ?? [];
  if (seconds === undefined) return null;
  const size = BigInt(seconds) * 1_000_000_000n + BigInt(rest);
  return sign ? -size : size;
}

/** The records of a file, in the order of time, and how many lines are damaged or of other forms. */
export async function read(file) {
  const bytes = await readFile(file);
  if (bytes[0] === 0x1F) throw new Refusal(`${file} is a packed record file, which only the command upright reads`);
  const [bases, records] = [new Map(), []];
  let damaged = 0;
  for (const text of lines(bytes)) {
    const fields = parse(text);
    if (fields && !("path" in fields)) bases.set(fields.check, fields.base);
    else if (fields && isRecord(fields)) {
      const { path, output = path, base } = fields;
      records.push({ ...fields, origin: placeOf(path, bases.get(base)), place: placeOf(output, bases.get(base)) });
    } else damaged += 1;
  }
  const date = ({ date }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date) ? date : "";
  // The sort is stable: of one second, lines are in their order.
  records.sort((a, b) => date(a) < date(b) ? -1 : date(a) > date(b) ? 1 : 0);
  return { records, damaged };
}

/** The lines of a file as text, which may have more characters than a string can. */
function* lines(bytes) {
  for (let start = 0, end; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(0x0A, start);
    if (end < 0) end = bytes.length;
    if (end > start) yield bytes.toString("utf8", start, end);
  }
}

/** The fields of an intact line. */
function parse(text) {
  const end = text.match(/,"check":"([0-9a-f]{16})"\}$/);
  if (!text.startsWith("{") || !end || sha256(`${text.slice(0, -28)}}`).slice(0, 16) !== end[1]) return null;
  try {
    const fields = JSON.parse(text);
    return fields.schema === schema ? fields : null;
  } catch {
    return null;
  }
}

function isRecord({ path, base, before, after, undo }) {
  const isPath = typeof path === "string" ? path !== "" : typeof path?.bytes === "string";
  const isFile = (file) => Number.isSafeInteger(file?.size) && /^[0-9a-f]{64}$/.test(file.sha256);
  return isPath && !String(base).startsWith("/") && isFile(before) && isFile(after) && ["string", "undefined"].includes(typeof undo);
}

/** An absolute path; null if it is not known here, such as one that is not UTF-8. */
function placeOf(path, base) {
  if (typeof path !== "string" || path === "-") return null;
  if (path.startsWith("/")) return resolve(path);
  // Paths of Windows are absolute in their own way.
  if (/^([A-Za-z]:)?[\\/]/.test(path) && process.platform === "win32") return resolve(path);
  return typeof base === "string" ? resolve(base, path) : null;
}
