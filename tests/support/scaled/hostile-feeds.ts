import { expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signInAt } from "#tests/support/requests/session-member.ts";
import { attacks, type Kind, kinds } from "#tests/support/servers/hostile-feeds.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { addOperator, besideSite, runTool, spawnTool } from "#tests/support/site/command-line-tools.ts";
import { type Site, startSite } from "#tests/support/site/site-process.ts";

/** A running site reads its feeds by itself, in a separate process. */

const email = "operator@example.org";
const attackOfSite = "colliding-ids";

/** The text of each feed on /admin/feeds: its table row and its last runs. */
async function readResults({ origin }: Site, cookie: string): Promise<(name: string) => string> {
  const page = await fetch(`${origin}/admin/feeds`, { headers: { Cookie: cookie } });
  expect(page.status).toBe(200);
  const parts = (await page.text()).replaceAll("<!-- -->", "").split(/<tr>|<section /);
  return (name) => parts.filter((part) => part.includes(`${name}"`)).join("\n");
}

const readByTool = async (site: Site, feed: string) => {
  const settings = { ...besideSite(site), CATALOG_FEEDS: feed };
  const { stdout, stderr } = await spawnTool("catalog-feeds", ["--now"], { settings });
  return stdout + stderr;
};

const titlesOf = (site: Site) =>
  runTool(site, "catalog-export", [])
    .split("\n")
    .filter((line) => line.startsWith('{"kind":"title"'))
    .map((line) => JSON.parse(line) as { mal_id: number });

/** `isWanted` chooses the attacks of each kind. */
export function testHostileFeeds(name: string, isWanted: (kind: Kind, attack: string) => boolean) {
  // A reader that takes too much memory is ended, and the page would then say that its run was cut off.
  test(name, () => readHostileFeeds(isWanted));
}

async function readHostileFeeds(isWanted: (kind: Kind, attack: string) => boolean) {
  const upstream = await startUpstream((request, response) => {
    const [, kind = "", attack = ""] = (request.url ?? "").split(/[/?]/);
    attacks[attack]?.answer(kind as Kind)(request, response);
  });
  const all = kinds.flatMap((kind) =>
    Object.entries(attacks)
      .filter(([attack]) => isWanted(kind, attack))
      .map(([attack, { says }]) => ({
        kind,
        attack,
        name: `${kind} ${upstream.origin}/${kind}/${attack}`,
        expected: says instanceof RegExp ? says : says[kind],
        feed: `${kind} 7d ${upstream.origin}/${kind}/${attack}`,
      })),
  );
  // A catalog follows one other Engawa. The tool reads the other feeds one after the other.
  const isFurther = ({ kind, attack }: (typeof all)[number]) => kind === "engawa" && attack !== attackOfSite;
  const own = all.filter((one) => !isFurther(one));
  const site = await startSite({ CATALOG_FEEDS: own.map(({ feed }) => feed).join(",") }, { isQuiet: true });
  addOperator(site, email, goodPassword);
  const { cookie } = await signInAt(site.origin, email);
  const last = own.at(-1);
  await expect
    .poll(async () => (await readResults(site, cookie))(last?.name ?? ""), {
      timeout: 170_000,
      interval: 500,
    })
    .toMatch(last?.expected ?? /./);
  const said = await readResults(site, cookie);
  for (const { name, expected } of own) expect.soft(said(name), name).toMatch(expected);
  for (const { name, feed, expected } of all.filter(isFurther))
    expect.soft(await readByTool(site, feed), name).toMatch(expected);
  expect(upstream.requests.filter((one) => one.includes("/private"))).toEqual([]);
  expect(titlesOf(site).filter(({ mal_id }) => mal_id < 800_000).length).toBeGreaterThanOrEqual(475);
  // One title is from the starter catalog, the other from a feed.
  for (const malId of [1, 810_000])
    expect((await fetch(`${site.origin}/api/animes/getAnime?id=${malId}`)).status).toBe(200);
}
