// Asks a Pool many questions while its thread is busy, ends some of them, and compares every answer with its question.
// Runs in Node (upright.test.mjs) and in a browser (tools/check/pool).

/** Numbers from 0 to 1 that are the same on every run (xorshift32). */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A photo with a number after its end, where results keep it. */
function numbered(photo, number) {
  const text = new TextEncoder().encode(`#${number}`.padEnd(16));
  const file = new Uint8Array(photo.length + text.length);
  file.set(photo);
  file.set(text, photo.length);
  return file;
}

const kinds = [
  (on, file, options) => on.normalize(file, options),
  (on, file, options) => on.rotate(file, 90, options),
  (on, file, options) => on.flip(file, "vertical", options),
  (on, file, options) => on.plan(file, options),
  (on, file, options) => on.audit(file, options),
];

const same = (some, others) => some.length === others.length && some.every((byte, index) => byte === others[index]);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function keepBusy(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/**
 * Asks the questions and returns how many had an answer, an error, or were ended, and which answers belong to another
 * question or never came.
 */
export async function askQuestions(upright, pool, photos, { count, seed = 0x2545F491 }) {
  const random = makeRandom(seed);
  const below = (limit) => Math.floor(random() * limit);
  // What the functions of the package answer without a pool, for each photo and kind, with any number.
  const expected = new Map();
  for (const [index, photo] of photos.entries()) {
    for (const [kind, work] of kinds.entries()) {
      const key = `${index} ${kind}`;
      expected.set(key, await work(upright, numbered(photo, 0), { path: "0" }).catch((error) => error));
    }
  }

  /** What is wrong with an answer, if anything. */
  function problem({ key, number }, answer) {
    const known = expected.get(key);
    if (answer.report?.path !== String(number)) return `the report of ${answer.report?.path}`;
    const { path, ...report } = answer.report;
    const { path: _, ...knownReport } = known.report;
    if (JSON.stringify(report) !== JSON.stringify(knownReport)) return "another report";
    if (answer.code !== known.code) return `the error ${answer.code}, not ${known.code}`;
    if (!known.bytes) return answer.bytes ? "bytes" : null;
    if (!same(answer.bytes, numbered(known.bytes.subarray(0, known.bytes.length - 16), number))) return "other bytes";
    return null;
  }

  const counts = { answers: 0, errors: 0, cancelled: 0, "time-limit": 0 };
  const wrong = [];
  const open = new Map();
  async function ask(number) {
    const photo = below(photos.length), kind = below(kinds.length);
    const question = { number, key: `${photo} ${kind}`, controller: random() < 0.5 ? new AbortController() : null };
    const options = { path: String(number) };
    if (question.controller) options.signal = question.controller.signal;
    if (random() < 0.4) options.timeLimit = below(30);
    open.set(number, question);
    const found = await kinds[kind](pool, numbered(photos[photo], number), options)
      .then((answer) => {
        counts.answers += 1;
        return problem(question, answer);
      }, (error) => {
        const isEnded = error.report === null && ((error.code === "cancelled" && question.controller?.signal.aborted)
          || (error.code === "time-limit" && options.timeLimit !== undefined));
        counts[isEnded ? error.code : "errors"] += 1;
        return isEnded ? null : problem(question, error);
      });
    if (found) wrong.push(`${number} has ${found}`);
    open.delete(number);
  }

  /** Waits until at most so many questions are open; false after a minute. */
  async function areAnswered(rest) {
    const end = performance.now() + 60_000;
    while (open.size > rest && performance.now() < end) await pause(1);
    return open.size <= rest;
  }

  for (let number = 1; number <= count; number += 1) {
    ask(number);
    if (random() < 0.7) continue;
    await pause(below(4));
    // The workers answer meanwhile, and nobody receives their messages.
    keepBusy(below(30));
    for (const { controller } of open.values()) if (random() < 0.2) controller?.abort();
    if (!await areAnswered(12)) break;
  }
  await areAnswered(0);
  for (const number of open.keys()) wrong.push(`${number} has no answer`);
  return { counts, wrong };
}
