// Processes photos in workers of the page, instead of the service: see page.js.

const base64 = document.getElementById("module").textContent;
const binary = atob(base64);
const module = Uint8Array.from(binary, (character) => character.charCodeAt(0));
const workerUrl = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], {
  type: "text/javascript",
}));
const pool = new Pool({ size: 2, module, worker: () => new Worker(workerUrl) });

// They are there before the first photo is: a worker answers in order.
globalThis.questionsOfThisPage = {};
pool.describe().then(({ settings }) => {
  for (const { name, question } of settings) if (question) globalThis.questionsOfThisPage[name] = question;
});

globalThis.workInThisPage = async (file, policies) => {
  const options = Object.entries(policies).map(([name, value]) =>
    [name.replace(/-[a-z]/g, (pair) => pair[1].toUpperCase()), value]);
  const { report, bytes } = await pool.normalize(file, Object.fromEntries(options));
  return { report, bytes };
};
