import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { requestsPerProcessorSecond } from "#tests/bench/measuring/http-load.ts";
import { median, mediansInTurns, quantile } from "#tests/bench/measuring/median.ts";
import { installPeers } from "#tests/bench/measuring/peers.ts";
import { type Served, start, startBareServer, startSite } from "#tests/bench/measuring/servers.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const parallelRequests = 16;
const repeats = 3;

/** Serves one picture at every path, so that each request can name a picture that the proxy has not cached. */
async function startPictures() {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 24 };
  const picture = await sharp({
    create: { width: 1920, height: 1080, channels: 3, background: "#234", noise },
  })
    .composite([
      {
        input: Buffer.from(
          '<svg width="1920" height="1080"><circle cx="700" cy="500" r="420" fill="#d95"/><rect x="1200" y="100" width="500" height="800" fill="#5a9" opacity=".7"/></svg>',
        ),
      },
    ])
    .blur(1.2)
    .jpeg({ quality: 88 })
    .toBuffer();
  const server = createServer((_request, response) =>
    response.writeHead(200, { "Content-Type": "image/jpeg", "Content-Length": picture.length }).end(picture),
  );
  return {
    origin: `http://127.0.0.1:${await listenLocally(server)}`,
    close: () => server.close(),
  };
}

type AddressOf = (origin: string, picture: string, format: string) => string;

const ours: AddressOf = (origin, picture, format) =>
  `${origin}/api/proxy?w=640&q=50&format=${format}&url=${encodeURIComponent(picture)}`;
const theirs: AddressOf = (origin, picture, format) => `${origin}/w_640,f_${format},q_50/${picture}`;

let nextPicture = 0;

/** Requests new pictures, several at once. */
async function firstRequests(
  pictures: string,
  { origin, totalCpuSeconds }: Served,
  addressOf: AddressOf,
  format: string,
  count: number,
) {
  const times: number[] = [];
  const todo = Array.from({ length: count }, () =>
    addressOf(origin, `${pictures}/${nextPicture++}.jpg`, format),
  );
  const startedAt = performance.now();
  const usedBefore = totalCpuSeconds();
  const worker = async () => {
    for (let url = todo.pop(); url; url = todo.pop()) {
      const sentAt = performance.now();
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await response.arrayBuffer();
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: parallelRequests }, worker));
  const rate = count / ((performance.now() - startedAt) / 1000);
  return {
    rate,
    p99: quantile(times, 0.99),
    cpuMs: ((totalCpuSeconds() - usedBefore) / count) * 1000,
  };
}

/** The median time of small requests, sent one after another while `work` runs. */
async function medianTimeDuring({ origin }: Served, path: string, work: Promise<unknown>) {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const sentAt = performance.now();
    await (await fetch(origin + path)).arrayBuffer();
    times.push(performance.now() - sentAt);
    await new Promise((next) => setTimeout(next, 5));
  }
  await over;
  return median(times);
}

async function measureRepeats(site: Served): Promise<Row[]> {
  const poster = `${site.origin}/poster/${await firstTitleId(site)}.webp?w=400`;
  const path = ours("", poster, "webp");
  const folder = temporaryFolder("bench");
  const file = join(folder, "kept.webp");
  await writeFile(file, Buffer.from(await (await fetch(site.origin + path)).arrayBuffer()));
  const bare = await startBareServer("memory", file, { "Content-Type": "image/webp" });
  // Requests a page first, as on every site in use: after its first page, a process takes longer for each promise.
  await (await fetch(site.origin)).text();
  const rate = await mediansInTurns(repeats, {
    bare: () => requestsPerProcessorSecond(bare, { path }),
    site: () => requestsPerProcessorSecond(site, { path }),
  });
  await bare.stop();
  return [
    { label: "a picture from memory, bare node:http", value: rate.bare, unit: "requests/s" },
    {
      label: "the same picture, repeated requests to our proxy",
      value: rate.site,
      unit: "requests/s",
      baseline: rate.bare,
    },
  ];
}

async function firstTitleId(site: Served) {
  const listing = await (await fetch(`${site.origin}/api/animes/full?limit_count=1`)).json();
  return (listing as { data: { mal_id: number }[] }).data[0]?.mal_id;
}

async function measureFirst(site: Served, pictures: string, peers: string): Promise<Row[]> {
  const alone = await start([resolve("tests/bench/media/image-peers.mjs"), "sharp", peers, pictures], {});
  const ipx = await start([resolve("tests/bench/media/image-peers.mjs"), "ipx", peers, pictures], {});
  const contestants = { alone: [alone, ours], site: [site, ours], ipx: [ipx, theirs] } as const;
  const rows: Row[] = [];
  for (const [format, count] of [
    ["webp", 48],
    ["avif", 16],
  ] as const) {
    const rates: Record<string, number[]> = {};
    const tails: Record<string, number[]> = {};
    const costs: Record<string, number[]> = {};
    for (let round = 0; round < 3; round++)
      for (const [name, [served, addressOf]] of Object.entries(contestants)) {
        const { rate, p99, cpuMs } = await firstRequests(pictures, served, addressOf, format, count);
        // The first round warms up.
        if (round === 0) continue;
        rates[name] = [...(rates[name] ?? []), rate];
        tails[name] = [...(tails[name] ?? []), p99];
        costs[name] = [...(costs[name] ?? []), cpuMs];
      }
    const baseline = median(rates.alone ?? []);
    const labels = { alone: "sharp alone", site: "our proxy", ipx: "ipx" };
    for (const [name, label] of Object.entries(labels)) {
      rows.push({
        label: `first requests, ${format}, ${label}`,
        value: median(rates[name] ?? []),
        unit: "pictures/s",
        baseline,
      });
      rows.push({
        label: `first requests, ${format}, ${label}, processor time of one`,
        value: median(costs[name] ?? []),
        unit: "ms",
        baseline: median(costs.alone ?? []),
      });
      rows.push({
        label: `first requests, ${format}, ${label}, p99`,
        value: median(tails[name] ?? []),
        unit: "ms",
      });
    }
  }
  await Promise.all([alone.stop(), ipx.stop()]);
  return rows;
}

async function measureSmallAnswers(site: Served, pictures: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of ["/healthz", "/api/animes/full?limit_count=30"]) {
    const idle = await medianTimeDuring(site, path, new Promise((done) => setTimeout(done, 1500)));
    const busy = await medianTimeDuring(site, path, firstRequests(pictures, site, ours, "webp", 48));
    rows.push({ label: `${path}, idle server`, value: idle, unit: "ms" });
    rows.push({ label: `${path}, while pictures are converted`, value: busy, unit: "ms", baseline: idle });
  }
  return rows;
}

const bench: Bench = {
  title: `Pictures: 1920 × 1080 to 640 at quality 50, ${parallelRequests} at once`,
  async run() {
    // Sets a low priority for the peers, because our conversions run at low priority too.
    setPriority(10);
    const peers = await installPeers({ ipx: "3.1.1" });
    const pictures = await startPictures();
    const site = await startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" });
    try {
      return [
        ...(await measureRepeats(site)),
        ...(await measureFirst(site, pictures.origin, peers)),
        ...(await measureSmallAnswers(site, pictures.origin)),
      ];
    } finally {
      await site.stop();
      pictures.close();
    }
  },
};
export default bench;
