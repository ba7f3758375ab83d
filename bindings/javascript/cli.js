#!/usr/bin/env node
// The program of the npm package: for computers on which the command `upright` does not run. README.md describes it.
import { check, create, owner, photo, replace } from "./cli/files.js";
import { History, restored } from "./cli/history.js";
import { append, read, sha256, timeOf } from "./cli/records.js";
import { Refusal } from "./cli/refusal.js";
import { audit, normalize, version } from "./upright.js";

const usage = `usage: upright-jpeg audit PHOTO…
       upright-jpeg normalize [--record FILE] [--OPTION VALUE]… PHOTO…
       upright-jpeg normalize PHOTO -o FILE
       upright-jpeg undo --record FILE [PHOTO…]
Photos are replaced atomically. --record keeps what undo needs; without it, no original can be restored.
Options are those of the command \`upright\` and have its values, such as --on-conflict trust-tag.
Not here: folders, sidecars, HEIF conversion, extended attributes on Linux. Statuses: 1 a photo was skipped, 2 one failed.`;

// MARK: - Arguments

function parse([command, ...rest]) {
  const parsed = { command, files: [], options: {}, record: null, output: null };
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === "--") parsed.files.push(...rest.splice(0));
    else if (word.startsWith("-")) takeOption(parsed, word, rest);
    else parsed.files.push(word);
  }
  const needsFiles = command !== "undo" || !parsed.record;
  if (!["audit", "normalize", "undo"].includes(command) || (needsFiles && parsed.files.length === 0)) throw new Refusal(usage);
  if (command === "undo" && !parsed.record) throw new Refusal("undo needs --record FILE");
  if (parsed.record && command === "audit") throw new Refusal("audit writes no record");
  if (parsed.output && (command !== "normalize" || parsed.files.length !== 1)) throw new Refusal("-o takes one photo");
  if (parsed.output && parsed.record) throw new Refusal("--record is for photos that are replaced, not for -o");
  return parsed;
}

function takeOption(parsed, word, rest) {
  const [, name, joined] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [null, word, undefined];
  if (flags.has(name) && joined === undefined) {
    parsed.options[camel(name)] = "true";
    return;
  }
  if (!["-o", "--record"].includes(name) && (!name.startsWith("--") || foreign.has(name))) {
    throw new Refusal(`${name} is not an option of this program${name === "-" ? ", which does not read standard input" : ""}; a file is named ./${name}`);
  }
  const value = joined ?? rest.shift();
  // Without the value, as of a variable that is not set, photos would be replaced that were to be kept.
  if (!value) throw new Refusal(`${name} needs a value`);
  if (name === "-o") parsed.output = value;
  else if (name === "--record") parsed.record = value;
  else parsed.options[camel(name)] = value;
}

const flags = new Set(["--lossless-only", "--strict-orientation", "--reset-invalid", "--require-undo", "--check-unchanged"]);
const foreign = new Set(["--recursive", "--sidecars", "--journal", "--output-dir", "--dry-run", "--embed-undo", "--overwrite"]);
const camel = (option) => option.slice(2).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

// MARK: - Commands

/** What became of a photo, as text. */
function outcome({ status, transform, edges, reason, orientation }) {
  if (status === "skipped" || status === "failed") return `${status}: ${reason?.text ?? ""}`;
  const text = [transform, transform && edges, orientation && `Orientation ${orientation}`].filter(Boolean).join(", ");
  return text ? `${status} (${text})` : status;
}

async function handle(given, work) {
  const file = await photo(given);
  return work.command === "undo" ? restore(file, work.history) : rewrite(given, file, work);
}

async function rewrite(given, file, { command, options, record, output, tool }) {
  const result = await (command === "audit" ? audit : normalize)(file.bytes, { ...options, path: given });
  const status = result.report.status === "skipped" ? 1 : 0;
  if (command === "audit") return [status, outcome(result.report)];
  if (output) {
    await create(output, result.bytes, file.before);
    return [status, `${outcome(result.report)} → ${output}`];
  }
  if (!result.changed) return [status, outcome(result.report)];
  await check(file);
  if (record) await append(record, file, result, tool);
  // Synchronization tools look at size and time only.
  await replace(file, result.bytes, result.bytes.length === file.bytes.length ? null : file.before.mtimeNs);
  return [status, outcome(result.report)];
}

/** Restores the first original of a photo, through all rewrites at its place. */
async function restore(file, history) {
  const chain = await history.of(sha256(file.bytes), file.places);
  if (!chain) return [1, "skipped: the record has no rewrite of it at this place"];
  if (chain.length === 0) return [0, "unchanged: it is the original"];
  const bytes = await restored(file.bytes, chain);
  await check(file);
  await replace(file, bytes, timeOf(chain.at(-1).before.modified));
  return [0, "restored, byte for byte"];
}

// MARK: - Output

function raise(status) {
  process.exitCode = Math.max(process.exitCode ?? 0, status);
}

/** Prints a line. The work goes on if nobody reads it. */
function print(text) {
  process.stdout.write(`${text}\n`);
}

let isIncomplete = false;
process.stdout.on("error", (error) => {
  if (error.code === "EPIPE" || isIncomplete) return;
  isIncomplete = true;
  console.error(`upright-jpeg: the output is incomplete: ${error.message}`);
  raise(2);
});
process.stderr.on("error", () => {});

/** The signal that ends the work after the photo that is begun; a second one ends it at once. */
let signal = null;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(name, () => { signal = name; });

/** Reads the record of an undo; returns the files that it names. */
async function readRecord(work) {
  const { records, damaged } = await read(work.record);
  work.history = new History(records);
  if (damaged > 0) {
    console.error(`${work.record}: error: ${damaged} of its lines are no complete records; their photos are not restored`);
    raise(2);
  }
  const places = new Set(records.map(({ place }) => place));
  if (work.files.length === 0 && places.delete(null)) {
    console.error(`${work.record}: skipped: it also has records of places that are not known here; name their photos, or use the command upright`);
    raise(1);
  }
  return places;
}

async function main() {
  const given = process.argv.slice(2);
  if (given[0] === "--version") return print(await version());
  if (["-h", "--help"].includes(given[0])) return print(usage);
  const work = { ...parse(given), tool: `upright ${await version()}` };
  const places = work.command === "undo" ? await readRecord(work) : [];
  for (const file of work.files.length > 0 ? work.files : places) {
    // A signal arrives between two tasks of the event loop, and the work is one.
    await new Promise(setImmediate);
    if (signal) {
      console.error(`upright-jpeg: ended by ${signal} before ${file}`);
      return process.kill(process.pid, signal);
    }
    const beside = owner(file, work.files);
    if (beside) {
      print(`${file}: ignored: it belongs to ${beside}`);
      continue;
    }
    try {
      const [status, text] = await handle(file, work);
      raise(status);
      print(`${file}: ${text}`);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      raise(isRefused ? 1 : 2);
      console.error(`${file}: ${isRefused ? `skipped: ${error.message}` : `error: ${error.message}`}`);
    }
  }
}

main().catch((error) => {
  console.error(error instanceof Refusal ? error.message : `upright-jpeg: ${error.message}`);
  raise(error instanceof Refusal ? 64 : 2);
});
