import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { requestsPerSecond } from "../measuring/http-load.ts";
import { mediansInTurns } from "../measuring/median.ts";
import { startBareServer, startSite } from "../measuring/servers.ts";

const headers = { "Accept-Encoding": "identity" };
const listing = "/api/animes/full?limit_count=30";

/** Compares with bare node:http that sends the same bytes. Goals: half of its rate, and an eighth through the router. */
const bench: Bench = {
  title: "Small answers: requests a second, one process, 32 connections",
  async run() {
    const asset = `/assets/${readdirSync("build/client/assets").find((name) => /^root-.*\.js$/.test(name))}`;
    const site = await startSite();
    const folder = await mkdtemp(join(tmpdir(), "engawa-bench-"));
    const bareFor = async (path: string) => {
      const file = join(folder, path.replace(/\W/g, "_"));
      await writeFile(file, Buffer.from(await (await fetch(site.origin + path, { headers })).arrayBuffer()));
      return startBareServer("memory", file, "application/json");
    };
    const paths = { asset, listing, plain: "/healthz" };
    const bare = {
      asset: await bareFor(asset),
      listing: await bareFor(listing),
      plain: await bareFor("/healthz"),
    };
    const measure = (origin: string, path: string) => () => requestsPerSecond(origin, { path, headers });
    const rate = await mediansInTurns(5, {
      bareAsset: measure(bare.asset.origin, asset),
      asset: measure(site.origin, asset),
      bareListing: measure(bare.listing.origin, listing),
      listing: measure(site.origin, listing),
      barePlain: measure(bare.plain.origin, paths.plain),
      plain: measure(site.origin, paths.plain),
    });
    await Promise.all([site, ...Object.values(bare)].map((server) => server.stop()));
    await rm(folder, { recursive: true });
    const unit = "requests/s";
    return [
      { label: "a script from memory, bare node:http", value: rate.bareAsset, unit },
      { label: "the same script as a static file", value: rate.asset, unit, baseline: rate.bareAsset },
      { label: "a listing from memory, bare node:http", value: rate.bareListing, unit },
      {
        label: "the same listing from the public cache",
        value: rate.listing,
        unit,
        baseline: rate.bareListing,
      },
      { label: "short JSON from memory, bare node:http", value: rate.barePlain, unit },
      {
        label: "the same JSON from a resource route (/healthz)",
        value: rate.plain,
        unit,
        baseline: rate.barePlain,
      },
    ];
  },
};
export default bench;
