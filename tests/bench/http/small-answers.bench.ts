import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { requestsPerProcessorSecond } from "#tests/bench/measuring/http-load.ts";
import { mediansInTurns } from "#tests/bench/measuring/median.ts";
import { type Served, startBareServer, startSite } from "#tests/bench/measuring/servers.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const headers = { "Accept-Encoding": "identity" };

type Case = { path: string; bareLabel: string; label: string };

/**
 * Compares the site with a bare node:http server that sends the same head and bytes. Goals: half of its rate, an eighth
 * of it through the router, and 0.8 of it for a title of /v4.
 */
const bench: Bench = {
  title: "Small answers: requests for each second of processor time, one process, 32 connections",
  async run() {
    const asset = `/assets/${readdirSync("build/client/assets").find((name) => /^root-.*\.js$/.test(name))}`;
    const cases: Case[] = [
      {
        path: asset,
        bareLabel: "a script from memory, bare node:http",
        label: "the same script as a static file",
      },
      {
        path: "/api/animes/full?limit_count=30",
        bareLabel: "a listing from memory, bare node:http",
        label: "the same listing from the public cache",
      },
      {
        path: "/v4/anime/1",
        bareLabel: "a title of /v4 from memory, bare node:http",
        label: "the same title from the public cache",
      },
      {
        path: "/",
        bareLabel: "the home page from memory, bare node:http",
        label: "the same page as a visitor gets it",
      },
      {
        path: "/healthz",
        bareLabel: "short JSON from memory, bare node:http",
        label: "the same JSON from a resource route (/healthz)",
      },
    ];
    const site = await startSite({
      RATE_LIMIT_CATALOG_POINTS: "1000000",
      RATE_LIMIT_PAGE_POINTS: "1000000",
    });
    const rows: Row[] = [];
    for (const one of cases) rows.push(...(await compare(site, one)));
    await site.stop();
    return rows;
  },
};
export default bench;

/** The headers of an answer, except those that every Node server sends by itself. */
const headersOf = (sent: Response) =>
  Object.fromEntries(
    [...sent.headers].filter(([name]) => !/^(?:connection|content-length|date|keep-alive)$/.test(name)),
  );

async function compare(site: Served, { path, bareLabel, label }: Case): Promise<Row[]> {
  const folder = temporaryFolder("bench");
  const file = join(folder, "answer");
  const sent = await fetch(site.origin + path, { headers });
  await writeFile(file, Buffer.from(await sent.arrayBuffer()));
  const bare = await startBareServer("memory", file, headersOf(sent));
  // Sends requests before the measurement, because the first thousands of answers of a process take twice as long.
  for (const served of [bare, site]) await requestsPerProcessorSecond(served, { path, headers });
  const rate = await mediansInTurns(5, {
    bare: () => requestsPerProcessorSecond(bare, { path, headers }),
    site: () => requestsPerProcessorSecond(site, { path, headers }),
  });
  await bare.stop();
  const unit = "requests/s";
  return [
    { label: bareLabel, value: rate.bare, unit },
    { label, value: rate.site, unit, baseline: rate.bare },
  ];
}
