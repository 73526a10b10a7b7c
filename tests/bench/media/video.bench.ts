import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Agent, get } from "node:http";
import { join, resolve } from "node:path";
import { rewritePlaylist } from "#app/domain/proxy/playlists/playlist.ts";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { comparedInTurns } from "#tests/bench/measuring/median.ts";
import { type Served, start, startSite } from "#tests/bench/measuring/servers.ts";

const gibibyte = 1024 ** 3;
const peerFolder = resolve("node_modules/.cache/bench-hls-proxy");
const peerPackage = "@warren-bank/hls-proxy@3.6.6";

/** Returns null if the package cannot be installed. The other measurements still run. */
async function startPeer(): Promise<Served | null> {
  try {
    if (!existsSync(join(peerFolder, "node_modules/@warren-bank/hls-proxy")))
      execFileSync(
        "npm",
        ["install", "--prefix", peerFolder, "--no-save", "--no-audit", "--no-fund", peerPackage],
        {
          stdio: "ignore",
          timeout: 120_000,
        },
      );
    return await start([resolve("tests/bench/media/video-peers.mjs"), "peer", peerFolder]);
  } catch {
    return null;
  }
}

/** Several viewers fetch segments one after another. Returns the server's processor seconds per gigabyte. */
async function cpuPerGigabyte(server: Served, url: string, viewers: number) {
  const before = server.cpuSeconds();
  const each = Math.max(2, Math.ceil(64 / viewers));
  const taken = await Promise.all(
    Array.from({ length: viewers }, (_, viewer) => fetchSegments(url, viewer, each)),
  );
  const bytes = taken.reduce((sum, one) => sum + one, 0);
  return ((server.cpuSeconds() - before) / bytes) * gibibyte;
}

async function fetchSegments(url: string, viewer: number, segments: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let bytes = 0;
  for (let i = 0; i < segments; i++) bytes += await fetchSegment(url, agent, viewer);
  agent.destroy();
  return bytes;
}

const fetchSegment = (url: string, agent: Agent, viewer: number) =>
  new Promise<number>((done, failed) => {
    const headers = { "X-Forwarded-For": `10.0.0.${viewer + 1}` };
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return failed(new Error(`answered ${response.statusCode}`));
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => done(bytes));
      response.on("error", failed);
    }).on("error", failed);
  });

function cpuToRewrite(text: string, base: string) {
  const rounds = 300;
  const before = process.cpuUsage();
  for (let i = 0; i < rounds; i++) Buffer.from(rewritePlaylist(text, base, new Map(), undefined));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds;
}

type Name = "bare" | "site" | "peer";
type Measures<Names extends string = Name> = Record<Names, () => Promise<number>>;
type Contestants = { bare: Served; site: Served; peer: Served | null };

async function measureSegments(upstream: Served, { bare, site, peer }: Contestants): Promise<Row[]> {
  const segment = `${upstream.origin}/segment.ts`;
  const rows: Row[] = [];
  for (const viewers of [8, 64]) {
    const through = (served: Served) => {
      const path =
        served === peer ? `/${btoa(segment)}.ts` : `/api/videoProxy?url=${encodeURIComponent(segment)}`;
      return () => cpuPerGigabyte(served, `${served.origin}${path}`, viewers);
    };
    const cost = await comparedInTurns<Name>(9, {
      bare: through(bare),
      site: through(site),
      ...(peer && { peer: through(peer) }),
    } as Measures);
    const unit = "CPU s/GB";
    const label = `segments of 6 MB, ${viewers} at once,`;
    rows.push({ label: `${label} bare proxy (undici.request and pipeline)`, value: cost.bare.value, unit });
    rows.push({ label: `${label} our proxy`, ...cost.site, unit });
    if (peer) rows.push({ label: `${label} @warren-bank/hls-proxy`, ...cost.peer, unit });
  }
  return rows;
}

async function measurePlaylists(upstream: Served, { site, peer }: Contestants): Promise<Row[]> {
  const url = `${upstream.origin}/show/index.m3u8`;
  const text = await (await fetch(url)).text();
  for (let i = 0; i < 3; i++) cpuToRewrite(text, url);
  const through = (served: Served, path: string) => () => cpuPerRequest(served, `${served.origin}${path}`);
  const cost = await comparedInTurns<"site" | "peer">(9, {
    site: through(site, `/api/videoProxy?url=${encodeURIComponent(url)}`),
    ...(peer && { peer: through(peer, `/${btoa(url)}.m3u8`) }),
  } as Measures);
  const unit = "CPU ms";
  const label = "a playlist of 2,000 segments,";
  const rows: Row[] = [
    { label: `${label} only rewritten`, value: cpuToRewrite(text, url), unit },
    { label: `${label} fetched and rewritten, our proxy`, value: cost.site.value, unit },
  ];
  if (!peer) return rows;
  return [
    ...rows,
    {
      label: `${label} fetched and rewritten, @warren-bank/hls-proxy`,
      value: cost.peer.value,
      unit,
    },
    {
      label: "playlists that our proxy answers in the time of one by @warren-bank/hls-proxy",
      value: cost.peer.ratio,
      unit: "playlists",
    },
  ];
}

async function cpuPerRequest(served: Served, url: string) {
  const requests = 256;
  const before = served.cpuSeconds();
  await Promise.all(Array.from({ length: 8 }, (_, viewer) => fetchSegments(url, viewer, requests / 8)));
  return ((served.cpuSeconds() - before) / requests) * 1000;
}

const bench: Bench = {
  title: "The video proxy",
  async run() {
    const script = resolve("tests/bench/media/video-peers.mjs");
    const upstream = await start([script, "upstream"]);
    const bare = await start([script, "bare"]);
    const peer = await startPeer();
    const site = await startSite({
      ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
      TRUST_PROXY: "1",
    });
    const contestants = { bare, site, peer };
    const rows = await measureSegments(upstream, contestants);
    rows.push(...(await measurePlaylists(upstream, contestants)));
    if (!peer) console.log(`(${peerPackage} could not be installed, so the table leaves it out.)`);
    await Promise.all([upstream, bare, site, peer].map((served) => served?.stop()));
    return rows;
  },
};
export default bench;
