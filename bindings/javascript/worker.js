// The code of a worker: calls the functions of upright.js for pool.js.
import { nodeModule } from "./node.js";
import * as upright from "./upright.js";

let port = globalThis;

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

// Without a top-level await, which not all bundlers accept. Node keeps messages until there is a listener.
// Deno and Electron have the versions of Node, and workers as browsers have them.
if (globalThis.process?.versions?.node && !globalThis.WorkerGlobalScope) {
  nodeModule("worker_threads").then(({ parentPort }) => {
    port = parentPort;
    port.on("message", answer);
  });
} else {
  port.onmessage = ({ data }) => answer(data);
}
