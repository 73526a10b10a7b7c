import { gzipSync } from "node:zlib";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const entries = 10_000;

/** Goal: with files of maxBytes, every operation takes seconds and a bounded amount of memory. */
const bench: Bench = {
  title: `Lists of ${entries.toLocaleString("en")} entries`,
  async run() {
    const folder = temporaryFolder("bench-lists");
    const site = await startSite({ DATA_DIR: folder });
    await importGenerated(folder, entries);
    const rows = await measure(site);
    await site.stop();
    return rows;
  },
};
export default bench;

async function measure(site: Served): Promise<Row[]> {
  const call = await asMember(site);
  const idleBytes = site.residentBytes();
  let maxBytes = idleBytes;
  const sampling = setInterval(() => {
    maxBytes = Math.max(maxBytes, site.residentBytes());
  }, 20);
  const rows: Row[] = [];
  const time = async (label: string, work: () => Promise<unknown>, rounds = 3) => {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      await work();
      taken.push(performance.now() - startedAt);
    }
    rows.push({ label, value: median(taken), unit: "ms" });
  };
  const [list, rescored] = [listFile((id) => id % 11), listFile((id) => 1 + ((id + 5) % 10))];
  let undo: string | null = null;
  await time("preview of a new list", () => call("/import?preview=1", { file: list }));
  await time("import of the new list", () => call("/import", { file: list }), 1);
  await time("import of the same list again", () => call("/import", { file: list }));
  const replace = async () => {
    undo = ((await call("/import?scores=replace", { file: rescored })) as { data: { undo: string } }).data
      .undo;
  };
  await time("an import that changes nearly every entry", replace, 1);
  await time("undo of that import", () => call("/import/undo", { json: { undo } }), 1);
  await time("the whole list", () => call(""));
  await time("export as XML", () => call("/export?format=xml"));
  await time("export as JSON", () => call("/export?format=json"));
  await time("update of one entry", () => call("", { json: { animeId: 1, type: "Completed" } }), 20);
  clearInterval(sampling);
  return [
    ...rows,
    { label: "memory above the idle server, maximum", value: (maxBytes - idleBytes) / 2 ** 20, unit: "MiB" },
  ];
}

/** A list in MyAnimeList's XML, gzipped like its export. */
function listFile(scoreOf: (id: number) => number) {
  const tags = Array.from({ length: entries }, (_, index) => animeTag(index + 1, scoreOf(index + 1)));
  return new Blob([gzipSync(`<myanimelist>${tags.join("")}</myanimelist>`)], { type: "application/gzip" });
}

const animeTag = (id: number, score: number) => `<anime><series_animedb_id>${id}</series_animedb_id>
  <series_title><![CDATA[Title ${id}]]></series_title><my_watched_episodes>${id % 25}</my_watched_episodes>
  <my_score>${score}</my_score><my_status>Watching</my_status>
  <my_comments><![CDATA[${"word ".repeat(20)}]]></my_comments></anime>`;

type Sent = { json?: unknown; file?: Blob };

/** Signs a member up and returns a function that sends requests to their list. */
async function asMember(site: Served) {
  const { cookie } = await signUpAt(site.origin, "bench@example.org");
  return async (path: string, { json, file }: Sent = {}): Promise<unknown> => {
    const response = await fetch(`${site.origin}/api/user/watchList${path}`, {
      ...(file && { method: "POST", body: file }),
      ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
      headers: { Cookie: cookie, ...(json !== undefined && { "Content-Type": "application/json" }) },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return text.startsWith("{") ? JSON.parse(text) : text;
  };
}
