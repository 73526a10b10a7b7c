import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";

/**
 * Measures how well the search of a running server finds titles, over HTTP:
 *
 *   node tests/bench/data/search-quality.mjs --origin http://127.0.0.1:3000 --catalog FILE.jsonl.gz [--golden FILE.json]
 *
 * --field title_japanese searches for Japanese names instead of main titles.
 * The catalog is the file that was imported, with --include-adult. Raise the server's RATE_LIMIT_CATALOG_POINTS.
 */

const { values } = parseArgs({
  options: {
    origin: { type: "string", default: "http://127.0.0.1:3000" },
    catalog: { type: "string" },
    golden: { type: "string" },
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    field: { type: "string", default: "title" },
  },
});

async function findPosition(query, malId) {
  const url = new URL("/api/animes/full", values.origin);
  url.search = new URLSearchParams({ search_query: query, parental_control: "false", limit_count: "20" });
  const startedAt = performance.now();
  const answer = await fetch(url).then((response) => response.json());
  times.push(performance.now() - startedAt);
  return { at: answer.data.findIndex((anime) => anime.mal_id === malId) + 1, first: answer.data[0]?.title };
}
const times = [];

/** Mulberry32: the same titles and typos for the same seed. */
let state = Number(values.seed);
function random(below) {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
}

const letter = () => "abcdefghijklmnopqrstuvwxyz"[random(26)];
function withTypo(title) {
  const at = random(title.length);
  switch (random(4)) {
    case 0:
      return title.slice(0, at) + title.slice(at + 1);
    case 1:
      return title.slice(0, at) + letter() + title.slice(at);
    case 2:
      return title.slice(0, at) + letter() + title.slice(at + 1);
    default:
      return title.slice(0, at) + (title[at + 1] ?? "") + title[at] + title.slice(at + 2);
  }
}

async function readCatalog(file) {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  const titles = [];
  for await (const line of lines) titles.push(JSON.parse(line));
  return titles;
}

if (values.golden) {
  const golden = JSON.parse(readFileSync(values.golden, "utf8"));
  let passed = 0;
  for (const { query, expect_mal_id, within_top } of golden) {
    const { at, first } = await findPosition(query, expect_mal_id);
    if (at > 0 && at <= within_top) passed++;
    else
      console.log(
        `golden: ${query}: expected within the first ${within_top}, position: ${at || "none"}, first result: ${first}`,
      );
  }
  console.log(`golden queries found: ${passed} of ${golden.length}`);
}

if (values.catalog) {
  const titles = (await readCatalog(values.catalog))
    .map(({ mal_id, [values.field]: title }) => ({ mal_id, title }))
    .filter(({ title }) => title);
  const sample = Array.from({ length: Number(values.count) }, () => titles[random(titles.length)]);
  let exact = 0;
  let typo = 0;
  for (const { mal_id, title } of sample) {
    const found = await findPosition(title, mal_id);
    if (found.at === 1) exact++;
    else
      console.log(
        `exact: ${title} (${mal_id}), position: ${found.at || "none"}, first result: ${found.first}`,
      );
    const wrong = withTypo(title);
    const foundWithTypo = await findPosition(wrong, mal_id);
    if (foundWithTypo.at >= 1 && foundWithTypo.at <= 5) typo++;
    else
      console.log(
        `typo: ${wrong} for ${title} (${mal_id}), position: ${foundWithTypo.at || "none"}, first result: ${foundWithTypo.first}`,
      );
  }
  console.log(
    `exact names found first: ${exact} of ${sample.length}; names with one typo found within the first five: ${typo} of ${sample.length}`,
  );
}

times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1);
console.log(`requests: ${times.length}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`);
