import fc from "fast-check";
import { expect, test } from "vitest";
import {
  mergeRecords,
  type SourcedFields,
  sourceOf,
  type TitleFields,
  updateFields,
} from "#app/domain/catalog-import/records/title-fields.ts";
import { titleSources } from "#db/schema/enumerations.ts";

const text = fc.constantFrom("a", "b", "c");
const fields: fc.Arbitrary<TitleFields> = fc
  .record(
    {
      title: text,
      synopsis: fc.option(text, { freq: 8 }),
      year: fc.integer({ min: 1990, max: 1993 }),
      genres: fc.subarray(["Action", "Drama", "Comedy"] as const),
      externalIds: fc.subarray(["anidb:1", "anidb:2", "tvdb:3:1", "tvdb:4"], { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => value as TitleFields);
const words = fc.array(fc.record({ source: fc.constantFrom(...titleSources), fields }), { maxLength: 12 });

/** The stored records after all of these arrive: the last record of each source. */
function arrive(all: readonly SourcedFields[]) {
  const stored = new Map<string, SourcedFields>();
  for (const { source, fields: said } of all) {
    const before = stored.get(source)?.fields;
    stored.set(source, { source, fields: before ? updateFields(before, said) : said });
  }
  return [...stored.values()];
}

const property = (check: (all: SourcedFields[]) => void) => fc.assert(fc.property(words, check));

test("a title has the same fields in whatever order its sources arrive", () => {
  fc.assert(
    fc.property(words, fc.infiniteStream(fc.nat(6)), (all, picks) => {
      const bySource = titleSources.map((source) => all.filter((word) => word.source === source));
      const mixed: SourcedFields[] = [];
      while (mixed.length < all.length) {
        const next =
          bySource[picks.next().value as number]?.shift() ?? bySource.find(({ length }) => length)?.shift();
        if (next) mixed.push(next);
      }
      const sorted = (merged: TitleFields) => ({ ...merged, externalIds: merged.externalIds?.toSorted() });
      expect(sorted(mergeRecords(arrive(mixed)))).toEqual(sorted(mergeRecords(arrive(all))));
    }),
  );
});

test("each field comes from the highest-ranked source that has a value for it", () => {
  property((all) => {
    const stored = arrive(all);
    const merged = mergeRecords(stored);
    for (const name of ["title", "synopsis", "year", "genres"] as const) {
      const best = titleSources.find((source) =>
        stored.some((one) => one.source === source && name in one.fields),
      );
      expect(sourceOf(name, stored)).toBe(best);
      expect(merged[name]).toEqual(stored.find(({ source }) => source === best)?.fields[name]);
    }
  });
});

test("an operator's edit survives later records, and undoing it removes it", () => {
  fc.assert(
    fc.property(words, fields, (all, decided) => {
      const others = arrive(all.filter(({ source }) => source !== "operator"));
      const { externalIds: _, ...plain } = decided;
      expect(mergeRecords([...others, { source: "operator", fields: decided }])).toMatchObject(plain);
      expect(mergeRecords([...others, { source: "operator", fields: {} }])).toEqual(mergeRecords(others));
    }),
  );
});

test("a record with fewer fields than the earlier one erases nothing, and a title that the source omits stays", () => {
  property((all) => {
    const merged = mergeRecords(arrive(all));
    const silent = all.map(({ source }) => ({ source, fields: {} }));
    expect(mergeRecords(arrive([...all, ...silent]))).toEqual(merged);
  });
});

test("the ids for a site come from the highest-ranked source that has ids for it", () => {
  const jikan = { source: "jikan", fields: { externalIds: ["anidb:1"] } } as const;
  const lists = { source: "anime-lists", fields: { externalIds: ["anidb:2", "tvdb:3:1"] } } as const;
  for (const order of [
    [jikan, lists],
    [lists, jikan],
  ] as unknown as SourcedFields[][])
    expect(mergeRecords(order).externalIds?.toSorted()).toEqual(["anidb:1", "tvdb:3:1"]);
});

test("AniList's counts are taken only where no source has those of MyAnimeList", () => {
  const stored: SourcedFields[] = [
    { source: "offline-database", fields: { score: 7.9, favorites: 1 } },
    { source: "anilist", fields: { episodes: 12, score: 8.1, members: 100, favorites: 3 } },
    { source: "starter", fields: { episodes: 13, score: 8.5, members: 900 } },
  ];
  expect(mergeRecords(stored)).toEqual({ episodes: 12, score: 8.5, members: 900, favorites: 3 });
  expect(sourceOf("members", stored)).toBe("starter");
  expect(sourceOf("favorites", stored)).toBe("anilist");
});
