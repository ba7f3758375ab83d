// Processes photos in workers of the page, instead of the service: see page.js.

const base64 = document.getElementById("module").textContent;
const binary = atob(base64);
const module = Uint8Array.from(binary, (character) => character.charCodeAt(0));
const workerUrl = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], {
  type: "text/javascript",
}));
const pool = new Pool({ size: 2, module, worker: () => new Worker(workerUrl) });

// made: questions
globalThis.questionsOfThisPage = {
  "on-conflict": "The Orientation tag may be stale. Which of the two images is upright?",
  "content-credentials": "The photo has content credentials. Any change makes them invalid. Rotate it anyway?",
  "registered-data": "The photo has data that would no longer fit the rotated image. Rotate it anyway?"
};
// made

globalThis.workInThisPage = async (file, policies) => {
  const options = Object.entries(policies).map(([name, value]) =>
    [name.replace(/-[a-z]/g, (pair) => pair[1].toUpperCase()), value]);
  const { report, bytes } = await pool.normalize(file, Object.fromEntries(options));
  return { report, bytes };
};
