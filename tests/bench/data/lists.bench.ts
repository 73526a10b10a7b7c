import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Bench, Row } from "../bench.ts";
import { importGenerated } from "./generated-catalog.ts";
import { median } from "../measuring/median.ts";
import { type Served, startSite } from "../measuring/servers.ts";

const entries = 10_000;

/** Seconds, and bounded memory, is what is asked of each. */
const bench: Bench = {
  title: `Lists of ${entries.toLocaleString("en")} entries`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "engawa-bench-lists-"));
    const site = await startSite({ DATA_DIR: folder });
    await importGenerated(folder, entries);
    const rows = await measure(site);
    await site.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    return rows;
  },
};
export default bench;

async function measure(site: Served): Promise<Row[]> {
  const call = await asMember(site);
  const rest = site.residentBytes();
  let most = rest;
  const watching = setInterval(() => {
    most = Math.max(most, site.residentBytes());
  }, 20);
  const rows: Row[] = [];
  const time = async (what: string, work: () => Promise<unknown>, rounds = 3) => {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      await work();
      taken.push(performance.now() - begun);
    }
    rows.push({ what, value: median(taken), unit: "ms" });
  };
  const [list, rescored] = [listFile((id) => id % 11), listFile((id) => 1 + ((id + 5) % 10))];
  let undo: string | null = null;
  await time("preview of a list not yet there", () => call("/import?preview=1", { file: list }));
  await time("its import", () => call("/import", { file: list }), 1);
  await time("the same again", () => call("/import", { file: list }));
  const replace = async () => {
    undo = ((await call("/import?scores=replace", { file: rescored })) as { data: { undo: string } }).data
      .undo;
  };
  await time("an import that changes nearly every entry", replace, 1);
  await time("its undo", () => call("/import/undo", { json: { undo } }), 1);
  await time("listing", () => call(""));
  await time("export as XML", () => call("/export?format=xml"));
  await time("export as JSON", () => call("/export?format=json"));
  await time("change of one entry", () => call("", { json: { animeId: 1, type: "Completed" } }), 20);
  clearInterval(watching);
  return [
    ...rows,
    { what: "memory above that at rest, at most", value: (most - rest) / 2 ** 20, unit: "MiB" },
  ];
}

/** Two megabytes and a half, gzipped as MyAnimeList gives it. */
function listFile(scoreOf: (id: number) => number) {
  const tags = Array.from({ length: entries }, (_, index) => animeTag(index + 1, scoreOf(index + 1)));
  return new Blob([gzipSync(`<myanimelist>${tags.join("")}</myanimelist>`)], { type: "application/gzip" });
}

const animeTag = (id: number, score: number) => `<anime><series_animedb_id>${id}</series_animedb_id>
  <series_title><![CDATA[Title ${id}]]></series_title><my_watched_episodes>${id % 25}</my_watched_episodes>
  <my_score>${score}</my_score><my_status>Watching</my_status>
  <my_comments><![CDATA[${"word ".repeat(20)}]]></my_comments></anime>`;

type Sent = { json?: unknown; file?: Blob };

/** Somebody signed up just now, and what they ask of their list. */
async function asMember(site: Served) {
  const send = (path: string, { json, file }: Sent, headers: Record<string, string> = {}) =>
    fetch(site.origin + path, {
      ...(file && { method: "POST", body: file }),
      ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
      headers: { ...headers, ...(json !== undefined && { "Content-Type": "application/json" }) },
    });
  const json = { username: "Bench", email: "bench@example.org", password: "Abc123!x" };
  const cookies = (await send("/api/auth/signup", { json })).headers.getSetCookie();
  const Cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  return async (path: string, sent: Sent = {}): Promise<unknown> => {
    const response = await send(`/api/user/watchList${path}`, sent, { Cookie });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return text.startsWith("{") ? JSON.parse(text) : text;
  };
}
