// Makes JPEG photos upright, losslessly, in a browser or in Node.
//
//     import { normalize } from "upright-jpeg";
//     const { bytes, report } = await normalize(file);
//
// upright.d.ts documents every function. upright.wasm does the work.
import { nodeModule } from "./node.js";

/** A file could not be processed. */
export class UprightError extends Error {
  constructor(code, message, offset = null, report = null, cause = undefined) {
    super(message, { cause });
    this.name = "UprightError";
    this.code = code;
    this.offset = offset;
    this.report = report;
  }
}

let crypto = globalThis.crypto;
const pageSize = 65536;
const limits = { maxMemory: 1 << 30, keptMemory: 64 << 20 };
let compiled = null;

/** Compiles upright.wasm; the functions call this themselves if it is beside this file. */
export function load(source, { maxMemory, keptMemory } = {}) {
  for (const [name, value] of Object.entries({ maxMemory, keptMemory })) {
    if (value !== undefined && !(value >= 0)) throw new RangeError(`${name} must be a number of bytes, not ${value}`);
  }
  if (maxMemory !== undefined) limits.maxMemory = maxMemory;
  if (keptMemory !== undefined) limits.keptMemory = keptMemory;
  // The limit of an existing memory cannot be changed.
  if (source !== undefined || maxMemory !== undefined) instance = null;
  if (source !== undefined || !compiled) {
    compiled = compile(source);
    // The next call tries again; this promise still rejects for those who await it.
    compiled.catch(() => { compiled = null; });
  }
  return compiled;
}

async function compile(source) {
  // Node 18 has it only in a module.
  crypto ??= (await nodeModule("crypto")).webcrypto;
  if (source === undefined) source = new URL("upright.wasm", import.meta.url);
  source = await source;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string") source = new URL(source, import.meta.url);
  if (source instanceof URL && source.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await nodeModule("fs/promises");
    source = await readFile(source);
  }
  if (source instanceof URL) source = await fetch(source);
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`upright.wasm: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(source);
}

/** An instance of the module: its memory and its functions. */
class Instance {
  constructor(module) {
    this.memory = new WebAssembly.Memory({ initial: initialPages(module), maximum: maximumPages() });
    const { exports } = new WebAssembly.Instance(module, {
      env: { memory: this.memory },
      upright: {
        random: (address, count) => {
          crypto.getRandomValues(new Uint8Array(this.memory.buffer, address, count));
        },
        outOfMemory: () => { throw outOfMemory(); },
      },
    });
    this.exports = exports;
    this.blocks = [];
  }

  /** Allocates memory until the end of the call. */
  allocate(size) {
    // WebAssembly takes a size modulo 2 ** 32.
    const address = size <= 0xFFFFFFFF ? this.exports.malloc(Math.max(size, 1)) >>> 0 : 0;
    if (address === 0) throw outOfMemory();
    this.blocks.push(address);
    return address;
  }

  bytes(content) {
    const address = this.allocate(content.length);
    new Uint8Array(this.memory.buffer).set(content, address);
    return address;
  }

  /** A NULL-terminated array of C strings. */
  strings(words) {
    const addresses = words.map((word) => this.bytes(encoder.encode(`${word}\0`)));
    const array = this.allocate(4 * (addresses.length + 1));
    const view = new DataView(this.memory.buffer);
    addresses.forEach((address, index) => view.setUint32(array + 4 * index, address, true));
    view.setUint32(array + 4 * addresses.length, 0, true);
    return array;
  }

  rectangle(values) {
    const address = this.allocate(32);
    const view = new DataView(this.memory.buffer);
    values.forEach((value, index) => view.setBigInt64(address + 8 * index, BigInt(value), true));
    return address;
  }

  string(pointer) {
    // WebAssembly's integers have signs: addresses from 2 GiB on arrive as negative numbers.
    const address = pointer >>> 0;
    if (address === 0) return null;
    const memory = new Uint8Array(this.memory.buffer);
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  /** A copy of bytes that belong to a result; null if it has none. */
  lent(accessor, result) {
    const size = this.allocate(4);
    const address = accessor(result, size) >>> 0;
    if (address === 0) return null;
    const count = new DataView(this.memory.buffer).getUint32(size, true);
    return new Uint8Array(this.memory.buffer).slice(address, address + count);
  }

  free() {
    for (const block of this.blocks) this.exports.free(block);
    this.blocks = [];
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let instance = null;

/** The minimum number of pages for the data and the stack of the module. */
function initialPages(module) {
  const [memory] = WebAssembly.Module.imports(module).filter(({ kind }) => kind === "memory");
  // Engines that do not give the types of imports: 4 MiB are more than the module needs.
  return memory?.type?.minimum ?? 64;
}

function maximumPages() {
  return Math.max(64, Math.min(65535, Math.floor(limits.maxMemory / pageSize)));
}

function outOfMemory() {
  return new UprightError("out-of-memory", `there is not enough memory (${Math.round(maximumPages() / 16)} MiB)`);
}

/** The bytes of a source. */
async function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  // That of another realm, such as a frame or a test environment, is no instance of the class here.
  if (Object.prototype.toString.call(source) === "[object ArrayBuffer]") return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (typeof source?.arrayBuffer === "function") return new Uint8Array(await source.arrayBuffer());
  throw new TypeError("expected a File, a Blob, an ArrayBuffer or a Uint8Array");
}

/** Options as the module takes them: their spelling, then names, and values as text. */
function words(source, given) {
  const all = { path: typeof source?.name === "string" ? source.name : undefined, ...given };
  const list = ["spelling", "camel"];
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    if (name === "signal" || name === "timeLimit") {
      throw new UprightError("unknown-option", `${name} is an option of a Pool: only work in a worker can be cancelled`);
    }
    const text = String(value);
    if (`${name}${text}`.includes("\0")) throw new TypeError(`${name.replaceAll("\0", "")} has a NUL character`);
    list.push(name, text);
  }
  return list;
}

async function run(source, given, work) {
  const [module, file] = await Promise.all([load(), bytesOf(source)]);
  return call(module, file, words(source, given), work);
}

/** Calls the module, frees its memory, and makes every error an UprightError. */
function call(module, file, list, work) {
  try {
    instance ??= new Instance(module);
    const { exports } = instance;
    const result = work(instance, instance.bytes(file), file.length, instance.strings(list));
    try {
      return read(instance, result, file);
    } finally {
      if (instance) exports.upright_result_free(result);
    }
  } catch (error) {
    if (error instanceof UprightError && error.code !== "out-of-memory") throw error;
    // After a trap, the state of an instance is unknown.
    instance = null;
    if (error instanceof UprightError) throw error;
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      throw new UprightError("internal", `the module stopped: ${error.message}`, null, null, error);
    }
    throw error;
  } finally {
    instance?.free();
    if (instance && instance.memory.buffer.byteLength > limits.keptMemory) instance = null;
  }
}

/** Gives a remedy the names of this package's options. */
function spell(remedy) {
  for (const kind of ["policy", "limit"]) {
    if (kind in remedy) remedy[kind] = remedy[kind].replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
  }
}

function read(instance, result, file) {
  const { exports } = instance;
  const line = instance.string(exports.upright_result_report(result));
  const report = JSON.parse(line);
  const parts = [report.reason, report.error, ...(report.notes ?? []), ...(report.findings ?? [])];
  for (const part of parts) part?.remedies?.forEach(spell);
  const code = instance.string(exports.upright_result_error_code(result));
  if (code !== null) {
    const offset = Number(exports.upright_result_error_offset(result));
    const message = instance.string(exports.upright_result_error_message(result));
    throw new UprightError(code, message, offset < 0 ? null : offset, report);
  }
  const bytes = instance.lent(exports.upright_result_bytes, result);
  const undo = instance.lent(exports.upright_result_undo, result);
  return { bytes: bytes ?? file, changed: bytes !== null, undo, report, line };
}

/** Normalizes the orientation of a photo. */
export function normalize(source, options = {}) {
  return run(source, options, ({ exports }, data, size, words) =>
    exports.upright_normalize(data, size, words, 0));
}

/** Reports what normalize would do, from the header. */
export async function plan(source, options = {}) {
  const { report, line } = await run(source, options, ({ exports }, data, size, words) =>
    exports.upright_plan(data, size, words, 0));
  return { report, line };
}

/** Reports what normalize would do, and what is in the file. */
export async function audit(source, options = {}) {
  const { report, line } = await run(source, options, ({ exports }, data, size, words) =>
    exports.upright_audit(data, size, words, 0));
  return { report, line };
}

/** Rotates the displayed image clockwise. */
export async function rotate(source, degrees, options = {}) {
  // WebAssembly would take 2 ** 32 + 90 for 90.
  if ((degrees | 0) !== degrees) throw new TypeError("degrees must be 90, 180 or 270");
  return run(source, options, ({ exports }, data, size, words) =>
    exports.upright_rotate(data, size, degrees, words, 0));
}

const axes = ["horizontal", "vertical", "transpose", "transverse"];

/** Flips the displayed image. */
export function flip(source, axis, options = {}) {
  return run(source, options, ({ exports }, data, size, words) =>
    exports.upright_flip(data, size, axes.indexOf(axis), words, 0));
}

/** Crops the displayed image to a rectangle. */
export async function crop(source, { x, y, width, height }, options = {}) {
  const values = [x, y, width, height];
  if (!values.every(Number.isSafeInteger)) throw new TypeError("x, y, width and height must be integers");
  return run(source, options, (instance, data, size, words) =>
    instance.exports.upright_crop(data, size, instance.rectangle(values), words, 0));
}

/** Restores an original from a result and its undo data. */
export async function undo(source, data, options = {}) {
  const record = await bytesOf(data);
  return run(source, options, (instance, file, size, words) =>
    instance.exports.upright_undo(file, size, instance.bytes(record), record.length, words, 0));
}

/** The number of bytes of memory that the module holds for the next call. */
export function heldMemory() {
  return instance?.memory.buffer.byteLength ?? 0;
}

/** The version of Upright in the module. */
export function version() {
  return textOf("upright_version");
}

async function textOf(name) {
  const module = await load();
  instance ??= new Instance(module);
  return instance.string(instance.exports[name]());
}
