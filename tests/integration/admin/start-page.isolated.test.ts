import { desc, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";

/** The administration's first page, titles opened by name, and the operator's texts about the site. */

Object.assign(process.env, {
  SITE_NAME: "The Porch <of> Somewhere",
  LEGAL_URL: "https://porch.example/imprint",
  PRIVACY_URL: "https://porch.example/privacy?a=1&b=2",
  CONTACT: "host@porch.example",
});
const { newMember, newOperator } = await import("#tests/support/requests/visitor.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { request } = await import("#tests/support/site/in-process.ts");
const { dataOf, htmlOf } = await import("#tests/support/requests/response-data.ts");
const { createSource, recordFailedPlay } = await import("#app/domain/playback/playback.server.ts");
const { unrestricted } = await import("#app/domain/visibility/visibility.server.ts");
const { recordEvent, commandLine } = await import("#app/domain/events/events.server.ts");
const { db } = await import("#db/client.server.ts");
const { securityEvents } = await import("#db/schema/events.ts");

const operator = await newOperator();

const open = (path: string) => htmlOf(operator.request(path));

/** The number that the start page says beside a label. */
async function count(label: string) {
  const html = await open("/admin");
  const [, number] = new RegExp(`${label}(?:</a>)?</dt><dd class="numeric">([^<]*)`).exec(html) ?? [];
  return number;
}

test("the start page counts a week's failed plays and present viewers, without naming members or titles", async () => {
  const malId = await someTitle({ episodes: 3, title: "Zqxfailed Lantern" });
  const watched = await someTitle({ episodes: 3, title: "Zqxwatched Lantern" });
  const member = await newMember();
  const [failed, watching] = [await count("Videos that failed in 7 days"), await count("Members watching")];
  const played = "https://films.example/2.mp4";
  await createSource({ malId, episode: 2, url: played });
  await recordFailedPlay({ malId, episode: 2, played, reason: "expired" }, unrestricted);
  for (const episode of [1, 2])
    await dataOf(
      member.request("/api/user/progress", {
        method: "PUT",
        json: { mal_id: watched, ep: episode, position: 60, duration: 1400 },
      }),
    );
  expect(await count("Videos that failed in 7 days")).toBe(String(Number(failed) + 1));
  expect(await count("Members watching")).toBe(String(Number(watching) + 1));
  const html = await open("/admin");
  // The page contains the searched texts elsewhere too: titles by their names, and its own reader.
  for (const named of ["Zqxfailed", operator.username]) expect(html).toContain(named);
  for (const secret of ["Zqxwatched", `${watched}`, member.email, member.id, member.username])
    expect(html).not.toContain(secret);
});

test("the start page says when the last backup was made", async () => {
  expect(await open("/admin")).toContain("No backup was made yet");
  expect(await count("Last backup")).toBe("–");
  expect(await count("Version")).toMatch(/^\d+\.\d+\.\d+/);
  const make = () => recordEvent({ kind: "backup_made", actor: commandLine });
  await make();
  expect(await count("Last backup")).toMatch(/now|second|minute/);
  // A late backup shows its age, also beside an older one.
  const aged = (age: string) =>
    db
      .update(securityEvents)
      .set({ at: sql`now() - ${age}::interval` })
      .where(eq(securityEvents.kind, "backup_made"));
  await aged("40 days");
  expect(await count("Last backup")).toBe("40 days ago");
  await make();
  expect(await count("Last backup")).toMatch(/now|second|minute/);
  await aged("12 days");
  expect(await count("Last backup")).toBe("12 days ago");
});

test("an episode is opened by the name of its title", async () => {
  const malId = 700_200_001;
  await importTitles([{ mal_id: malId, title: "Zqxfirst Lantern" }]);
  const html = await open("/admin/episode?id=zqxfirst+lantern&episode=2");
  expect(html).toContain("Zqxfirst Lantern");
  expect(html).toContain(`href="/admin/episode?id=${malId}&amp;episode=2"`);
  expect(await open("/admin/episode?id=zzyzxunheard&episode=2")).toContain(
    "The catalog has no title called zzyzxunheard.",
  );
});

test("a number finds the title with this id and those with this name, but none that only contains it", async () => {
  const [byId, named, holding] = [
    await someTitle({ title: "Zqx of an id" }),
    await someTitle({ episodes: 3 }),
    await someTitle({ episodes: 3 }),
  ];
  await importTitles([
    { mal_id: named, title: `${byId}` },
    { mal_id: holding, title: `The Road of ${byId}` },
  ]);
  const html = await open(`/admin/title?q=${byId}`);
  expect(html).toContain("Zqx of an id");
  expect(html).toContain(`id=${named}"`);
  expect(html).not.toContain("The Road of");
  const hidden = await htmlOf(operator.request("/admin/hidden", { form: { intent: "hide", id: `${byId}` } }));
  expect(hidden).toContain("Nobody sees Zqx of an id any more.");
});

test("a title is hidden by its whole name, and a part of a name hides none", async () => {
  await importTitles([
    { mal_id: 700_200_002, title: "Zqxsecond Lantern" },
    { mal_id: 700_200_003, title: "Zqxthird Lantern One", title_english: "Zqxenglish" },
    { mal_id: 700_200_004, title: "Zqxthird Lantern Two" },
  ]);
  const hide = (id: string) => htmlOf(operator.request("/admin/hidden", { form: { intent: "hide", id } }));
  expect(await hide("zqxsecond lantern")).toContain("Nobody sees Zqxsecond Lantern any more.");
  expect(await hide("zqxthird lantern")).toContain("It could be one of several titles.");
  expect(await hide("zqxthird lantern tw")).toContain(
    "Type the whole name or the catalog number: Zqxthird Lantern Two (catalog number 700200004).",
  );
  expect(await hide("zqxthird lantern two of")).not.toContain("Nobody sees");
  expect(await hide("zzyzxunheard")).toContain("No title has this name or this catalog number.");
  const hidden = await open("/admin/hidden");
  expect(hidden).not.toContain("Zqxthird");
  const row = /<tr[^>]*>(?:(?!<tr).)*Zqxsecond Lantern.*?<\/tr>/s.exec(hidden)?.[0] ?? "";
  expect(row.replaceAll(/<[^>]*>/g, "|")).not.toContain("|700200002|");
  expect(hidden).toContain("They stay on members&#x27; lists, out of sight until you show them again.");
  const show = () =>
    htmlOf(operator.request("/admin/hidden", { form: { intent: "show", id: "zqxsecond lantern" } }));
  for (const _again of [1, 2]) expect(await show()).toContain("Zqxsecond Lantern is shown again.");
  const changes = (await db.select().from(securityEvents).orderBy(desc(securityEvents.at))).filter(
    ({ detail }) => detail.startsWith("Zqxsecond Lantern (catalog number 700200002): "),
  );
  expect(changes.map(({ detail, operatorId }) => [detail.split(": ")[1], operatorId])).toEqual([
    ["shown again", operator.id],
    ["hidden", operator.id],
  ]);
});

test("a title's and an episode's page link operators to its films, but not members", async () => {
  const malId = 700_200_005;
  await importTitles([{ mal_id: malId, title: "Lantern", episodes: 3 }]);
  const created = await createSource({ malId, episode: 2, url: "https://films.example/2.mp4" });
  expect(created.ok).toBe(true);
  const member = await newMember();
  for (const [path, episode] of [
    [`/anime/${malId}/lantern`, 1],
    [`/watch/${malId}/2`, 2],
  ] as const) {
    const link = `href="/admin/episode?id=${malId}&amp;episode=${episode}"`;
    const [forOperator, forMember] = await Promise.all(
      [operator, member].map((asker) => htmlOf(asker.request(path))),
    );
    expect(forOperator).toContain(link);
    expect(forMember).not.toContain(link);
  }
});

test("the footer has the name of the site, its legal notice, its privacy policy and a contact, as text", async () => {
  for (const path of ["/", "/signin"]) {
    const html = await htmlOf(request(path));
    for (const part of [
      "The Porch &lt;of&gt; Somewhere",
      'href="https://porch.example/imprint"',
      'href="https://porch.example/privacy?a=1&amp;b=2"',
      'href="mailto:host@porch.example"',
    ])
      expect(html).toContain(part);
  }
});
