import { rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { someMedia, startAniList } from "#tests/support/servers/anilist.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Operators' corrections and AniList's details survive a backup and its restore into an empty database. */

const source = await startAniList();
process.env.DETAILS_URL = source.origin;
process.env.ALLOW_PRIVATE_UPSTREAMS = new URL(source.origin).host;
const { tool: backup } = await import("#app/cli/backup.ts");
const { tool: restore } = await import("#app/cli/restore.ts");
const { editTitle } = await import("#app/domain/catalog-editing/catalog-editing.server.ts");
const { runDetails } = await import("#app/domain/details/details.server.ts");
const { saveSiteSettings } = await import("#app/domain/setup/setup.server.ts");
const { db } = await import("#db/client.server.ts");
const { characters, detailPictures, people } = await import("#db/schema/details.ts");
const { franchises } = await import("#db/schema/franchises.ts");
const { storedImages } = await import("#db/schema/images.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { users } = await import("#db/schema/accounts.ts");
const { someUser } = await import("#tests/support/data/database-rows.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { newMember } = await import("#tests/support/requests/visitor.ts");
const { request } = await import("#tests/support/site/in-process.ts");
const { runToolInProcess } = await import("#tests/support/site/tools-in-process.ts");

const folder = temporaryFolder("details-in-a-backup");
const tables = [
  "title_edits",
  "title_records",
  "relation_records",
  "franchise_corrections",
  "franchises",
  "franchise_titles",
  "franchise_redirects",
  "title_details",
  "title_tags",
  "title_streams",
  "episode_stills",
  "characters",
  "people",
  "title_characters",
  "character_voices",
  "title_staff",
  "detail_pictures",
];

/** All rows of the tables, as texts in an order of their own. */
async function rowsOf() {
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    const found = await db.execute<{ text: string }>(
      sql.raw(`select row_to_json(one)::text as text from "${table}" one order by 1`),
    );
    rows[table] = found.map(({ text }) => text);
  }
  return rows;
}

async function exportOf(member: Member) {
  const text = await (await member.request("/api/user/export")).text();
  // Each export is an event, so the next one names it, at another time.
  return text.replace(/"exported_at":\s*"[^"]*"/, "").replaceAll(/^.*"kind":"account_exported".*\n/gm, "");
}

test("corrections, locked fields, details, people and their pictures are restored as they were", async () => {
  const named = (malId: number) => ({
    kind: "title",
    mal_id: malId,
    title: `Orchard ${malId}`,
    type: "TV",
    status: "Finished Airing",
  });
  await importTitles([
    ...[1, 2, 3, 4].map(named),
    { kind: "relation", from: 1, to: 2, relation: "sequel" },
    { kind: "relation", from: 3, to: 4, relation: "sequel" },
  ]);
  const member = await newMember();
  await member.request("/api/user/watchList", { json: { animeId: 1, type: "To Watch" } });
  source.media = [someMedia(1, source.origin)];
  await saveSiteSettings({ details: true }, { kind: "command", ip: null });
  await runDetails({});
  const operator = { kind: "operator", ip: null, operatorId: await someUser() } as const;
  const corrections = [
    { field: "franchise joined", word: { relatedId: 4 } },
    { field: "franchise after", word: { relatedId: null } },
    { field: "synopsis", word: { synopsis: "Told by the operator." } },
  ] as const;
  expect(await editTitle(2, corrections, operator)).toMatchObject({ ok: true });

  const before = await rowsOf();
  const empty = tables.filter((table) => (before[table] as string[]).length === 0);
  expect(empty).toEqual([]);
  const [{ cid } = { cid: null }] = await db.select({ cid: characters.pictureCid }).from(characters);
  const portrait = async () => {
    const answer = await request(`/ipfs/${cid}`);
    return [answer.status, Buffer.from(await answer.arrayBuffer()).toString("base64")];
  };
  const [portraitBefore, exportedBefore] = [await portrait(), await exportOf(member)];
  expect(portraitBefore[0]).toBe(200);
  const file = join(folder, "whole.gz");
  expect(await runToolInProcess(backup, [file])).toMatchObject({ code: 0 });

  for (const table of [users, titles, franchises, characters, people, detailPictures, storedImages])
    await db.delete(table);
  rmSync(join(process.env.DATA_DIR ?? "", "images"), { recursive: true });
  expect((await portrait())[0]).toBe(404);
  expect(await runToolInProcess(restore, [file, "--replace"])).toMatchObject({ code: 0 });
  expect(await rowsOf()).toEqual(before);
  expect(await portrait()).toEqual(portraitBefore);
  expect(await exportOf(member)).toEqual(exportedBefore);

  // The corrections still count, and a later import does not take the locked text.
  await importTitles([{ ...named(2), synopsis: "Told by an import." }]);
  const { data } = (await (await request("/api/animes/franchise?id=4")).json()) as {
    data: { titles: { mal_id: number }[] };
  };
  expect(data.titles.map(({ mal_id }) => mal_id)).toEqual([2, 1, 3, 4]);
  expect(await (await request("/anime/2/orchard-2")).text()).toContain("Told by the operator.");
});

test("a member's export names no people and no franchises, and the deletion of the account leaves them", async () => {
  const member = await newMember();
  expect(await exportOf(member)).not.toMatch(/Character 7|Person 70|franchise/);
  const counted = async () => [
    await db.$count(people),
    await db.$count(characters),
    await db.$count(franchises),
  ];
  const before = await counted();
  await db.delete(users);
  expect(await counted()).toEqual(before);
});
