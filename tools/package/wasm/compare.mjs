// Compares upright.wasm with the command: each file must have the same bytes and the same report.
//
//   node tools/package/wasm/compare.mjs COMMAND FOLDER… [--brief FOLDER…]
//
// Folders after --brief are only normalized, with stale tags trusted, and audited. Files that need TurboJPEG are listed;
// the module refuses them, the command processes them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as upright from "../../../bindings/javascript/upright.js";

const [command, ...folders] = process.argv.slice(2);
const brief = folders.includes("--brief") ? folders.splice(folders.indexOf("--brief")).slice(1) : [];
await upright.load(readFileSync(new URL("../../../.build/wasm/upright.wasm", import.meta.url)));
const work = mkdtempSync(join(tmpdir(), "upright-wasm-"));
const runs = [
  { arguments: ["normalize"], work: (file, options) => upright.normalize(file, options) },
  {
    isBrief: true,
    arguments: ["normalize", "--on-conflict", "trust-tag", "--content-credentials", "keep", "--regions", "follow"],
    work: (file, options) =>
      upright.normalize(file, { onConflict: "trust-tag", contentCredentials: "keep", regions: "follow", ...options }),
  },
  { arguments: ["rotate", "90"], work: (file, options) => upright.rotate(file, 90, options) },
  { arguments: ["flip", "horizontal"], work: (file, options) => upright.flip(file, "horizontal", options) },
  { isBrief: true, arguments: ["audit", "--read-only", "rewrite"], work: (file, options) => upright.audit(file, options) },
];

const counts = { same: 0, refused: 0, differing: 0 };
const refused = new Set();
const seconds = { command: 0, module: 0 };
for (const folder of [...folders, ...brief]) {
  for (const run of folders.includes(folder) ? runs : runs.filter(({ isBrief }) => isBrief)) {
    const output = join(work, "output");
    rmSync(output, { recursive: true, force: true });
    const writes = run.arguments[0] !== "audit";
    const began = process.hrtime.bigint();
    const lines = reportLines([
      ...run.arguments, "-r", folder, "--format", "ndjson", ...(writes ? ["--output-dir", output] : []),
    ]);
    seconds.command += Number(process.hrtime.bigint() - began) / 1e9;
    for (const line of lines) await compare(run, line);
  }
}
console.log(`${counts.same} the same, ${counts.differing} differing, ${counts.refused} that need TurboJPEG:`);
for (const path of [...refused].sort()) console.log(`  ${path}`);
console.log(`${seconds.module.toFixed(1)} s in the module, ${seconds.command.toFixed(1)} s in the command`);
rmSync(work, { recursive: true });
process.exit(counts.differing ? 1 : 0);

function reportLines(words) {
  let text;
  try {
    text = execFileSync(command, words, { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    text = error.stdout;
  }
  return text.toString().trim().split("\n").filter((line) => line.includes('"path":'));
}

async function compare(run, expected) {
  const { path, output, schema, expectedName, pairedWith, sidecar, facts, reason, error } = JSON.parse(expected);
  // The module does not know the names of files, so it does not report wrong ones, nor files beside a photo, and some
  // raw files are distinguished from TIFF by their ending.
  if (schema !== "upright/2" || expectedName || reason?.id.startsWith("neighbour-")) return;
  if (error?.id === "not-image") return;
  if (facts?.format === "nef" && path.endsWith("/plain.nef")) return;
  if (pairedWith) {
    expected = expected.replace(`,"pairedWith":${JSON.stringify(pairedWith)}`, "")
      .replace(/,?"a pair with [^"]*"/, "").replace('"notes":[],', "")
      .replace(/,?"paired"/, "").replace('"noteIds":[],', "");
  }
  if (output) expected = expected.replace(`"output":${JSON.stringify(output)},`, "");
  if (sidecar) expected = expected.replace(`"sidecar":${JSON.stringify(sidecar)},`, "");
  // Only the command names options.
  expected = expected.replace(/ \((to |see upright)[^)"]*\)/g, "");
  const file = new Uint8Array(readFileSync(path));
  const began = process.hrtime.bigint();
  const found = await attempt(() => run.work(file, { path }));
  seconds.module += Number(process.hrtime.bigint() - began) / 1e9;
  const problems = [];
  if (found.line !== expected) problems.push("report", `\n  ${expected}\n  ${found.line ?? found.error}\n`);
  const bytes = output && existsSync(output) ? readFileSync(output) : null;
  if (bytes && !(found.bytes && bytes.equals(found.bytes))) problems.push("bytes");
  if (problems.length === 0) {
    counts.same += 1;
  } else if (needsTurboJPEG(found)) {
    counts.refused += 1;
    refused.add(path);
  } else {
    counts.differing += 1;
    if (counts.differing < 40) console.log(`${run.arguments.join(" ")} ${path}: ${problems.join(" ")}`);
  }
}

function needsTurboJPEG(found) {
  return /libjpeg-turbo/.test(found.line ?? "");
}

async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof upright.UprightError)) throw error;
    return { error, line: error.report ? JSON.stringify(error.report) : null };
  }
}
