import { once } from "node:events";
import { expect, test } from "vitest";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { postmasterOf } from "#tests/support/site/memory.ts";
import { newDataDir, type Site, startSite } from "#tests/support/site/site-process.ts";

/** kill -9 while a member writes to a site with the embedded database. tests/system kills processes that have no site. */

const writesBeforeTheCut = 200;

const settings = () => ({ DATA_DIR: newDataDir(), RATE_LIMIT_POINTS: "1000000" });

const isReady = async (site: Site) => (await fetch(`${site.origin}/readyz`).catch(() => null))?.ok ?? false;

/** Writes until a write fails after the cut. Returns the acknowledged writes. */
async function writeUntilCut(site: Site, member: Member, cut: () => void) {
  const acknowledged: string[] = [];
  for (;;) {
    const query = `what was written ${acknowledged.length}`;
    const write = () => member.ask(`${site.origin}/api/user/searchHistory`, { query });
    const isCut = acknowledged.length >= writesBeforeTheCut;
    const answer = isCut ? await write().catch(() => null) : await whenFree(write);
    if (!answer?.ok) return acknowledged;
    acknowledged.push(query);
    if (acknowledged.length === writesBeforeTheCut) cut();
  }
}

async function written(site: Site, member: Member) {
  const answer = await member.ask(`${site.origin}/api/user/searchHistory?limit=500`);
  return (await answer.text()).match(/what was written \d+/g) ?? [];
}

const killServer = (site: Site) => site.process.kill("SIGKILL");
const killDatabase = (site: Site) => process.kill(postmasterOf(site.dataDir)!, "SIGKILL");
const cuts = {
  "the server": killServer,
  "the database": killDatabase,
  both: (site: Site) => {
    killDatabase(site);
    killServer(site);
  },
};

test.each(Object.keys(cuts) as (keyof typeof cuts)[])(
  "kill -9 of %s loses no acknowledged write and no session",
  async (whose) => {
    const shared = settings();
    const site = await startSite(shared);
    const member = await signUpAt(site.origin, "writer@example.org");
    const acknowledged = await writeUntilCut(site, member, () => cuts[whose](site));
    expect(acknowledged.length).toBeGreaterThanOrEqual(writesBeforeTheCut);

    let survivor = site;
    if (whose === "the database") await expect.poll(() => isReady(site)).toBe(true);
    else {
      if (site.process.signalCode === null) await once(site.process, "exit");
      survivor = await startSite(shared);
    }
    expect(await written(survivor, member)).toEqual(expect.arrayContaining(acknowledged));
    await survivor.stop();
  },
);

test("two servers started at once on one empty folder both start and share one database", async () => {
  const shared = settings();
  const [one, other] = await Promise.all([startSite(shared), startSite(shared)]);
  const member = await signUpAt(one.origin, "first@example.org");
  const list = await member.ask(`${other.origin}/api/user/watchList`);
  expect(list.status).toBe(200);
});

test("the site keeps running after the reader of its log closes the pipe", async () => {
  const site = await startSite(settings());
  for (const output of [site.process.stdout, site.process.stderr]) output?.destroy();
  // Every request writes a line to the log. The first line after the pipe closes causes the error.
  for (let request = 0; request < 20; request++) expect(await isReady(site)).toBe(true);
  await site.stop();
  expect(site.process.exitCode).toBe(0);
});
