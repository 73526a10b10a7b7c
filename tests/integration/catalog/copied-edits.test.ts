import { join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { tool as backup } from "#app/cli/backup.ts";
import { tool as restore } from "#app/cli/restore.ts";
import {
  editTitle,
  findReplacement,
  getEditedTitle,
  listEditedEpisodes,
  listEditedRelations,
  listEdits,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { createLocalTitle, replaceLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { exportedText, importText } from "#tests/support/data/catalog-text.ts";
import { someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** Operators' edits in a backup and in an export. */

const folder = temporaryFolder("copied-edits");
const actor = { kind: "command", ip: null } as const;
const contradicting = [
  { mal_id: 1, title: "Cowboy Bebop", synopsis: "From a file", year: 1999 },
  { kind: "episode", mal_id: 1, number: 1, title: "From a file" },
  { kind: "relation", from: 1, to: 5, relation: "sequel" },
];

beforeEach(async () => {
  await db.delete(titles);
  await importTitles(contradicting);
  const operator = { kind: "operator", ip: null, operatorId: await someUser() } as const;
  const edits = [
    { field: "synopsis", word: { synopsis: "Written here" } },
    { field: "episode 1 title", word: { title: "Asteroid Blues" } },
    { field: "relation 5 sequel", word: { isPresent: false } },
  ] as const;
  expect(await editTitle(1, edits, operator)).toMatchObject({ ok: true });
});

async function expectEdits(fileSays = "From a file") {
  const title = await getEditedTitle(1);
  expect(title).toMatchObject({
    value: { fields: { synopsis: { text: "Written here", source: "operator" } } },
  });
  expect((await listEditedEpisodes(1, 1, 1))[0]?.title).toMatchObject({
    text: "Asteroid Blues",
    source: "operator",
    unlocked: { text: fileSays, source: "file" },
  });
  expect(await listEditedRelations(1)).toMatchObject([
    { relatedId: 5, isPresent: false, source: "operator" },
  ]);
}

test("a backup restores edits, locks, history and replaced local titles, and imports change none of them", async () => {
  const made = await createLocalTitle({ name: "Attic Films", type: null, sameAs: ["mal:1"] }, actor);
  const local = made.ok ? made.value.malId : 0;
  expect(await replaceLocalTitle({ from: local, to: 1 }, actor)).toMatchObject({ ok: true });
  const file = join(folder, "edits.gz");
  expect(await runToolInProcess(backup, [file])).toMatchObject({ code: 0 });
  await db.delete(titles);
  expect(await runToolInProcess(restore, [file, "--replace"])).toMatchObject({ code: 0 });
  await expectEdits();
  expect(await listEdits(1, 10)).toHaveLength(3);
  expect(await findReplacement(local)).toBe(1);
  for (let at = 0; at < 10; at++) await importTitles(contradicting);
  await expectEdits();
});

test("importing an export here again changes no edit, and other sites get the operator's values", async () => {
  const exported = await exportedText();
  await importText(exported);
  await expectEdits("Asteroid Blues");
  await db.delete(titles);
  await importText(exported);
  const copy = await getEditedTitle(1);
  expect(copy).toMatchObject({ value: { fields: { synopsis: { text: "Written here", source: "file" } } } });
  expect((await listEditedEpisodes(1, 1, 1))[0]?.title.text).toBe("Asteroid Blues");
  expect(await db.$count(titleRelations, eq(titleRelations.malId, 1))).toBe(0);
});
