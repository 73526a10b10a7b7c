import { writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { driverArguments } from "#db/driver-arguments.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { measureSharedLimit } from "#tests/support/site/shared-limits.ts";
import { newDataDir } from "#tests/support/site/site-process.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** Two instances behind nginx (ops/nginx.conf), with one PostgreSQL and one Redis, share sessions, lists, limits and catalog. */

const videoPoints = 20;
const { origin, one, other, settings } = await startTwoInstances({
  RATE_LIMIT_POINTS: "1000000",
  RATE_LIMIT_VIDEO_POINTS: String(videoPoints),
  RATE_LIMIT_SECONDS: "86400",
});

test("a session and an entry written at one instance are valid at the other, and signing out ends both", async () => {
  const member = await signUpAt(one.origin, "both@example.org", origin);
  const session = await member.ask(`${other.origin}/api/auth/session`);
  expect(JSON.stringify(await session.json())).toContain(member.email);

  const entry = { animeId: 900000001, type: "Watching", progress: 1 };
  expect((await member.ask(`${other.origin}/api/user/watchList`, entry)).status).toBeLessThan(300);
  const list = await member.ask(`${one.origin}/api/user/watchList`);
  expect(await list.text()).toContain("900000001");

  const signIn = { email: member.email, password: goodPassword };
  const signedIn = new Member(
    origin,
    member.email,
    await member.ask(`${other.origin}/api/auth/signin`, signIn),
  );
  // The second sign-in has ended the earlier session on both instances.
  for (const { origin: at } of [one, other]) {
    expect((await signedIn.ask(`${at}/api/user/watchList`)).status).toBe(200);
    expect((await member.ask(`${at}/api/user/watchList`)).status).toBe(401);
  }
  expect((await signedIn.ask(`${one.origin}/api/auth/signout`, {})).status).toBeLessThan(400);
  expect((await signedIn.ask(`${other.origin}/api/user/watchList`)).status).toBe(401);
});

test("a member's change at one instance shows on the pages of the other at once", async () => {
  const member = await signUpAt(one.origin, "pages@example.org", origin);
  const texts = {
    "/": "from Continue watching",
    "/search?q=engawa": "Watching · 1 / 3",
    "/anime/900000001/engawa": "Watching · 1/3",
  };
  const shown = async (at: string) =>
    Promise.all(
      Object.entries(texts).map(async ([path, text]) => {
        const answer = await whenFree(() => member.ask(at + path));
        expect(answer.status).toBe(200);
        return (await answer.text()).replaceAll("<!-- -->", "").includes(text);
      }),
    );
  for (const site of [one, other])
    for (let visit = 0; visit < 2; visit++) expect(await shown(site.origin)).toEqual([false, false, false]);
  const entry = { animeId: 900000001, type: "Watching", progress: 1 };
  expect((await member.ask(`${one.origin}/api/user/watchList`, entry)).status).toBeLessThan(300);
  expect(await shown(other.origin)).toEqual([true, true, true]);
});

test("both instances count one limit for the client IP that nginx adds, and ignore the client's own header", async () => {
  const ask = (at: string, headers = {}) => fetch(`${at}/api/videoProxy?url=none`, { headers });
  const direct = await measureSharedLimit([one, other], async (headers) => {
    const remaining: (string | null)[] = [];
    for (let hit = 0; hit < videoPoints; hit++) {
      const answer = await ask([one.origin, other.origin][hit % 2] ?? "", headers);
      remaining.push(answer.headers.get("X-RateLimit-Remaining"));
    }
    const statuses = [await ask(one.origin, headers), await ask(other.origin, headers)].map(
      ({ status }) => status,
    );
    return { headers, remaining, statuses };
  });
  expect(direct).toMatchObject({
    remaining: Array.from({ length: videoPoints }, (_, hit) => String(videoPoints - 1 - hit)),
    statuses: [429, 429],
  });

  // nginx adds the real client IP, so a header from the client changes nothing.
  const through = await ask(origin, direct.headers);
  expect([through.status, through.headers.get("X-RateLimit-Remaining")]).toEqual([
    400,
    String(videoPoints - 1),
  ]);
});

/** It takes a second, and longer on a slow machine. Cached pages would end by themselves after a minute. */
const soon = { timeout: 45_000, interval: 20 };

test("an import beside one instance soon shows on both, also in cached answers", async () => {
  const total = async (at: string) => {
    const { meta } = (await (await fetch(`${at}/api/animes/full?studio_filter=Veranda`)).json()) as {
      meta: { total_items: number };
    };
    return meta.total_items;
  };
  const totals = () => Promise.all([one, other].map((site) => total(site.origin)));
  expect([...(await totals()), ...(await totals())]).toEqual([0, 0, 0, 0]);
  await importTitle({ mal_id: 777_002, title: "Newcomer", studios: ["Veranda"] });
  await expect.poll(totals, soon).toEqual([1, 1]);
});

test("a title that becomes adult soon leaves the cached pages of both instances", async () => {
  const title = { mal_id: 777_003, title: "Lantern Keeper", studios: ["Lantern House"] };
  await importTitle(title);
  const addresses = [one, other].flatMap((site) => [
    `${site.origin}/anime/777003/lantern-keeper`,
    `${site.origin}/search?q=lantern`,
  ]);
  const named = () =>
    Promise.all(addresses.map(async (at) => (await (await fetch(at)).text()).includes("Lantern Keeper")));
  await expect.poll(named, soon).toEqual([true, true, true, true]);
  await named();
  await importTitle({ ...title, rating: "Rx - Hentai" });
  await expect.poll(named, soon).toEqual([false, false, false, false]);
});

test("a title that an operator hides soon leaves the pages of visitors and members on both instances", async () => {
  await importTitle({ mal_id: 777_004, title: "Paper Harbor", studios: ["Lantern House"] });
  const change = await newOperator("keeper@example.org");
  const reader = await signUpAt(other.origin, "reader@example.org", origin);
  const addresses = ["/anime/777004/paper-harbor", "/browse?studio=Lantern+House"];
  const named = async () => [
    ...(await whatNames("Paper Harbor", addresses, fetch)),
    ...(await whatNames("Paper Harbor", addresses, (at) => reader.ask(at))),
  ];
  const everywhere = Array(8).fill(true);
  await expect.poll(named, soon).toEqual(everywhere);
  await change("/admin/hidden", { id: "777004", intent: "hide" });
  await expect.poll(named, soon).toEqual(Array(8).fill(false));
  await change("/admin/hidden", { id: "777004", intent: "show" });
  await expect.poll(named, soon).toEqual(everywhere);
});

test("a local title replaced by a catalog title soon leaves members' pages on both instances", async () => {
  await importTitle({ mal_id: 777_005, title: "Harbor Letters", studios: ["Lantern House"] });
  const change = await newOperator("archivist@example.org");
  const reader = await signUpAt(other.origin, "patron@example.org", origin);
  const made = await change("/admin/title", { intent: "create-local", title: "Attic Films", type: "TV" });
  const page = made.headers.get("Location") ?? "";
  const addresses = [`/anime/${page.split("=")[1]}/attic-films`, "/search?q=attic+films"];
  const named = () => whatNames("Attic Films</", addresses, (at) => reader.ask(at));
  await expect.poll(named, soon).toEqual(Array(4).fill(true));
  await change(page, { intent: "replace", by: "777005" });
  await expect.poll(named, soon).toEqual(Array(4).fill(false));
});

/** Whether each page contains the name, first on one instance and then on the other. */
const whatNames = (name: string, paths: string[], ask: (address: string) => Promise<Response>) =>
  Promise.all(
    [one, other].flatMap((site) =>
      paths.map(async (path) => (await (await ask(site.origin + path)).text()).includes(name)),
    ),
  );

/** Returns a function that sends an operator's forms to the one instance. */
async function newOperator(email: string) {
  const operator = await signUpAt(one.origin, email, origin);
  const sql = postgres(...driverArguments(settings.DATABASE_URL, { max: 1 }));
  await sql`update users set role = 'operator' where email = ${operator.email}`;
  await sql.end();
  return async (path: string, form: Record<string, string>) => {
    const headers = { Cookie: operator.cookie, Origin: origin };
    const body = new URLSearchParams(form);
    const answer = await fetch(one.origin + path, { method: "POST", headers, body, redirect: "manual" });
    expect(answer.status).toBeLessThan(400);
    return answer;
  };
}

async function importTitle(title: object) {
  const file = join(newDataDir(), "new.ndjson");
  writeFileSync(file, `${JSON.stringify(title)}\n`);
  const imported = await spawnTool("catalog-import", [file], {
    settings: { ...settings, DATA_DIR: one.dataDir },
  });
  expect(imported.code, imported.stderr).toBe(0);
}
