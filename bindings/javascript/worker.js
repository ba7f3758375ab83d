// The code of a worker: calls the functions of upright.js for pool.js.
import * as upright from "./upright.js";

const node = globalThis.process?.versions?.node ? await import("node:worker_threads") : null;
const port = node?.parentPort ?? globalThis;

/** The buffers of a result, which are transferred without a copy; a SharedArrayBuffer is shared. */
function transferable(result) {
  return [result?.bytes, result?.undo].map((bytes) => bytes?.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}

async function answer({ id, name, values }) {
  try {
    const result = await upright[name](...values);
    // The module itself is not an answer.
    if (name === "load") return;
    port.postMessage({ id, result }, transferable(result));
  } catch (error) {
    const { code, message, offset, report } = error;
    port.postMessage({ id, error: error instanceof upright.UprightError ? { code, message, offset, report } : error });
  }
}

if (node) port.on("message", answer);
else port.onmessage = ({ data }) => answer(data);
