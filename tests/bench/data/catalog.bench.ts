import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { quantile } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { generatedName } from "#tests/support/data/generated-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Goals for 95 % of the requests: pages within 30 ms, searches within 60 ms, searches of /v4 within 40 ms, all without
 * a cache of answers.
 */
const bench: Bench = {
  title: "Catalog: listing and search without the public cache, one request at a time",
  async run() {
    const rows: Row[] = [];
    for (const count of [10_000, 100_000]) rows.push(...(await measure(count)));
    return rows;
  },
};
export default bench;

async function measure(count: number): Promise<Row[]> {
  const folder = temporaryFolder("bench-catalog");
  const site = await startSite({ PUBLIC_CACHE: "0", DATA_DIR: folder, LOG_LEVEL: "info" });
  const name = `${count.toLocaleString("en")} titles`;
  const imported = await importGenerated(folder, count);
  const cold = await times(site, pagesWithUncachedTotal);
  const warm = await times(site, pages());
  const searched = await times(site, searches(count, 0, "/api/animes/full?search_query="));
  const searchedAsJikan = await times(site, searches(count, 150, "/v4/anime?q="));
  await site.stop();
  return [
    { label: `${name}: import`, value: imported, unit: "s" },
    { label: `${name}: pages with an uncached total, p95`, value: quantile(cold, 0.95), unit: "ms" },
    { label: `${name}: pages, p50`, value: quantile(warm, 0.5), unit: "ms" },
    { label: `${name}: pages, p95`, value: quantile(warm, 0.95), unit: "ms" },
    { label: `${name}: searches, p50`, value: quantile(searched, 0.5), unit: "ms" },
    { label: `${name}: searches, p95`, value: quantile(searched, 0.95), unit: "ms" },
    { label: `${name}: searches of /v4, p50`, value: quantile(searchedAsJikan, 0.5), unit: "ms" },
    { label: `${name}: searches of /v4, p95`, value: quantile(searchedAsJikan, 0.95), unit: "ms" },
  ];
}

const filters = [
  "",
  "genre_filter=action",
  "genre_filter=action,fantasy",
  "genre_filter=action,comedy&genre_match=all",
  "genre_filter=drama&type_filter=tv",
  "type_filter=movie&year_filter=1999",
  "season_filter=spring&score_filter=7",
  "rating_filter=pg-13",
  "studio_filter=Studio%207",
  "status_filter=finished_airing&aired_day_filter=friday",
];
const orders = ["score", "title_asc", "popularity", "newest"];

const pagesWithUncachedTotal = filters.map((filter) => `/api/animes/full?${filter}`);

/** Pages at the start of a listing and far behind it. */
const pages = () =>
  [1, 2, 20, 100, 500].flatMap((page) =>
    filters.flatMap((filter) =>
      orders.map((order) => `/api/animes/full?${filter}&order_by=${order}&page_number=${page}`),
    ),
  );

/** Full names, beginnings of names, and names with a wrong letter. No two are the same, so that no search is cached. */
function searches(count: number, from: number, address: string) {
  return Array.from({ length: 150 }, (_, index) => {
    const name = generatedName(1 + (((from + index) * 7919) % count));
    const query = [name, name.slice(0, 6), `${name.slice(0, 4)}x${name.slice(5)}`][index % 3] ?? name;
    return address + encodeURIComponent(query);
  });
}

async function times(site: Served, paths: readonly string[]): Promise<number[]> {
  const taken: number[] = [];
  for (const path of paths) {
    const startedAt = performance.now();
    const response = await fetch(site.origin + path);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    taken.push(performance.now() - startedAt);
  }
  return taken;
}
