// Makes a photo upright with the service: node upload.mjs http://127.0.0.1:8080 photo.jpg upright.jpg
import { readFile, writeFile } from "node:fs/promises";

const [service, photo, result] = process.argv.slice(2);
const response = await fetch(new URL("/normalize", service), { method: "POST", body: await readFile(photo) });
if (!response.ok) {
  const problem = await response.json();
  console.error(`${problem.code}: ${problem.detail}`);
  process.exit(2);
}
await writeFile(result, new Uint8Array(await response.arrayBuffer()));
console.log(response.headers.get("Upright-Action"));
