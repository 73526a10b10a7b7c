import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Goal: the posters of a first visit to Browse are drawn within 1.0 s. */

const postersOfBrowse = 36;
const goalMs = 1000;
const rounds = 7;
/** The number of connections that a browser opens to one site. */
const connections = 6;

const bench: Bench = {
  title: `The ${postersOfBrowse} posters of a first visit to Browse, ${connections} at once`,
  async run() {
    const folder = temporaryFolder("bench-posters");
    const settings = { DATA_DIR: folder };
    const site = await startSite(settings);
    await importGenerated(folder, (rounds + 1) * postersOfBrowse);
    const drawn = await visits(site.origin);
    await site.stop();
    const again = await startSite(settings);
    const kept = await visits(again.origin);
    await again.stop();
    const row = (label: string, value: number): Row => ({ label, value, unit: "ms", baseline: goalMs });
    return [row("drawn", drawn), row("kept on disk, after a restart", kept)];
  },
};
export default bench;

/** Loads the posters of different titles in each visit. The first visit warms up. */
async function visits(origin: string) {
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round++) taken.push(await visit(origin, round * postersOfBrowse));
  return median(taken.slice(1));
}

async function visit(origin: string, from: number) {
  const startedAt = performance.now();
  let next = 1;
  const read = async () => {
    while (next <= postersOfBrowse) {
      const path = `/poster/${from + next++}.webp?w=320`;
      const answer = await fetch(origin + path);
      await answer.arrayBuffer();
      const kind = answer.headers.get("Content-Type");
      if (kind !== "image/webp") throw new Error(`${path} answered ${answer.status} with ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, read));
  return performance.now() - startedAt;
}
