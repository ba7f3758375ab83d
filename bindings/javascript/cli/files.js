// Photos on disk: what may be replaced, and how files are written.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, access, chown, copyFile, link, lstat, open, readFile, readdir, realpath, rename, stat, unlink, utimes } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Refusal } from "./refusal.js";

/** Reads a photo that may be replaced: its own path, that and the given one, its bytes and its status. */
export async function photo(given) {
  const path = await spelled(await realpath(given));
  const places = [...new Set([path, resolve(given)])];
  const before = await stat(path, { bigint: true });
  if (before.isDirectory()) throw new Refusal("is a folder: name the photos in it");
  if (!before.isFile()) throw new Refusal("is not a file");
  return { path, places, before, bytes: await readFile(path) };
}

/** A path with the name that its folder has for the file: where case is ignored, a rename to the given spelling would change it. */
async function spelled(path) {
  const same = (name) => name.normalize().toLowerCase();
  const names = await readdir(dirname(path));
  const found = names.includes(basename(path)) ? undefined : names.find((name) => same(name) === same(basename(path)));
  return found === undefined ? path : join(dirname(path), found);
}

/** Refuses a photo that cannot be replaced here as the command would replace it. */
export async function check({ path, places, before }) {
  if (before.nlink > 1n) throw new Refusal("has several hard links, which would not all be changed");
  // A rename would need only the folder, but read-only is a word of the owner.
  if ((before.mode & 0o222n) === 0n) throw new Refusal("is read-only");
  await access(path, constants.W_OK).catch(() => { throw new Refusal("may not be written by this user"); });
  if (await hasAccessList(path)) throw new Refusal("has an access control list, which only the command upright preserves");
  for (const place of places) {
    const found = (await readdir(dirname(place))).find((name) => describes(name.toLowerCase(), basename(place).toLowerCase()));
    if (found) throw new Refusal(`the file ${found} may describe the stored image, and only the command upright can judge or update it`);
  }
}

// The files beside a photo which docs/archives.md lists, except those that are known by their content alone, such as labels.
const ofName = [".xmp", ".aux.xml", ".points", ".ovr", ".msk", ".pp3", ".arp", ".rrdata", ".dop"];
const ofStem = [".xmp", ".aae", ".jgw", ".jpgw", ".jpw", ".jpegw", ".wld", ".tab", ".map", ".on1", ".vrd", ".dr4"];
const ofFolder = [".picasa.ini", "picasa.ini"];

/** Whether a file beside a photo may describe its stored image; names are in small letters. */
export function describes(name, photo) {
  const ending = extname(photo);
  const stem = basename(photo, ending);
  if (ofFolder.includes(name) || ofStem.some((other) => name === stem + other)) return true;
  if (ofName.some((other) => name === photo + other)) return true;
  // The duplicates of darktable: photo_01.jpg.xmp.
  return name.startsWith(`${stem}_`) && name.endsWith(`${ending}.xmp`) && /^\d+$/.test(name.slice(stem.length + 1, -ending.length - 4));
}

/** The photo beside which a file of another program is, such as `a.xmp` and `a.jpg.json` beside `a.jpg`; undefined if it is none of the files. */
export function owner(file, files) {
  const name = basename(file).toLowerCase();
  const isOwner = (photo) => /\.(jpe?g|jpe|jfif)$/.test(photo) && (describes(name, photo) || name.startsWith(`${photo}.`));
  return files.find((other) => dirname(other) === dirname(file) && isOwner(basename(other).toLowerCase()));
}

/**
 * Whether a file has an access control list on Linux. The mode of such a file gives its group the rights of the list's mask, so a
 * copy without the list would be open to more people.
 */
async function hasAccessList(path) {
  if (process.platform !== "linux") return false;
  const { stdout } = await promisify(execFile)("ls", ["-ld", "--", path], { env: { ...process.env, LC_ALL: "C" } }).catch(() => ({ stdout: "" }));
  return stdout[10] === "+";
}

/** Replaces a file: never a moment without it, and on the disk before this returns. `modified` is its new time, null the present one. */
export async function replace({ path, before }, bytes, modified) {
  const temporary = await temporaryName(path);
  try {
    // The copy has the mode, and on macOS and Windows the attributes.
    await copyFile(path, temporary, constants.COPYFILE_EXCL);
    await keepOwner(temporary, before);
    await write(temporary, bytes, "r+");
    if (modified !== null) await utimes(temporary, time(before.atimeNs), time(modified));
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

/** Creates a file with the mode and the time of a photo, which is there as a whole or not at all. */
export async function create(path, bytes, { mode, atimeNs, mtimeNs }) {
  if (await lstat(path).catch(() => null)) throw new Refusal(`the file ${path} exists`);
  const temporary = await temporaryName(path);
  try {
    await write(temporary, bytes, "wx", Number(mode & 0o777n));
    await utimes(temporary, time(atimeNs), time(mtimeNs));
    await move(temporary, path);
  } finally {
    await unlink(temporary).catch(() => {});
  }
  await syncFolder(path);
}

/** Gives a file a name that no other one has. */
async function move(temporary, path) {
  try {
    await link(temporary, path);
  } catch (error) {
    if (error.code === "EEXIST") throw new Refusal(`the file ${path} exists`);
    // There are no links on some file systems: an empty file reserves the name.
    await write(path, new Uint8Array(), "wx");
    await rename(temporary, path).catch(async (error) => {
      await unlink(path).catch(() => {});
      throw error;
    });
  }
}

/** A name in the folder of a path, from which it removes files that killed runs left: nobody has written to them for an hour. */
async function temporaryName(path) {
  const folder = dirname(path);
  for (const name of searched.has(folder) ? [] : await readdir(folder)) {
    const left = join(folder, name);
    const status = /^\.upright-[0-9a-f]{12}$/.test(name) ? await lstat(left).catch(() => null) : null;
    if (status?.isFile() && status.ctimeMs < Date.now() - 3_600_000) await unlink(left).catch(() => {});
  }
  searched.add(folder);
  return join(folder, `.upright-${randomBytes(6).toString("hex")}`);
}

/** The folders from which such files were removed. */
const searched = new Set();

async function keepOwner(path, { uid, gid, mode }) {
  const own = await stat(path, { bigint: true });
  if (own.uid === uid && own.gid === gid) return;
  await chown(path, Number(uid), Number(gid)).catch(() => { throw new Refusal("belongs to another owner, which this user cannot set"); });
  // Another owner takes away the bits of set-user-ID and set-group-ID.
  const file = await open(path, "r+");
  await file.chmod(Number(mode & 0o7777n)).finally(() => file.close());
}

async function write(path, bytes, flags, mode = undefined) {
  const file = await open(path, flags, mode);
  try {
    // The mask of the process applies to open.
    if (mode !== undefined) await file.chmod(mode);
    await file.truncate(0);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Nanoseconds as utimes takes them, which sets the present time instead of a negative number, but accepts every Date. */
function time(nanoseconds) {
  return nanoseconds < 0n ? new Date(Number(nanoseconds / 1_000_000n)) : Number(nanoseconds) / 1e9;
}

/** Windows has no such call. */
export async function syncFolder(path) {
  const folder = await open(dirname(path)).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
