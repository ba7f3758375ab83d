// The program of the package, on files.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, closeSync, copyFileSync, existsSync, linkSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync,
  writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

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
  return runWith({}, folder, ...words);
}

function runWith(options, folder, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: "utf8", ...options });
  return { status, text: `${stdout ?? ""}${stderr}` };
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

test("files beside photos that are named together with them are ignored, and alone they are none", () => {
  const here = folder("a.jpg", "B.JPG");
  const others = ["a.jpg.json", "b.jpg.txt", ".picasa.ini"];
  for (const name of others) writeFileSync(join(here, name), "{}");
  const { status, text } = run(here, "audit", ...readdirSync(here));
  assert.equal(status, 0, text);
  for (const name of others) assert.match(text, new RegExp(`${name}: ignored: it belongs to `));
  assert.match(run(here, "audit", "a.jpg", "b.jpg.txt").text, /b.jpg.txt: error/);
  writeFileSync(join(here, "a.xmp"), "");
  assert.match(run(here, "normalize", "a.jpg", "a.xmp").text, /a.xmp: ignored: it belongs to a.jpg\na.jpg: skipped: /);
});

test("what a killed run left is removed an hour later, and nothing else", () => {
  const here = folder("a.jpg", "b.jpg");
  const [left, other] = [".upright-0123456789ab", ".upright-notes"];
  for (const name of [left, other]) writeFileSync(join(here, name), "");
  run(here, "normalize", "a.jpg");
  assert.ok(existsSync(join(here, left)));
  const later = "data:text/javascript,const now = Date.now; Date.now = () => now() + 3_700_000;";
  spawnSync(process.execPath, ["--import", later, program, "normalize", "b.jpg"], { cwd: here });
  assert.deepEqual(readdirSync(here).sort(), [other, "a.jpg", "b.jpg"]);
});

test("where case is ignored, a photo keeps the name that its folder has", (t) => {
  const script = `
import os, subprocess, sys
sys.path.insert(0, sys.argv[1])
from mounts import Mount
try:
    mount = Mount("exFAT").__enter__()
except (OSError, subprocess.CalledProcessError):
    sys.exit(77)
try:
    subprocess.run(["cp", sys.argv[2], mount.path / "a.jpg"], check=True)
    for words in ["normalize", "A.JPG"], ["audit", "a.JPG"]:
        subprocess.run([*sys.argv[3:], *words], cwd=mount.path, check=True)
    print(os.listdir(mount.path), flush=True)
finally:
    mount.__exit__()
`;
  const words = ["-c", script, join(root, "tools/lib"), portrait, process.execPath, program];
  const { status, stdout, stderr } = spawnSync("python3", words, { encoding: "utf8" });
  if (status === 77) return t.skip("exFAT cannot be mounted here");
  assert.match(stdout, /A.JPG: normalized[^]*a.JPG: already-upright[^]*\['a.jpg'\]\n$/, stderr);
});

test("a link stays a link, and an output is never overwritten", () => {
  const here = folder("a.jpg");
  symlinkSync("a.jpg", join(here, "link.jpg"));
  assert.equal(run(here, "normalize", "link.jpg", "-o", "new.jpg").status, 0);
  assert.notEqual(run(here, "normalize", "link.jpg", "-o", "new.jpg").status, 0);
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(portrait));
  writeFileSync(join(here, "link.xmp"), "");
  assert.match(run(here, "normalize", "link.jpg").text, /link.xmp/);
  rmSync(join(here, "link.xmp"));
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
  assert.match(run(here, "undo", "--record", "damaged", "a.jpg").text, /no rewrite of it[^]*error: 1 of its lines/);
  writeFileSync(join(here, "a.jpg"), Buffer.concat([result, Buffer.from("x")]));
  assert.match(run(here, "undo", "--record", "r", "a.jpg").text, /no rewrite of it/);
});

test("a word that is missing or unknown changes no photo", () => {
  const here = folder("a.jpg", "b.jpg");
  const wrong = [["-o", ""], ["--record", ""], ["--record="], ["-n"], ["-q"], ["--dry-run"], ["-"], ["--embed-undo"], ["--on-conflict="], ["--record"]];
  for (const words of wrong) assert.equal(run(here, "normalize", "a.jpg", "b.jpg", ...words).status, 64, words.join(" "));
  for (const name of ["a.jpg", "b.jpg"]) assert.deepEqual(readFileSync(join(here, name)), readFileSync(portrait));
  assert.deepEqual(readdirSync(here).sort(), ["a.jpg", "b.jpg"]);
  assert.match(run(here, "normalize", "--record=r", "--on-conflict=trust-tag", "--reset-invalid", "a.jpg").text, /rotate-90, lossless/);
  assert.match(run(here, "undo", "--record=r").text, /restored/);
});

test("records of the command that name a photo by a link to its folder are found", () => {
  const here = folder("a.jpg");
  symlinkSync(".", join(here, "album"));
  execFileSync(command, ["normalize", "-q", "--record", "r", "album/a.jpg"], { cwd: here });
  assert.match(run(here, "undo", "--record", "r").text, /restored/);
  assert.deepEqual(readFileSync(join(here, "a.jpg")), readFileSync(portrait));
});

test("nothing is appended to a photo, or to what is no file", () => {
  const here = folder("a.jpg", "b.jpg");
  symlinkSync("a.jpg", join(here, "link"));
  for (const record of ["a.jpg", "b.jpg", "link", "/dev/null", "."]) {
    assert.notEqual(run(here, "normalize", "--record", record, "b.jpg").status, 0, record);
    for (const name of ["a.jpg", "b.jpg"]) assert.deepEqual(readFileSync(join(here, name)), readFileSync(portrait));
  }
});

test("times before 1970 are kept and restored", () => {
  const here = folder("a.jpg");
  const old = -1251586676.5;
  execFileSync("touch", ["-d", `@${old}`, join(here, "a.jpg")]);
  const { mtimeMs } = statSync(join(here, "a.jpg"));
  assert.equal(mtimeMs, old * 1000);
  run(here, "normalize", "--record", "r", "a.jpg");
  assert.equal(statSync(join(here, "a.jpg")).mtimeMs, mtimeMs);
  assert.match(readFileSync(join(here, "r"), "utf8"), /"modified":"-1251586676.500000000"/);
  assert.match(run(here, "undo", "--record", "r").text, /restored/);
  assert.equal(statSync(join(here, "a.jpg")).mtimeMs, mtimeMs);
});

test("an output has the mode and the time of the photo", () => {
  const here = folder("a.jpg");
  chmodSync(join(here, "a.jpg"), 0o600);
  assert.equal(run(here, "normalize", "a.jpg", "-o", "new.jpg").status, 0);
  const { mode, mtimeMs } = statSync(join(here, "new.jpg"));
  assert.deepEqual([mode & 0o777, mtimeMs], [0o600, 1e12]);
  assert.deepEqual(readdirSync(here).sort(), ["a.jpg", "new.jpg"]);
});

test("a photo of another owner stays theirs", { skip: process.getuid() !== 0 && "needs another user: run the tests as root" }, () => {
  const here = folder("a.jpg");
  const path = join(here, "a.jpg");
  chmodSync(path, 0o4640);
  chownSync(path, 65534, 65533);
  chmodSync(path, 0o4640);
  assert.equal(run(here, "normalize", "a.jpg").status, 0);
  const { uid, gid, mode } = statSync(path);
  assert.deepEqual([uid, gid, mode & 0o7777], [65534, 65533, 0o4640]);
});

test("a photo with an access control list is refused, because its group would get the rights of the mask", (t) => {
  const here = folder("a.jpg");
  const path = join(here, "a.jpg");
  const list = "02000000 01000600ffffffff 02000600feff0000 04000000ffffffff 10000600ffffffff 20000000ffffffff";
  const program = "import os, sys; os.setxattr(sys.argv[1], 'system.posix_acl_access', bytes.fromhex(sys.argv[2]))";
  if (spawnSync("python3", ["-c", program, path, list]).status !== 0) return t.skip("no ACLs here: keep TMPDIR on a file system that has them");
  assert.match(run(here, "normalize", "a.jpg").text, /skipped: has an access control list/);
  assert.deepEqual(readFileSync(path), readFileSync(portrait));
});

test("files of other programs beside a photo are those of docs/archives.md", async () => {
  const { describes } = await import(pathToFileURL(join(program, "../cli/files.js")));
  for (const name of ["a.xmp", "a.jpg.xmp", "a_01.jpg.xmp", "a.aae", ".picasa.ini", "a.jpg.points", "a.jpg.aux.xml", "a.tab", "a.map", "a.jpg.pp3",
    "a.jpg.dop", "a.on1", "a.jgw"]) assert.ok(describes(name, "a.jpg"), name);
  for (const name of ["a.jpg", "b.xmp", "a.json", "a_b.jpg.xmp", "a.mov", "b_01.jpg.xmp", "a.txt"]) assert.ok(!describes(name, "a.jpg"), name);
});

test("a record that is cut off or none is named, and the rest is restored", () => {
  const here = folder("a.jpg", "b.jpg");
  run(here, "normalize", "--record", "r", "a.jpg", "b.jpg");
  const text = readFileSync(join(here, "r"));
  writeFileSync(join(here, "cut"), text.subarray(0, text.length - 9));
  const { status, text: output } = run(here, "undo", "--record", "cut");
  assert.equal(status, 2);
  assert.match(output, /cut: error: 1 of its lines/);
  assert.match(output, /a.jpg: restored/);
  assert.equal(run(here, "undo", "--record", "a.jpg").status, 2);
  assert.match(run(here, "undo", "--record", "r", "b.jpg").text, /restored/);
  writeFileSync(join(here, "new.jpg"), "x");
  assert.equal(run(here, "undo", "--record", "r", "new.jpg").status, 1);
});

test("records never lead to another file than the format says", async () => {
  const load = (name) => import(pathToFileURL(join(program, "../cli", name)));
  const [{ History, restored }, { read, sha256 }] = await Promise.all([load("history.js"), load("records.js")]);
  const vectors = join(root, "fixtures/records");
  const { files } = JSON.parse(readFileSync(join(vectors, "vectors.json")));
  let found = 0;
  for (const { records, path, result, original, shows } of files) {
    const bytes = readFileSync(join(vectors, result));
    const chain = await read(join(vectors, records)).then(({ records }) => new History(records).of(sha256(bytes), [path])).catch(() => null);
    const answer = chain?.length > 0 ? await restored(bytes, chain).catch(() => null) : null;
    if (answer) {
      assert.ok(original, shows);
      assert.deepEqual(answer, readFileSync(join(vectors, original)), shows);
      found += 1;
    }
  }
  // Those of moved files and of packed records are refused.
  assert.ok(found >= 14, `${found} found`);
});

test("output that cannot be written is an error, and a reader that ends is none", { skip: process.platform !== "linux" && "there is no /dev/full" }, () => {
  const here = folder("a.jpg");
  const full = openSync("/dev/full", "w");
  const { status, text } = runWith({ stdio: ["ignore", full, "pipe"] }, here, "audit", "a.jpg");
  closeSync(full);
  assert.equal(status, 2);
  assert.match(text, /output is incomplete/);
  const piped = spawnSync("bash", ["-c", '"$0" "$@" | true; echo ${PIPESTATUS[0]}', process.execPath, program, "normalize", "a.jpg", "a.jpg", "a.jpg"],
    { cwd: here, encoding: "utf8" });
  assert.equal(piped.stdout + piped.stderr, "0\n");
});

test("a signal ends the work after the photo that is begun", { skip: process.platform === "win32" && "there are no signals" }, async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.jpg`);
  const here = folder(...names);
  const child = spawn(process.execPath, [program, "normalize", "--record", "r", ...names], { cwd: here });
  let errors = "";
  child.stderr.on("data", (data) => { errors += data; });
  child.stdout.once("data", () => child.kill("SIGTERM"));
  const signal = await new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  assert.equal(signal, "SIGTERM");
  assert.match(errors, /ended by SIGTERM before \d+.jpg/);
  assert.deepEqual(readdirSync(here).filter((name) => name.startsWith(".")), []);
  assert.equal(run(here, "undo", "--record", "r").status, 0);
  for (const name of names) assert.deepEqual(readFileSync(join(here, name)), readFileSync(portrait));
});
