import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { generatedName } from "#tests/support/data/generated-titles.ts";
import { storedAsZstd } from "#tests/support/data/zstd-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { totalMiB } from "#tests/support/site/memory.ts";

/**
 * Goals: 500 changed titles are imported within 3 s while no page takes more than twice its usual time, and a packed
 * file of 40,000 titles within 60 s in less than 400 MiB.
 */
const bench: Bench = {
  title: "Feeds: the reader of feeds beside a site without the public cache, and alone with its database",
  run: async () => [...(await measureChanges()), ...(await measureFile())],
};
export default bench;

const titleCount = 40_000;

/** An entry in the format of anime-offline-database, about as long as a real one. */
const entry = (malId: number, version = 0) => ({
  sources: [`https://myanimelist.net/anime/${malId}`, `https://anidb.net/anime/${malId}`],
  title: generatedName(malId),
  type: "TV",
  episodes: 12 + version,
  status: "FINISHED",
  animeSeason: { season: "SPRING", year: 1980 + (malId % 40) },
  picture: `https://cdn.example.org/images/anime/${malId}/${malId * 7919}.jpg`,
  thumbnail: `https://cdn.example.org/images/anime/${malId}/${malId * 7919}t.jpg`,
  duration: { value: 1440, unit: "SECONDS" },
  studios: [`Studio ${malId % 50}`],
  producers: [`Producer ${malId % 90}`],
  synonyms: [1, 2, 3, 4, 5].map((at) => generatedName(malId + at * titleCount)),
  relatedAnime: [`https://myanimelist.net/anime/${1 + (malId % titleCount)}`],
  tags: Array.from({ length: 15 }, (_, at) => `tag ${(malId * (at + 3)) % 700}`),
});
const entries = (count: number, version = 0) =>
  JSON.stringify({
    data: Array.from({ length: count }, (_, at) => entry(1 + at * (titleCount / count), version)),
  });

/** Reads a feed from a file, with the priority and heap limit that the site gives to the process that reads feeds. */
async function readFeed(folder: string, file: string, onStart: (reader: ChildProcess) => void = () => {}) {
  const begin = performance.now();
  const reader = spawn(
    process.execPath,
    ["--max-old-space-size=256", resolve("build/server/catalog-feeds.js"), "--now"],
    {
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: "",
        LOG_LEVEL: "error",
        DATA_DIR: folder,
        CATALOG_FEEDS: `offline-database 7d ${file}`,
      },
      stdio: "ignore",
    },
  );
  setPriority(reader.pid ?? 0, 5);
  onStart(reader);
  const [code] = await once(reader, "close");
  if (code !== 0) throw new Error(`the reader of feeds ended with ${code}`);
  return (performance.now() - begin) / 1000;
}

async function measureChanges(): Promise<Row[]> {
  const folder = temporaryFolder("bench-feeds");
  const site = await startSite({ PUBLIC_CACHE: "0", DATA_DIR: folder });
  const file = join(folder, "changes.json");
  // Reads the first version through the same feed, because a higher-ranked source would override the changes.
  await writeFile(file, entries(titleCount));
  await readFeed(folder, file);
  const [warmUp, before, meanwhile] = [new PageTimes(site), new PageTimes(site), new PageTimes(site)];
  for (let round = 0; round < 3; round++) await warmUp.add();
  for (let round = 0; round < 10; round++) await before.add();
  const taken: number[] = [];
  for (let round = 1; round <= 5; round++) {
    await writeFile(file, entries(500, round));
    let isReading = true;
    const reading = readFeed(folder, file).finally(() => {
      isReading = false;
    });
    while (isReading) await meanwhile.add();
    taken.push(await reading);
  }
  await site.stop();
  return [
    { label: "500 changed titles of 40,000, with the start of the reader", value: median(taken), unit: "s" },
    ...pages.flatMap((page) => [
      { label: `${page} before`, value: before.median(page), unit: "ms" },
      { label: "… meanwhile", value: meanwhile.median(page), unit: "ms", baseline: before.median(page) },
    ]),
  ];
}

async function measureFile(): Promise<Row[]> {
  const folder = temporaryFolder("bench-feeds");
  const file = join(folder, "full.json.zst");
  await writeFile(file, packed(entries(titleCount)));
  // This start creates the database and the starter catalog, so that neither is measured.
  await (await startSite({ DATA_DIR: folder })).stop();
  const most = { alone: 0, withDatabase: 0 };
  let sampling: NodeJS.Timeout | undefined;
  const taken = await readFeed(folder, file, (reader) => {
    sampling = setInterval(() => {
      most.alone = Math.max(most.alone, totalMiB(reader));
      most.withDatabase = Math.max(most.withDatabase, totalMiB(reader, folder));
    }, 2000);
  }).finally(() => clearInterval(sampling));
  return [
    { label: "a zstd file of 40,000 titles", value: taken, unit: "s" },
    { label: "… most memory of the reader", value: most.alone, unit: "MiB" },
    { label: "… with the database", value: most.withDatabase, unit: "MiB" },
  ];
}

/** Compresses with the program `zstd`, which Node 20 lacks, or else writes an uncompressed zstd stream. */
function packed(text: string): Buffer {
  try {
    return execFileSync("zstd", ["--stdout"], { input: text, maxBuffer: 2 ** 28 });
  } catch {
    return storedAsZstd(Buffer.from(text));
  }
}

const pages = [
  "/",
  "/browse",
  "/browse?genre_filter=action",
  "/anime/4001",
  "/seasons",
  "/api/animes/full?search_query=kaze",
];

/** Measures how long pages take, requested one after another. */
class PageTimes {
  readonly #site: Served;
  readonly #taken = new Map<string, number[]>(pages.map((page) => [page, []]));

  constructor(site: Served) {
    this.#site = site;
  }

  async add() {
    for (const page of pages) {
      const begin = performance.now();
      const response = await fetch(this.#site.origin + page);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${page} answered ${response.status}`);
      this.#taken.get(page)?.push(performance.now() - begin);
    }
  }

  median = (page: string) => median(this.#taken.get(page) ?? []);
}
