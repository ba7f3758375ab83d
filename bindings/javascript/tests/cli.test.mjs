// The program of the package, on files.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, linkSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync,
  writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = join(process.env.UPRIGHT_PACKAGE ?? join(root, ".build/wasm/package"), "cli.js");
const command = process.env.UPRIGHT_BINARY ?? join(root, ".build/release/upright");
const portrait = join(root, "fixtures/orientation/aligned-6.jpg");
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function folder(...names) {
  const folder = mkdtempSync(join(tmpdir(), "upright-cli-"));
  folders.push(folder);
  for (const name of names) {
    copyFileSync(portrait, join(folder, name));
    utimesSync(join(folder, name), 1e9, 1e9);
  }
  return folder;
}

function run(folder, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: "utf8" });
  return { status, text: stdout + stderr };
}

test("a photo is replaced by what the command makes of it, and restored from the record", () => {
  const here = folder("a.jpg", "b.jpg");
  chmodSync(join(here, "a.jpg"), 0o640);
  assert.deepEqual(run(here, "normalize", "--record", "r", "a.jpg").status, 0);
  execFileSync(command, ["normalize", "b.jpg"], { cwd: here });
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(join(here, "b.jpg")));
  const { mode, mtimeMs } = statSync(join(here, "a.jpg"));
  assert.deepEqual([mode & 0o777, mtimeMs], [0o640, 1e12]);
  assert.equal(statSync(join(here, "r")).mode & 0o777, 0o600);
  assert.match(run(here, "undo", "--record", "r").text, /a.jpg: restored, byte for byte/);
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(portrait));
  assert.match(run(here, "undo", "--record", "r").text, /unchanged/);
  assert.deepEqual(readdirSync(here).sort(), ["a.jpg", "b.jpg", "r"]);
});

test("the command and the program undo what the other one recorded", () => {
  const here = folder("a.jpg", "b.jpg");
  run(here, "normalize", "--record", "r", "a.jpg");
  execFileSync(command, ["normalize", "--record", "r", "b.jpg"], { cwd: here });
  execFileSync(command, ["rotate", "90", "--record", "r", "b.jpg"], { cwd: here });
  execFileSync(command, ["undo", "--record", "r", "a.jpg"], { cwd: here });
  assert.equal(run(here, "undo", "--record", "r", "b.jpg").status, 0);
  for (const name of ["a.jpg", "b.jpg"]) assert.deepEqual(readFileSync(join(here, name)), readFileSync(portrait));
});

test("what the program cannot do right is refused by name, and the photo is kept", () => {
  const here = folder("a.jpg", "linked.jpg", "read-only.jpg", "plan.jpg", "raw.jpg");
  linkSync(join(here, "linked.jpg"), join(here, "again.jpg"));
  chmodSync(join(here, "read-only.jpg"), 0o444);
  writeFileSync(join(here, "plan.JGW"), "1");
  writeFileSync(join(here, "raw.xmp"), "");
  for (const [name, reason] of [[".", /folder/], ["linked.jpg", /hard links/], ["read-only.jpg", /read-only/], ["plan.jpg", /plan.JGW/],
    ["raw.jpg", /raw.xmp/]]) {
    const { status, text } = run(here, "normalize", name);
    assert.equal(status, 1);
    assert.match(text, reason);
    if (name !== ".") assert.deepEqual(readFileSync(join(here, name)), readFileSync(portrait));
  }
  assert.equal(run(here, "normalize", "--sidecars", "update", "a.jpg").status, 64);
  assert.equal(run(here, "normalize", "missing.jpg").status, 2);
});

test("a link stays a link, and an output is never overwritten", () => {
  const here = folder("a.jpg");
  symlinkSync("a.jpg", join(here, "link.jpg"));
  assert.equal(run(here, "normalize", "link.jpg", "-o", "new.jpg").status, 0);
  assert.notEqual(run(here, "normalize", "link.jpg", "-o", "new.jpg").status, 0);
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(portrait));
  assert.equal(run(here, "normalize", "link.jpg").status, 0);
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(join(here, "new.jpg")));
  assert.ok(existsSync(join(here, "link.jpg")));
});

test("a changed or damaged record restores nothing", () => {
  const here = folder("a.jpg");
  run(here, "normalize", "--record", "r", "a.jpg");
  const result = readFileSync(join(here, "a.jpg"));
  const text = readFileSync(join(here, "r"), "utf8");
  writeFileSync(join(here, "damaged"), text.replace('"undo":"eP', '"undo":"eQ'));
  assert.match(run(here, "undo", "--record", "damaged", "a.jpg").text, /no rewrite of it/);
  writeFileSync(join(here, "a.jpg"), Buffer.concat([result, Buffer.from("x")]));
  assert.match(run(here, "undo", "--record", "r", "a.jpg").text, /no rewrite of it/);
});
