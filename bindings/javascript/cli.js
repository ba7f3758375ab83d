#!/usr/bin/env node
// The program of the npm package: for computers on which the command `upright` does not run. README.md describes it.
import { createHash, randomBytes } from "node:crypto";
import { constants, copyFile, lstat, open, readFile, readdir, realpath, rename, stat, unlink, utimes } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { audit, normalize, undo, version } from "./upright.js";

const usage = `usage: upright-jpeg audit PHOTO…
       upright-jpeg normalize [--record FILE] [--OPTION VALUE]… PHOTO…
       upright-jpeg normalize PHOTO -o FILE
       upright-jpeg undo --record FILE [PHOTO…]
Photos are replaced atomically. --record keeps what undo needs; without it, no original can be restored.
Options are those of the command \`upright\` and have its values, such as --on-conflict trust-tag.
Not here: folders, sidecars, HEIF conversion, extended attributes on Linux. Statuses: 1 a photo was skipped, 2 one failed.`;

/** What is wrong with a file, in a sentence for people. */
class Refusal extends Error {}

// MARK: - Arguments

function parse([command, ...rest]) {
  const parsed = { command, files: [], options: {}, record: null, output: null };
  const value = (name) => {
    if (rest.length === 0) throw new Refusal(`${name} needs a value`);
    return rest.shift();
  };
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === "--") parsed.files.push(...rest.splice(0));
    else if (word === "-o") parsed.output = value(word);
    else if (word === "--record") parsed.record = value(word);
    else if (["-r", "--recursive", "--sidecars", "--journal", "--output-dir"].includes(word)) {
      throw new Refusal(`${word} is an option of the command upright, which this program does not have`);
    } else if (flags.has(word)) parsed.options[camel(word)] = "true";
    else if (word.startsWith("--")) parsed.options[camel(word)] = value(word);
    else parsed.files.push(word);
  }
  const needsFiles = command !== "undo" || !parsed.record;
  if (!["audit", "normalize", "undo"].includes(command) || (needsFiles && parsed.files.length === 0)) throw new Refusal(usage);
  if (command === "undo" && !parsed.record) throw new Refusal("undo needs --record FILE");
  if (parsed.output && (command !== "normalize" || parsed.files.length !== 1)) throw new Refusal("-o takes one photo");
  if (parsed.output && parsed.record) throw new Refusal("--record is for photos that are replaced, not for -o");
  return parsed;
}

const flags = new Set(["--lossless-only", "--require-undo", "--check-unchanged"]);
const camel = (option) => option.slice(2).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

// MARK: - Files

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Reads a photo that may be replaced: its own path, its bytes and its status. */
async function photo(given) {
  const path = await realpath(given);
  const before = await stat(path, { bigint: true });
  if (before.isDirectory()) throw new Refusal("is a folder: name the photos in it");
  if (!before.isFile()) throw new Refusal("is not a file");
  return { path, before, bytes: await readFile(path) };
}

/** Refuses a photo that cannot be replaced here as the command would replace it. */
async function check({ path, before }) {
  if (before.nlink > 1n) throw new Refusal("has several hard links, which would not all be changed");
  // A rename would need only the folder, but read-only is a word of the owner.
  if ((before.mode & 0o222n) === 0n) throw new Refusal("is read-only");
  const stem = basename(path, extname(path)).toLowerCase();
  const companions = [`${basename(path).toLowerCase()}.xmp`, `${stem}.xmp`, `${stem}.aae`, ".picasa.ini", "picasa.ini",
    ...[".jgw", ".jpgw", ".jpw", ".jpegw", ".wld"].map((ending) => stem + ending)];
  const found = (await readdir(dirname(path))).find((name) => companions.includes(name.toLowerCase()));
  if (found) throw new Refusal(`the file ${found} describes the stored image, and only the command upright can update it`);
}

/** Replaces a file: never a moment without it, and on the disk before this returns. `time` is the new modification time. */
async function replace({ path, before }, bytes, time) {
  const temporary = join(dirname(path), `.upright-${randomBytes(6).toString("hex")}`);
  try {
    // The copy has the mode, and on macOS and Windows the attributes.
    await copyFile(path, temporary, constants.COPYFILE_EXCL);
    await write(temporary, bytes, "r+");
    if (time !== null) await utimes(temporary, Number(before.atimeNs) / 1e9, time);
    const now = await lstat(path, { bigint: true });
    for (const field of ["ino", "size", "mtimeNs", "ctimeNs"]) {
      if (now[field] !== before[field]) throw new Refusal("changed while it was processed; it was not replaced");
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(path);
}

async function write(path, bytes, flags) {
  const file = await open(path, flags);
  try {
    await file.truncate(0);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a file that is there as a whole or not at all. */
async function create(path, bytes) {
  await write(path, new Uint8Array(), "wx");
  try {
    await write(path, bytes, "r+");
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  }
}

/** Windows has no such call. */
async function syncFolder(path) {
  const folder = await open(dirname(path)).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

// MARK: - Records (docs/record-format.md, section 1)

const schema = "upright-record/1";

/** The preset dictionary: the four example Huffman tables of T.81, Annex K.3, as DHT segments. */
const dictionary = (() => {
  const ac = (list) => Buffer.from(list.replace(/\s/g, ""), "hex");
  const numbers = Uint8Array.from({ length: 12 }, (_, index) => index);
  const table = (id, counts, symbols) => {
    const body = Buffer.concat([Buffer.from([id]), Buffer.from(counts, "hex"), symbols]);
    return Buffer.concat([Buffer.from([0xFF, 0xC4, 0, body.length + 2]), body]);
  };
  return Buffer.concat([
    table(0x00, "00010501010101010100000000000000", numbers),
    table(0x10, "0002010303020403050504040000017d", ac(`
      0102030004110512213141061351610722711432 8191a1082342b1c11552d1f02433627282090a16 1718191a25262728292a3435363738393a434445
      464748494a535455565758595a63646566676869 6a737475767778797a838485868788898a929394 95969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6
      b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8 d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8 f9fa`)),
    table(0x01, "00030101010101010101010000000000", numbers),
    table(0x11, "00020102040403040705040400010277", ac(`
      0001020311040521310612415107617113223281 08144291a1b1c109233352f0156272d10a162434 e125f11718191a262728292a35363738393a4344
      45464748494a535455565758595a636465666768 696a737475767778797a82838485868788898a92 939495969798999aa2a3a4a5a6a7a8a9aab2b3b4
      b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6 d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8 f9fa`)),
  ]);
})();

/** A line with its checksum. */
function line(fields) {
  const text = JSON.stringify(fields);
  return `${text.slice(0, -1)},"check":"${sha256(text).slice(0, 16)}"}\n`;
}

/** Appends the record of a rewrite, and waits until it is on the disk. */
async function append(file, { path, before, bytes }, result, tool) {
  const record = {
    schema, tool, date: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    action: "transformed", transform: result.report.transform, path,
    before: { size: bytes.length, sha256: sha256(bytes), modified: timeText(before.mtimeNs) },
    after: { size: result.bytes.length, sha256: sha256(result.bytes) },
    undo: result.undo && deflateSync(result.undo, { level: 9, dictionary }).toString("base64"),
  };
  if (!record.undo) delete record.undo;
  if (!record.transform) [record.action, record.transform] = ["reset", undefined];
  // It holds old metadata, so it is for its owner alone.
  const log = await open(file, "a+", 0o600);
  try {
    const { size } = await log.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await log.read(last, 0, 1, size - 1);
    // A run that was killed may have left a part of a line.
    await log.writeFile((size > 0 && last[0] !== 0x0A ? "\n" : "") + line(record));
    await log.sync();
    if (size === 0) await syncFolder(resolve(file));
  } finally {
    await log.close();
  }
}

const timeText = (ns) => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, "0")}`;

/** The records of a file, in the order of time; damaged lines are left out. */
async function records(file) {
  const bytes = await readFile(file);
  if (bytes[0] === 0x1F) throw new Refusal("is a packed record file, which only the command upright reads");
  const [bases, found] = [new Map(), []];
  for (const text of bytes.toString("utf8").split("\n")) {
    const end = text.match(/,"check":"([0-9a-f]{16})"\}$/);
    if (!end || sha256(`${text.slice(0, -28)}}`).slice(0, 16) !== end[1]) continue;
    const record = JSON.parse(text);
    if (record.schema !== schema) continue;
    if (!("path" in record)) bases.set(end[1], record.base);
    else found.push({ ...record, place: placeOf(record, bases), order: found.length });
  }
  return found.sort((a, b) => (a.date ?? "").localeCompare(b.date ?? "") || a.order - b.order);
}

/** Where the result of a record was written; null if it is not known here. */
function placeOf({ path, output = path, base }, bases) {
  if (typeof output !== "string" || output === "-") return null;
  if (isAbsolute(output)) return resolve(output);
  const folder = bases.get(base);
  return typeof folder === "string" ? resolve(folder, output) : null;
}

/** Restores the original of a photo through all rewrites at its place; null if no record is of it. */
async function original(list, { path, bytes }) {
  let [hash, end, restored, last] = [sha256(bytes), Infinity, bytes, null];
  for (;;) {
    const own = list.map((record, index) => ({ record, index }))
      .filter(({ record, index }) => index < end && record.place === path && record.after.sha256 === hash);
    if (own.length === 0) return last && { bytes: restored, modified: last.before.modified };
    if (new Set(own.map(({ record }) => record.before.sha256)).size > 1) throw new Refusal("has several originals in the record");
    const { record, index } = own[own.length - 1];
    if (!record.undo) throw new Refusal("has no undo data in the record");
    const data = inflateSync(Buffer.from(record.undo, "base64"), { dictionary });
    restored = Buffer.from((await undo(restored, data)).bytes);
    hash = sha256(restored);
    if (hash !== record.before.sha256) throw new Refusal("is not restored: the record does not lead to the recorded original");
    [end, last] = [index, record];
  }
}

// MARK: - Commands

/** What became of a photo, as text. */
function outcome({ status, transform, lossless, reason, orientation }) {
  if (status === "skipped" || status === "failed") return `${status}: ${reason?.text ?? ""}`;
  const details = [transform, lossless === true ? "lossless" : lossless === false ? "re-encoded in part" : null, orientation && `Orientation ${orientation}`];
  const text = details.filter(Boolean).join(", ");
  return text ? `${status} (${text})` : status;
}

async function handle(given, { command, options, record, output, list, tool }) {
  const file = await photo(given);
  if (command === "undo") {
    const restored = await original(list, file);
    if (!restored) return [0, "unchanged: the record has no rewrite of it"];
    await check(file);
    await replace(file, restored.bytes, restored.modified === undefined ? null : Number(restored.modified));
    return [0, "restored, byte for byte"];
  }
  const result = await (command === "audit" ? audit : normalize)(file.bytes, { ...options, path: given });
  const status = result.report.status === "skipped" ? 1 : 0;
  if (command === "audit") return [status, outcome(result.report)];
  if (output) {
    await create(output, result.bytes);
    return [status, `${outcome(result.report)} → ${output}`];
  }
  if (!result.changed) return [status, outcome(result.report)];
  await check(file);
  if (record) await append(record, file, result, tool);
  // Synchronization tools look at size and time only.
  const time = result.bytes.length === file.bytes.length ? null : Number(file.before.mtimeNs) / 1e9;
  await replace(file, result.bytes, time);
  return [status, outcome(result.report)];
}

async function main() {
  const given = process.argv.slice(2);
  if (given[0] === "--version") return console.log(await version());
  if (["-h", "--help"].includes(given[0])) return console.log(usage);
  const work = { ...parse(given), tool: `upright ${await version()}` };
  if (work.command === "undo") {
    work.list = await records(work.record);
    if (work.files.length === 0) work.files = [...new Set(work.list.map(({ place }) => place).filter(Boolean))];
  }
  for (const file of work.files) {
    try {
      const [status, text] = await handle(file, work);
      process.exitCode = Math.max(process.exitCode ?? 0, status);
      console.log(`${file}: ${text}`);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      process.exitCode = Math.max(process.exitCode ?? 0, isRefused ? 1 : 2);
      console.error(`${file}: ${isRefused ? `skipped: ${error.message}` : `error: ${error.message}`}`);
    }
  }
}

main().catch((error) => {
  console.error(error instanceof Refusal ? error.message : `upright-jpeg: ${error.message}`);
  process.exitCode = error instanceof Refusal ? 64 : 2;
});
