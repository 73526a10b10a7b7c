import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import {
  type EditedField,
  editTitle,
  type FieldEdit,
  getEditedTitle,
  listEditedEpisodes,
  listEditedRelations,
  listEdits,
  readTextField,
  type TextFieldName,
  undoEdit,
} from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { markCatalogChanged } from "#app/domain/catalog-version/catalog-version.server.ts";
import { editList } from "#app/domain/library/library.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { securityEvents } from "#db/schema/events.ts";
import { watchList } from "#db/schema/library.ts";
import { someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";

/** Operators' edits of titles, against everything that imports bring. */

const operator = { kind: "operator", ip: "192.0.2.1", operatorId: await someUser() } as const;
beforeEach(async () => {
  await db.delete(watchList);
  await db.delete(titles);
});

const ofJikan = (fields: object) =>
  importTitles([{ data: { mal_id: 1, titles: [{ type: "Default", title: "Cowboy Bebop" }], ...fields } }]);
const ofFile = (fields: object) => importTitles([{ mal_id: 1, title: "Cowboy Bebop", ...fields }]);

const textEdit = (field: TextFieldName, typed: string): FieldEdit => {
  const said = readTextField(field, typed);
  if (!said.ok) throw new Error(JSON.stringify(said));
  return { field, word: said.value };
};
async function edit(...edits: FieldEdit[]) {
  const outcome = await editTitle(1, edits, operator);
  expect(outcome).toMatchObject({ ok: true });
}
const unlock = (field: EditedField) => edit({ field, word: null });
const shown = async () => {
  const title = await getEditedTitle(1);
  if (!title.ok) throw new Error("no such title");
  return title.value.fields;
};
const newestEdit = async () => (await listEdits(1, 1))[0]!;

test("an edit locks its field, imports update the others, and unlocking shows what the sources say now", async () => {
  await ofJikan({ synopsis: "First", year: 1998 });
  await edit(textEdit("synopsis", "Written here\r\nin two lines"));
  expect((await shown()).synopsis).toMatchObject({
    text: "Written here\nin two lines",
    source: "operator",
    unlocked: { text: "First", source: "jikan" },
  });
  await ofJikan({ synopsis: "Second", year: 1999 });
  expect((await shown()).synopsis.text).toBe("Written here\nin two lines");
  expect((await shown()).year).toMatchObject({ text: "1999", source: "jikan", unlocked: null });
  await unlock("synopsis");
  expect((await shown()).synopsis).toMatchObject({ text: "Second", source: "jikan", unlocked: null });
});

test("while an import and an edit of titles are being stored, a member can put them on the list", async () => {
  const userId = await someUser();
  await importTitles([1, 2].map((mal_id) => ({ mal_id, title: `Title ${mal_id}` })));
  const { writing } = await withTransaction(async (transaction) => {
    // Both write their title before they wait for the catalog's version.
    await markCatalogChanged(transaction, []);
    const writing = Promise.all([
      edit(textEdit("synopsis", "Edited")),
      importTitles([{ mal_id: 2, title: "Imported" }]),
    ]);
    await untilQueriesWait(2);
    const added = { kind: "add", ids: [1, 2], fields: { type: "Watching" } } as const;
    expect(await editList(userId, added, anybody)).toMatchObject({ value: { titles: [{}, {}] } });
    return { writing };
  });
  await writing;
  expect(await db.select().from(titles).orderBy(titles.malId)).toMatchObject([
    { synopsis: "Edited" },
    { title: "Imported" },
  ]);
});

test("an import of episodes waits until an edit of their title is stored", async () => {
  await ofFile({});
  let isEdited = false;
  const { importing } = await withTransaction(async (transaction) => {
    await transaction.update(titles).set({ synopsis: "Edited" });
    const importing = importTitles([{ kind: "episode", mal_id: 1, number: 1, title: "One" }]).then(
      () => isEdited,
    );
    await Promise.race([importing, untilQueriesWait()]);
    isEdited = true;
    return { importing };
  });
  expect(await importing).toBe(true);
});

test("an empty text means that there is none, and no import fills it", async () => {
  await ofJikan({ synopsis: "A text", genres: [{ mal_id: 1, name: "Action" }] });
  await edit(textEdit("synopsis", " "), textEdit("genres", ""), textEdit("trailer", ""));
  await ofJikan({ synopsis: "Another", trailer: { youtube_id: "qig4KOK2R2g" } });
  const { synopsis, genres, trailer } = await shown();
  expect([synopsis.text, genres.text, trailer.text]).toEqual(["", "", ""]);
});

test("an edit of a title from before records keeps its other values", async () => {
  await db
    .insert(titles)
    .values({ malId: 1, title: "Old", titleKey: "old", synopsis: "Old text", year: 1998 });
  expect((await shown()).synopsis).toMatchObject({ text: "Old text", source: "before" });
  await edit(textEdit("synopsis", "New text"));
  await unlock("synopsis");
  expect((await shown()).synopsis).toMatchObject({ text: "Old text", source: "before" });
  expect((await shown()).year.text).toBe("1998");
});

test("an edit of episodes and relations from before records keeps their other values", async () => {
  await db.insert(titles).values({ malId: 1, title: "Old", titleKey: "old" });
  await db.insert(episodes).values({ malId: 1, number: 1, title: "Old name", description: "Old text" });
  await db.insert(titleRelations).values({ malId: 1, relatedId: 5, relation: "sequel", name: "Old film" });
  expect((await listEditedEpisodes(1, 1, 1))[0]?.title).toMatchObject({ text: "Old name", source: "before" });
  expect(await listEditedRelations(1)).toMatchObject([{ name: "Old film", source: "before" }]);
  const edited = ["episode 1 title", "relation 5 sequel"] as const;
  await edit(
    { field: edited[0], word: { title: "New name" } },
    { field: edited[1], word: { isPresent: false } },
  );
  for (const field of edited) await unlock(field);
  expect(await db.select().from(episodes)).toMatchObject([{ title: "Old name", description: "Old text" }]);
  expect(await db.select().from(titleRelations)).toMatchObject([{ relatedId: 5, name: "Old film" }]);
});

test("a wrong value is refused with its field, and nothing is changed", async () => {
  const refusals = [
    readTextField("title", " "),
    readTextField("year", "soon"),
    readTextField("airedFrom", "1998-02-30"),
    readTextField("episodes", "1.5"),
    readTextField("genres", "Action, Cooking"),
    readTextField("trailer", "https://example.org/film"),
    readTextField("rating", "fsk"),
  ];
  expect(refusals.map((one) => !one.ok && one.issues?.[0]?.path)).toEqual([
    ...["title", "year", "airedFrom", "episodes", "genres", "trailer", "rating"],
  ]);
  await ofFile({ year: 1998 });
  const field = "episode 0 title" as EditedField;
  expect(await editTitle(1, [{ field, word: { title: "x" } }], operator)).toMatchObject({
    reason: "invalid",
  });
  expect(await editTitle(2, [textEdit("year", "1998")], operator)).toMatchObject({ reason: "not_found" });
});

test.each([
  "qig4KOK2R2g",
  "https://youtu.be/qig4KOK2R2g?t=1",
  "https://www.youtube.com/watch?a=1&v=qig4KOK2R2g",
])("%s is the address of a trailer", (typed) => {
  expect(readTextField("trailer", typed)).toMatchObject({ value: { youtubeId: "qig4KOK2R2g" } });
});

test("an undo restores the field's earlier value and can be undone; only a field's newest edit can", async () => {
  await ofFile({ synopsis: "File" });
  await edit(textEdit("synopsis", "One"));
  const first = await newestEdit();
  await edit(textEdit("synopsis", "Two"));
  expect(await undoEdit(1, first.id, operator)).toMatchObject({ ok: false, reason: "conflict" });
  expect(await undoEdit(1, (await newestEdit()).id, operator)).toMatchObject({ ok: true });
  expect((await shown()).synopsis.text).toBe("One");
  await undoEdit(1, (await newestEdit()).id, operator);
  expect((await shown()).synopsis.text).toBe("Two");
  const history = await listEdits(1, 10);
  expect(history.map(({ before, after }) => [before.value, after.value])).toEqual(
    [
      ["One", "Two"],
      ["Two", "One"],
      ["One", "Two"],
      ["File", "One"],
    ].map((pair) => pair.map((synopsis) => ({ synopsis }))),
  );
  expect(history.map(({ canUndo }) => canUndo)).toEqual([true, false, false, false]);
  expect(history[0]?.by?.id).toBe(operator.operatorId);
});

test("an edit is recorded as an event with the title and its fields; an edit without a change is not", async () => {
  await ofFile({ synopsis: "File" });
  await db.delete(securityEvents);
  await edit(textEdit("synopsis", "One"), textEdit("year", "1999"));
  await edit(textEdit("synopsis", "One"));
  expect(await db.select().from(securityEvents)).toMatchObject([
    {
      kind: "title_edited",
      operatorId: operator.operatorId,
      detail: "Cowboy Bebop (catalog number 1): synopsis, year",
    },
  ]);
  expect(await listEdits(1, 10)).toHaveLength(2);
});

test("episodes' names and days have ranked sources, and each is locked separately", async () => {
  const line = { kind: "episode", mal_id: 1, number: 2 };
  await ofFile({ episodes: 2 });
  await importTitles([{ ...line, title: "File", date: "1998-04-10" }]);
  await edit({ field: "episode 2 title", word: { title: "Mine" } });
  // The 11th in Japan.
  await importTitles([{ ...line, title: "Later", date: "1998-04-10T16:30:00Z", description: "A text" }]);
  const [first, second] = await listEditedEpisodes(1, 1, 2);
  expect(first).toMatchObject({ title: { text: "", source: null }, airedAt: { text: "" } });
  expect(second?.title).toMatchObject({
    text: "Mine",
    source: "operator",
    unlocked: { text: "Later", source: "file" },
  });
  expect(second?.airedAt).toMatchObject({ text: "1998-04-11", source: "file", unlocked: null });
  await undoEdit(1, (await newestEdit()).id, operator);
  expect((await listEditedEpisodes(1, 2, 2))[0]?.title).toMatchObject({ text: "Later", source: "file" });
});

test("removed relations stay removed, added ones stay, and unlocking ends both", async () => {
  const relation = { kind: "relation", from: 1, to: 5, relation: "sequel", name: "The film" };
  await ofFile({});
  await importTitles([relation]);
  const present = async () =>
    (await listEditedRelations(1)).filter(({ isPresent }) => isPresent).map(({ field }) => field);
  await edit(
    { field: "relation 5 sequel", word: { isPresent: false } },
    { field: "relation 6 prequel", word: { isPresent: true } },
  );
  await importTitles([relation, { mal_id: 5, title: "The film" }, { kind: "related", from: 1, to: 5 }]);
  expect(await present()).toEqual(["relation 6 prequel"]);
  expect(await listEditedRelations(1)).toMatchObject([
    { relatedId: 6, isPresent: true, source: "operator" },
    { relatedId: 5, isPresent: false, source: "operator", name: "The film" },
  ]);
  await unlock("relation 5 sequel");
  await unlock("relation 6 prequel");
  expect(await present()).toEqual(["relation 5 sequel"]);
});

type Step =
  | { do: "import"; from: "jikan" | "file"; synopsis: string; year: number }
  | { do: "edit"; field: "synopsis" | "year"; value: string }
  | { do: "unlock"; field: "synopsis" | "year" }
  | { do: "undo" };
const fieldName = fc.constantFrom("synopsis" as const, "year" as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("import" as const),
    from: fc.constantFrom("jikan" as const, "file" as const),
    synopsis: fc.constantFrom("a", "b", "c"),
    year: fc.integer({ min: 1990, max: 1993 }),
  }),
  fc.record({
    do: fc.constant("edit" as const),
    field: fieldName,
    value: fc.constantFrom("2001", "2002", ""),
  }),
  fc.record({ do: fc.constant("unlock" as const), field: fieldName }),
  fc.record({ do: fc.constant("undo" as const) }),
);

test("after any imports, edits, unlocks and undos, a field has the operator's value or the best source's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 7 }), async (steps) => {
      await db.delete(titles);
      await ofFile({});
      const said: Record<string, Record<string, string | undefined>> = { operator: {}, file: {}, jikan: {} };
      const undos: { field: string; before: string | undefined }[] = [];
      const say = (field: string, value: string | undefined, isSame: boolean) => {
        if (!isSame) undos.push({ field, before: said.operator![field] });
        said.operator![field] = value;
      };
      for (const one of steps) {
        if (one.do === "import") {
          const { synopsis, year } = one;
          await (one.from === "jikan" ? ofJikan : ofFile)({ synopsis, year });
          said[one.from] = { synopsis, year: String(year) };
        } else if (one.do === "edit") {
          await edit(textEdit(one.field, one.value));
          say(one.field, one.value, said.operator![one.field] === one.value);
        } else if (one.do === "unlock") {
          await unlock(one.field);
          say(one.field, undefined, said.operator![one.field] === undefined);
        } else {
          const last = undos.at(-1);
          const newest = (await listEdits(1, 1))[0];
          expect(newest?.field).toBe(last?.field);
          if (!last || !newest) continue;
          expect(await undoEdit(1, newest.id, operator)).toMatchObject({ ok: true });
          say(last.field, last.before, false);
        }
        const { synopsis, year } = await shown();
        for (const { field, text } of [synopsis, year])
          expect(text).toBe(said.operator![field] ?? said.file![field] ?? said.jikan![field] ?? "");
      }
    }),
    { numRuns: 6 },
  );
});

test("an edit survives ten contradicting imports and the title's removal from its sources", async () => {
  await ofJikan({ synopsis: "Text", score: 1 });
  await edit(textEdit("title", "Bebop"), textEdit("synopsis", "Mine"), textEdit("rating", "pg"));
  for (let at = 0; at < 10; at++) {
    await ofJikan({ synopsis: `Text ${at}`, score: at, rating: "R - 17+ (violence & profanity)" });
    await ofFile({ synopsis: `File ${at}`, rating: "g", texts_from: { synopsis: "operator" } });
    await importTitles([{ mal_id: 2, title: "Bebop" }]);
  }
  const [row] = await db.select().from(titles).where(eq(titles.malId, 1));
  expect(row).toMatchObject({ title: "Bebop", synopsis: "Mine", rating: "pg", score: 9 });
  expect((await shown()).synopsis.unlocked).toEqual({ text: "File 9", source: "file" });
});

test("two titles with the same name stay separate: only ids identify a title", async () => {
  await ofFile({ synopsis: "First", external_ids: ["anidb:23"] });
  await importTitles([{ mal_id: 2, title: "Cowboy Bebop", synopsis: "Second" }]);
  await importTitles([{ kind: "ids", of: "anidb:23", external_ids: ["kitsu:1"] }]);
  expect((await shown()).synopsis.text).toBe("First");
  expect(await db.$count(titles)).toBe(2);
});
