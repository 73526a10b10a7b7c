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

/** Against the same bytes sent by node:http alone; the goal is half of it, and an eighth through the router. */
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
    const ask = (origin: string, path: string) => () => requestsPerSecond(origin, { path, headers });
    const rate = await mediansInTurns(5, {
      bareAsset: ask(bare.asset.origin, asset),
      asset: ask(site.origin, asset),
      bareListing: ask(bare.listing.origin, listing),
      listing: ask(site.origin, listing),
      barePlain: ask(bare.plain.origin, paths.plain),
      plain: ask(site.origin, paths.plain),
    });
    await Promise.all([site, ...Object.values(bare)].map((server) => server.stop()));
    await rm(folder, { recursive: true });
    const unit = "requests/s";
    return [
      { what: "bare node:http, the bytes of a script", value: rate.bareAsset, unit },
      { what: "the script as a static file", value: rate.asset, unit, against: rate.bareAsset },
      { what: "bare node:http, the bytes of a listing", value: rate.bareListing, unit },
      { what: "the listing from the public cache", value: rate.listing, unit, against: rate.bareListing },
      { what: "bare node:http, a few bytes of JSON", value: rate.barePlain, unit },
      { what: "a plain resource route (/healthz)", value: rate.plain, unit, against: rate.barePlain },
    ];
  },
};
export default bench;
