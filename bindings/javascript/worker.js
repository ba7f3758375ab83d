// The code of a worker: calls the functions of upright.js for pool.js.
import * as upright from "./upright.js";

const node = globalThis.process?.versions?.node ? await import("node:worker_threads") : null;
const port = node?.parentPort ?? globalThis;

/** The buffers of a result, which are transferred without a copy. */
function transferable(result) {
  return [result.bytes, result.undo].filter((bytes) => bytes).map((bytes) => bytes.buffer);
}

async function answer({ id, name, values }) {
  try {
    const result = await upright[name](...values);
    port.postMessage({ id, result }, result && typeof result === "object" && name !== "load" ? transferable(result) : []);
  } catch (error) {
    const { code = "internal", message, offset = null, report = null } = error;
    port.postMessage({ id, error: { code, message, offset, report } });
  }
}

if (node) port.on("message", answer);
else port.onmessage = ({ data }) => answer(data);
