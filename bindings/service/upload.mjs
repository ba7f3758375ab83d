// Makes a photo upright with the service: node upload.mjs http://127.0.0.1:8080 photo.jpg upright.jpg
import { readFile, writeFile } from "node:fs/promises";

const [service, photo, result] = process.argv.slice(2);
const normalize = new URL("/normalize?check-unchanged=true", service);
const response = await fetch(normalize, { method: "POST", body: await readFile(photo) });
if (!response.ok) {
  // A proxy responds with HTML.
  const isProblem = response.headers.get("Content-Type") === "application/problem+json";
  const { code, detail } = isProblem ? await response.json() : { code: response.status, detail: response.statusText };
  console.error(`${code}: ${detail}`);
  process.exit(2);
}
await writeFile(result, new Uint8Array(await response.arrayBuffer()));
console.log(response.headers.get("Upright-Action"));
