// Tests of the npm package as Node has it; UPRIGHT_PACKAGE is the unpacked package's folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { askQuestions } from "./questions.mjs";

const folder = process.env.UPRIGHT_PACKAGE;
const fixtures = new URL("../../../fixtures/", import.meta.url);
const upright = await import(pathToFileURL(join(folder, "upright.js")));
const { Pool } = await import(pathToFileURL(join(folder, "pool.js")));
const { normalize, plan, audit, rotate, flip, crop, undo, load, UprightError } = upright;

const read = (name) => new Uint8Array(readFileSync(new URL(name, fixtures)));
const photo = read("sample/portrait.jpg");
const codeOf = (promise) => promise.then(() => null, (error) => {
  assert.ok(error instanceof UprightError, `${error?.stack}`);
  return error.code;
});

test("A photo is normalized, and its undo data restores the original", async () => {
  const result = await normalize(photo);
  assert.equal(result.changed, true);
  assert.equal(result.report.transform, "rotate-90");
  assert.equal(result.report.restorable, true);
  assert.deepEqual((await undo(result.bytes, result.undo)).bytes, photo);
  const again = await normalize(result.bytes);
  assert.equal(again.changed, false);
  assert.deepEqual(again.bytes, result.bytes);
  assert.equal(again.report.reason.id, "upright");
});

test("Photos can be a File, Blob, ArrayBuffer, Buffer or Uint8Array", async () => {
  const { bytes } = await normalize(photo);
  const wide = new Uint8Array(photo.length + 20);
  wide.set(photo, 7);
  const sources = [new Blob([photo]), photo.buffer.slice(photo.byteOffset, photo.byteOffset + photo.length),
    Buffer.from(photo), wide.subarray(7, 7 + photo.length), new DataView(wide.buffer, 7, photo.length)];
  for (const source of sources) assert.deepEqual((await normalize(source)).bytes, bytes);
  const named = Object.assign(new Blob([photo]), { name: "IMG_1.jpg" });
  assert.equal((await normalize(named)).report.path, "IMG_1.jpg");
  await assert.rejects(normalize("photo.jpg"), TypeError);
  const foreign = runInNewContext("(bytes) => Uint8Array.from(bytes).buffer")(photo);
  assert.deepEqual((await normalize(foreign)).bytes, bytes);
});

test("Plans and audits report without a new file", async () => {
  assert.equal((await plan(photo)).report.status, "planned");
  assert.equal((await audit(photo)).report.facts.exifOrientation, 6);
});

test("Rotations, flips and crops are those that were asked for", async () => {
  assert.equal((await rotate(photo, 180)).report.displayTransform, "rotate-180");
  assert.equal((await flip(photo, "vertical")).report.displayTransform, "flip-vertical");
  const { report } = await crop(photo, { x: 40, y: 60, width: 200, height: 150 });
  assert.deepEqual(report.crop.result, { x: 32, y: 48, width: 208, height: 162 });
  // The module cannot make a new thumbnail, and the old one shows what was cut away.
  assert.match(report.notes.map(({ text }) => text).join(), /thumbnail is removed .*; a new one cannot be made/);
  assert.equal((await rotate(photo, 90, { dryRun: true })).changed, false);
  assert.equal(await codeOf(rotate(photo, 45)), "argument");
  for (const degrees of [2 ** 32 + 90, 90.5, "90", [90], NaN, undefined]) await assert.rejects(rotate(photo, degrees), TypeError);
  assert.equal(await codeOf(flip(photo, "sideways")), "argument");
  await assert.rejects(crop(photo, { x: 0.5, y: 0, width: 10, height: 10 }), TypeError);
});

test("Options have the names of the command's options, and unknown ones are errors", async () => {
  const stale = read("conflict/dimensions-tag-6.jpg");
  assert.equal((await normalize(stale)).report.reason.id, "conflict");
  assert.equal((await normalize(stale, { onConflict: "reset-tag" })).changed, true);
  assert.equal(await codeOf(normalize(photo, { onConflict: "maybe" })), "unknown-value");
  assert.equal(await codeOf(normalize(photo, { quality: 90 })), "unknown-option");
  const messageOf = (options) => normalize(photo, options).catch((error) => error.message);
  assert.equal(await messageOf({ onConflict: "trust" }),
    "onConflict must be one of skip, trust-tag, reset-tag; did you mean trust-tag?");
  assert.equal(await messageOf({ "on-conflict": "skip" }), "this function has no option on-conflict; did you mean onConflict?");
  assert.equal(await messageOf({ maxPixels: -1 }), "maxPixels must be a whole number from 0 to 9223372036854775807");
  assert.equal(await codeOf(normalize(photo, { timeLimit: 5 })), "unknown-option");
  assert.equal(await codeOf(normalize(photo, { maxBytes: 100 })), "limit");
  await assert.rejects(normalize(photo, { path: "a\0b" }), /path has a NUL character/);
  await assert.rejects(normalize(photo, { "onConflict\0": "trust-tag" }), TypeError);
});

test("A damaged file is an error with its code, its message and its offset", async () => {
  const error = await normalize(photo.subarray(0, photo.length - 4000)).catch((error) => error);
  assert.ok(error instanceof UprightError);
  assert.equal(error.code, "truncated");
  assert.match(error.message, /EOI/);
  assert.ok(error.offset > 0);
  assert.equal(error.report.error.id, "truncated");
  assert.equal(await codeOf(normalize(new Uint8Array())), "empty");
  assert.equal(await codeOf(normalize(new TextEncoder().encode("GIF89a"))), "not-jpeg");
});

test("Numbers of a file are reported as they are, also where they need more than 31 bits", async () => {
  for (const number of [2 ** 29, 2 ** 31, 2 ** 32 - 1]) {
    const file = Buffer.from(photo);
    // PixelXDimension and Orientation, as LONG.
    file.writeUInt32LE(number, file.indexOf("02a0040001000000", "hex") + 8);
    const { report } = await normalize(file);
    assert.equal(report.changes.find(({ field }) => field === "exif.exif.pixel-x-dimension").old, `${number}`);
    const tag = file.indexOf("1201030001000000", "hex");
    file.writeUInt16LE(4, tag + 2);
    file.writeUInt32LE(number, tag + 8);
    const { facts, reason } = (await audit(file)).report;
    assert.equal(facts.exifOrientation, number);
    assert.match(reason.text, new RegExp(`^Orientation is ${number};`));
  }
});

test("Running out of memory is an error, and the next photo is processed", async () => {
  await load(undefined, { maxMemory: 4 << 20 });
  assert.equal(await codeOf(normalize(new Uint8Array(5 << 20))), "out-of-memory");
  const large = read("sample/portrait.jpg");
  assert.equal((await normalize(large)).changed, true);
  await load(undefined, { maxMemory: 1 << 30 });
});

test("Memory is released", async () => {
  await load(undefined, { keptMemory: 8 << 20 });
  await codeOf(normalize(new Uint8Array(100 << 20)));
  assert.equal(upright.heldMemory(), 0);
  for (let count = 0; count < 300; count += 1) await normalize(photo);
  assert.ok(upright.heldMemory() <= 8 << 20, `${upright.heldMemory()} bytes`);
  await load(undefined, { keptMemory: 64 << 20 });
});

test("Workers give the same results, and can be cancelled", async () => {
  const pool = new Pool({ size: 2 });
  const expected = (await normalize(photo)).bytes;
  const results = await Promise.all(Array.from({ length: 6 }, () => pool.normalize(photo)));
  for (const { bytes } of results) assert.deepEqual(bytes, expected);
  assert.equal(await codeOf(pool.normalize(photo.subarray(0, 5000))), "truncated");
  assert.equal(await codeOf(pool.normalize(photo, { signal: AbortSignal.abort() })), "cancelled");
  await assert.rejects(pool.normalize(photo, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const controller = new AbortController();
  const ended = codeOf(pool.normalize(photo, { signal: controller.signal }));
  controller.abort();
  assert.equal(await ended, "cancelled");
  assert.equal(await codeOf(pool.normalize(photo, { timeLimit: 0 })), "time-limit");
  assert.deepEqual((await pool.rotate(photo, 90)).bytes, (await rotate(photo, 90)).bytes);
  const waiting = codeOf(pool.normalize(photo));
  pool.close();
  assert.equal(await waiting, "cancelled");
  assert.equal(await codeOf(pool.normalize(photo)), "cancelled");
});

test("Every answer of a pool belongs to its question, whatever is cancelled while the thread is busy", async (t) => {
  const pool = new Pool({ size: 3 });
  const photos = ["orientation/aligned-6.jpg", "orientation/aligned-3.jpg", "orientation/unaligned-6.jpg",
    "orientation/aligned-1.jpg", "bad/garbled-scan.jpg"].map(read);
  const count = Number(process.env.UPRIGHT_QUESTIONS ?? 400);
  const { counts, wrong } = await askQuestions(upright, pool, photos, { count });
  pool.close();
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(wrong, []);
  for (const [kind, number] of Object.entries(counts)) assert.ok(number > count / 100, `${kind}: ${number}`);
});

test("A worker that ends is an error of its call, and the next call gets another worker", async () => {
  const workers = [];
  const worker = () => {
    workers.push(new Worker(pathToFileURL(join(folder, "worker.js"))));
    return workers.at(-1);
  };
  const pool = new Pool({ size: 1, worker });
  const ended = codeOf(pool.normalize(photo));
  while (workers.length === 0) await new Promise(setImmediate);
  workers[0].terminate();
  assert.equal(await ended, "internal");
  assert.equal((await pool.normalize(photo)).changed, true);
  await workers[1].terminate();
  assert.equal((await pool.normalize(photo)).changed, true);
  pool.close();
  const broken = new Pool({ size: 1, worker: () => new Worker("throw undefined", { eval: true }) });
  assert.equal(await codeOf(broken.normalize(photo)), "internal");
  broken.close();
});

test("A worker of Deno or Electron has the versions of Node, and messages as browsers have them", () => {
  const program = `
    globalThis.WorkerGlobalScope = Object;
    globalThis.postMessage = ({ id, result }) => console.log(id, result.report.status);
    await import(process.argv[1]);
    const { readFileSync } = await import("node:fs");
    onmessage({ data: { id: 7, name: "plan", values: [readFileSync(process.argv[2]), {}] } });`;
  const words = [pathToFileURL(join(folder, "worker.js")), new URL("sample/portrait.jpg", fixtures).pathname];
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", program, ...words], { encoding: "utf8" }), "7 planned\n");
});

test("A pool has at least one worker", () => {
  for (const size of [0, -1, 1.5, NaN, Infinity, "2", null]) assert.throws(() => new Pool({ size }), RangeError);
});

test("A time limit is a duration, however long", async () => {
  const pool = new Pool({ size: 1 });
  for (const timeLimit of [Infinity, 2 ** 31, 1e300, 60_000]) {
    assert.equal((await pool.normalize(photo, { timeLimit })).changed, true);
  }
  for (const timeLimit of [NaN, -1, "5", null]) {
    assert.equal(await codeOf(pool.normalize(photo, { timeLimit })), "unknown-value");
  }
  pool.close();
});

test("Workers take shared memory, and throw what the functions throw", async () => {
  const pool = new Pool({ size: 1 });
  const shared = (bytes) => {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  const { bytes } = await normalize(photo);
  assert.deepEqual((await pool.normalize(shared(photo))).bytes, bytes);
  const unchanged = await pool.normalize(shared(bytes));
  assert.equal(unchanged.changed, false);
  assert.deepEqual(Uint8Array.from(unchanged.bytes), bytes);
  await assert.rejects(pool.crop(photo, { x: 0.5, y: 0, width: 10, height: 10 }), TypeError);
  await assert.rejects(pool.normalize("photo.jpg"), TypeError);
  assert.equal(await codeOf(pool.rotate(photo, 45)), "argument");
  pool.close();
  const starved = new Pool({ size: 1, maxMemory: -1 });
  await assert.rejects(starved.normalize(photo), RangeError);
  starved.close();
});

test("A lack of memory is reported with the limit", async () => {
  await load(undefined, { maxMemory: 2 ** 31 });
  await assert.rejects(normalize(new Uint8Array(3 * 2 ** 30)), /not enough memory \(2048 MiB\)/);
  await load(undefined, { maxMemory: 1 << 30 });
  assert.throws(() => load(undefined, { maxMemory: NaN }), RangeError);
});

/** Numbers that are the same on every run (xorshift32). */
function* numbers(seed) {
  let state = seed;
  while (true) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

function mutated(file, random) {
  const bytes = Uint8Array.from(file);
  const below = (limit) => random.next().value % limit;
  switch (below(4)) {
    case 0: return bytes.subarray(0, below(bytes.length));
    case 1: {
      const start = below(bytes.length);
      bytes.copyWithin(below(bytes.length), start, start + below(64));
      return bytes;
    }
    default:
      for (let count = 1 + below(8); count > 0; count -= 1) {
        // Mostly in the header, where lengths and offsets are.
        const place = below(4) > 0 ? below(Math.min(1500, bytes.length)) : below(bytes.length);
        bytes[place] = below(3) === 0 ? 0xFF : below(256);
      }
      return bytes;
  }
}

test("Mutated files end as results or as errors, in bounded memory", async () => {
  await load(undefined, { maxMemory: 256 << 20 });
  const files = readdirSync(fixtures, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jpe?g$/i.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => file.length > 0 && file.length < 40_000);
  const random = numbers(0x2545F491);
  const count = Number(process.env.UPRIGHT_MUTATIONS ?? 2000);
  const traps = [];
  let changed = 0;
  for (let index = 0; index < count; index += 1) {
    const file = mutated(files[index % files.length], random);
    try {
      const result = await normalize(file, { onConflict: "trust-tag", contentCredentials: "keep" });
      if (result.undo) assert.deepEqual((await undo(result.bytes, result.undo)).bytes, Uint8Array.from(file));
      if (result.changed) changed += 1;
    } catch (error) {
      if (!(error instanceof UprightError)) throw error;
      if (error.code === "internal") traps.push(`${index}: ${error.cause?.stack}`);
    }
    assert.ok(upright.heldMemory() <= 256 << 20);
  }
  assert.ok(changed > count / 20, `${changed} changed`);
  assert.deepEqual(traps, []);
});
