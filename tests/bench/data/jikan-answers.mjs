import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { runnerImport } from "vite";

/**
 * Compares the answers of /v4 of a running server with Jikan's own description, for every title of a catalog:
 *
 *   node tests/bench/data/jikan-answers.mjs --origin http://127.0.0.1:3000 --catalog FILE.jsonl.gz
 *
 * The catalog is the file that was imported. Raise the server's RATE_LIMIT_CATALOG_POINTS.
 */

const { values } = parseArgs({
  options: {
    origin: { type: "string", default: "http://127.0.0.1:3000" },
    catalog: { type: "string" },
  },
});

const load = async (file) =>
  (await runnerImport(`tests/support/checks/${file}`, { configFile: false, logLevel: "error" })).module;
const [{ complaintsOfJikan }, { jikanCalls }] = [
  await load("jikan-description.ts"),
  await load("jikan-calls.ts"),
];

const complaints = new Map();
let [answers, missing] = [0, 0];

async function check({ path, call }) {
  const response = await fetch(`${values.origin}/v4${call}`);
  const body = await response.json();
  answers++;
  if (response.status === 404) missing++;
  const found = response.status === 200 ? complaintsOfJikan(path, body) : [];
  if (response.status !== 200 && response.status !== 404) found.push(`${response.status} ${body.message}`);
  for (const one of found) {
    const kind = `${path} ${one.replaceAll(/\[\d+\]/g, "[]")}`;
    if (!complaints.has(kind)) complaints.set(kind, call);
  }
}

/** Requests every route for one title in two hundred, and only the longest answer for each of the others. */
const titlesPerFullWalk = 200;

const { data: companies } = await fetch(`${values.origin}/v4/producers?order_by=count&sort=desc`).then(
  (one) => one.json(),
);
const lines = createInterface({ input: createReadStream(values.catalog).pipe(createGunzip()) });
let count = 0;
for await (const line of lines) {
  const id = JSON.parse(line).mal_id;
  await check({ path: "/anime/{id}/full", call: `/anime/${id}/full?sfw=false` });
  if (count++ % titlesPerFullWalk > 0) continue;
  const isOfTitle = ({ path }) => count === 1 || path.startsWith("/anime/{id}");
  const producer = companies[Math.floor(count / titlesPerFullWalk) % companies.length].mal_id;
  for (const one of jikanCalls({ id, producer }).filter(isOfTitle)) await check(one);
}
for (const [kind, call] of complaints) console.log(`${kind} (first at ${call})`);
console.log(
  `${count} titles, ${answers} answers, ${missing} of them 404, ${complaints.size} kinds of complaints`,
);
process.exitCode = complaints.size > 0 ? 1 : 0;
