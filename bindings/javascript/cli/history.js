// The rewrites of a file, by its records (docs/record-format.md, section 1). Records of other places are not used, so a file that was
// moved has none.
import { readFile } from "node:fs/promises";
import { undo } from "../upright.js";
import { unpacked } from "./record-data.js";
import { sha256 } from "./records.js";
import { Refusal } from "./refusal.js";

/** The rewrites that records are of. */
export class History {
  /** Records in the order of time. */
  constructor(records) {
    records.forEach((record, order) => { record.order = order; });
    this.byResult = groups(records, ({ place, after }) => key(place, after.sha256));
    this.byOriginal = groups(records, ({ origin, before }) => key(origin, before.sha256));
    this.byContent = groups(records, ({ after }) => after.sha256);
    for (const record of records) record.begins = this.previous(record).length === 0;
    for (const record of records) record.first = this.first(record);
  }

  /** The earlier records that gave a record's original. */
  previous({ origin, before, order }) {
    return origin === null ? [] : (this.byResult.get(key(origin, before.sha256)) ?? []).filter((other) => other.order < order);
  }

  /** The SHA-256 of the first original, to which all earlier records lead; null if there are several. */
  first(record) {
    const { origin, before } = record;
    if (origin === null) return before.sha256;
    const begun = this.byOriginal.get(key(origin, before.sha256)).filter(({ begins }) => begins);
    return one([...this.previous(record).map(({ first }) => first), ...begun.map(() => before.sha256)]);
  }

  /** The records that lead from a file with one of the names of a place to its original, the latest first; null if there is none. */
  async of(hash, places) {
    const find = (group) => places.flatMap((place) => group.get(key(place, hash)) ?? []);
    const results = find(this.byResult).sort((a, b) => a.order - b.order);
    const begun = find(this.byOriginal).filter(({ begins }) => begins);
    if (results.length + begun.length === 0) return null;
    const original = one([...results.map(({ first }) => first), ...begun.map(() => hash)]);
    if (original === null) throw new Refusal("has several originals in the record");
    if (original === hash) return [];
    const chain = [results.at(-1)];
    for (let earlier; (earlier = this.previous(chain.at(-1))).length > 0;) chain.push(earlier.at(-1));
    for (const other of this.byContent.get(original) ?? []) {
      const { origin, order } = chain.at(-1);
      const isEarlier = other.place === origin || (other.order < order && !(await isThere(other)));
      if (other.first !== original && isEarlier) {
        throw new Refusal("has an earlier original in the record, from before it was moved: use the command upright");
      }
    }
    return chain;
  }
}

/** The original to which records lead from a result. */
export async function restored(result, records) {
  let bytes = result;
  for (const { undo: data, before, after } of records) {
    if (!data) throw new Refusal("has no undo data in the record");
    const isResult = bytes.length === after.size;
    bytes = Buffer.from((await undo(bytes, unpacked(data, bytes.length))).bytes);
    if (!isResult || bytes.length !== before.size || sha256(bytes) !== before.sha256) {
      throw new Refusal("is not restored: the record does not lead to the recorded original");
    }
  }
  return bytes;
}

const key = (place, hash) => `${hash} ${place}`;

function groups(records, name) {
  const groups = new Map();
  for (const record of records) {
    const group = groups.get(name(record));
    if (group) group.push(record);
    else groups.set(name(record), [record]);
  }
  return groups;
}

/** The value that all have; null if there are several. */
function one(values) {
  return new Set(values).size === 1 ? values[0] : null;
}

/** Whether the file of a record is where it was rewritten. */
async function isThere({ place, before, after }) {
  const bytes = place && await readFile(place).catch(() => null);
  return !!bytes && [before.sha256, after.sha256].includes(sha256(bytes));
}
