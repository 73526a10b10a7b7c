import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { relationKinds, titleTypes } from "#app/domain/catalog/catalog.ts";
import { franchiseCorrectionKinds } from "#app/domain/franchises/franchises.ts";
import { arrange } from "#app/domain/franchises/order/arrange.ts";
import { componentsOf, maxFranchiseTitles } from "#app/domain/franchises/order/components.ts";
import {
  type FranchiseCorrection,
  type FranchiseRelation,
  type FranchiseTitle,
  linksOf,
} from "#app/domain/franchises/order/links.ts";
import { type LaidDown, readLaidDown } from "#tests/support/data/laid-down-franchises.ts";

/** Properties that hold for any titles and relations, also for those that contradict each other. */

/** Few enough that many of the relations join titles that exist. */
const maxNumber = 8;

const titlesOfGraph = fc
  .uniqueArray(
    fc.record({
      malId: fc.integer({ min: 1, max: maxNumber }),
      type: fc.constantFrom(...titleTypes, null),
      episodes: fc.constantFrom(null, 1, 12, 24),
      weeksOnAir: fc.constantFrom(null, 1, 500),
      minutes: fc.constantFrom(null, 3, 24),
      releasedAt: fc.constantFrom(0, 1, 2, 3, Number.POSITIVE_INFINITY),
      members: fc.nat(5),
      names: fc.constantFrom(["lantern street"], ["lantern street ii"], ["harbour"]),
      sumsUpUntil: fc.constantFrom(null, 1, 6, 30),
    }),
    { minLength: 4, maxLength: maxNumber, selector: ({ malId }) => malId },
  )
  .map((titles): FranchiseTitle[] => titles);

const relationsOfGraph = fc.array(
  fc.record({
    from: fc.integer({ min: 1, max: maxNumber }),
    to: fc.integer({ min: 1, max: maxNumber }),
    // Most of them are of three kinds: otherwise circles of the same kind are too rare to be tried.
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom("sequel" as const, "prequel" as const, "side_story" as const) },
      { weight: 1, arbitrary: fc.constantFrom(...relationKinds) },
    ),
    sources: fc.integer({ min: 1, max: 3 }),
    isUntyped: fc.boolean(),
  }),
  { maxLength: 40 },
);

const correctionsOfGraph = fc.array(
  fc
    .record({
      malId: fc.integer({ min: 1, max: maxNumber }),
      correction: fc.constantFrom(...franchiseCorrectionKinds),
      relatedId: fc.option(fc.integer({ min: 1, max: maxNumber })),
    })
    .filter(({ malId, relatedId }) => malId !== relatedId),
  { maxLength: 6 },
);

const byId = (titles: readonly FranchiseTitle[]) => new Map(titles.map((title) => [title.malId, title]));

function franchisesOf(
  titles: readonly FranchiseTitle[],
  relations: readonly FranchiseRelation[],
  corrections: readonly FranchiseCorrection[] = [],
) {
  const known = byId(titles);
  return componentsOf(known, linksOf(known, relations), corrections).map((component) => ({
    ...component,
    arranged: arrange(
      component.titles.flatMap((malId) => known.get(malId) ?? []),
      component.links,
      corrections,
    ),
  }));
}

describe("for any graph", () => {
  test("each linked title is in one franchise, and once in each order", () => {
    fc.assert(
      fc.property(titlesOfGraph, relationsOfGraph, correctionsOfGraph, (titles, relations, corrections) => {
        const known = byId(titles);
        const franchises = franchisesOf(titles, relations, corrections);
        const linked = [
          ...linksOf(known, relations).flatMap(({ from, to }) => [from, to]),
          ...corrections
            .filter(({ correction }) => correction !== "after")
            .map(({ malId, relatedId }) => [malId, relatedId ?? 0])
            .filter((pair) => pair.every((malId) => known.has(malId)))
            .flat(),
        ];
        const all = franchises.flatMap(({ arranged }) => arranged.map(({ malId }) => malId));
        expect([...all].sort((a, b) => a - b)).toEqual([...new Set(linked)].sort((a, b) => a - b));
        for (const { arranged } of franchises) {
          const places = arranged.map((_, index) => index + 1);
          expect(arranged.map(({ story }) => story)).toEqual(places);
          expect(arranged.map(({ released }) => released).sort((a, b) => a - b)).toEqual(places);
          expect(arranged.filter(({ mark }) => mark === "main")).not.toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the result depends neither on the order of the input nor on what else the catalog has", () => {
    fc.assert(
      fc.property(titlesOfGraph, relationsOfGraph, (titles, relations) => {
        const franchises = franchisesOf(titles, relations);
        const turned = franchisesOf([...titles].reverse(), [...relations].reverse());
        const texts = (list: typeof franchises) =>
          list.map(({ arranged }) => JSON.stringify(arranged)).sort();
        expect(texts(turned)).toEqual(texts(franchises));
      }),
      { numRuns: 200 },
    );
  });

  test("a summary comes after what it sums up, unless summaries go in a circle", () => {
    fc.assert(
      fc.property(titlesOfGraph, relationsOfGraph, (titles, relations) => {
        for (const { arranged, links } of franchisesOf(titles, relations)) {
          const story = arranged.map(({ malId }) => malId);
          const summaries = links.filter(({ kind }) => kind === "summary");
          const summedUpBy = (malId: number, seen = new Set<number>()): Set<number> => {
            for (const { from, to } of summaries)
              if (from === malId && !seen.has(to)) summedUpBy(to, seen.add(to));
            return seen;
          };
          for (const { from, to } of summaries)
            if (!summedUpBy(to).has(from)) expect(story.indexOf(to)).toBeGreaterThan(story.indexOf(from));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a sequel without a contradiction comes after its prequel in the story", () => {
    const chain = fc.uniqueArray(fc.integer({ min: 1, max: maxNumber }), {
      minLength: 2,
      maxLength: maxNumber,
    });
    fc.assert(
      fc.property(titlesOfGraph, chain, (titles, order) => {
        const known = byId(titles);
        const parts = order.filter((malId) => known.has(malId));
        const relations = parts.slice(1).map((to, index) => relation(parts[index] ?? 0, to, "sequel"));
        for (const { arranged } of franchisesOf(titles, relations))
          expect(arranged.map(({ malId }) => malId)).toEqual(parts);
      }),
    );
  });
});

function relation(from: number, to: number, kind: FranchiseRelation["kind"], isUntyped = false) {
  return { from, to, kind, sources: 1, isUntyped };
}

const title = (malId: number, facts: Partial<FranchiseTitle> = {}): FranchiseTitle => ({
  malId,
  type: "TV",
  episodes: 12,
  weeksOnAir: null,
  minutes: 24,
  releasedAt: malId,
  members: 100,
  names: [`series ${malId}`],
  sumsUpUntil: null,
  ...facts,
});

const numbersOf = (franchises: ReturnType<typeof franchisesOf>) =>
  franchises.map(({ arranged }) => arranged.map(({ malId }) => malId));

describe("what joins titles", () => {
  test("a common character joins none", () => {
    expect(franchisesOf([title(1), title(2)], [relation(1, 2, "character")])).toEqual([]);
  });

  test("a relation without a kind joins titles of one name, if only the offline database has it", () => {
    const named = [
      title(1, { names: ["lantern street"] }),
      title(2, { names: ["lantern street 2nd season"] }),
    ];
    expect(numbersOf(franchisesOf(named, [relation(1, 2, "other", true)]))).toEqual([[1, 2]]);
    expect(franchisesOf(named, [relation(1, 2, "other", false)])).toEqual([]);
    const others = [title(1, { names: ["lantern street"] }), title(2, { names: ["lantern road"] })];
    expect(franchisesOf(others, [relation(1, 2, "other", true)])).toEqual([]);
  });

  test("a crossover joins only titles of one name, also if few of their parts are known", () => {
    const titles = ["lantern street", "harbour", "quartet", "quartet 2", "lantern street 2nd season"].map(
      (name, at) => title(at + 1, { names: [name] }),
    );
    const one = [relation(1, 3, "spin_off"), relation(3, 4, "sequel"), relation(5, 4, "side_story")];
    const membersOf = (relations: FranchiseRelation[]) =>
      franchisesOf(titles, relations).map(({ titles: malIds }) => malIds);
    expect(membersOf(one)).toEqual([[1, 3, 4, 5]]);
    for (const part of [3, 4])
      expect(membersOf([...one, relation(2, part, "spin_off")])).toEqual([[1, 3, 4, 5], [2]]);
  });

  test("a crossover belongs to the titles whose name it bears, whatever their numbers", () => {
    const titles = ["harbour", "lantern street", "lantern street x harbour"].map((name, at) =>
      title(at + 1, { names: [name] }),
    );
    const franchises = franchisesOf(titles, [relation(1, 3, "side_story"), relation(2, 3, "side_story")]);
    expect(franchises.map(({ titles: malIds }) => malIds)).toEqual([[1], [2, 3]]);
  });
});

describe("what is too much for one franchise", () => {
  const series = (first: number) => [
    relation(first, first + 1, "sequel"),
    relation(first + 1, first + 2, "sequel"),
  ];
  const six = [1, 2, 3, 4, 5, 6].map((malId) => title(malId));

  test("two series of three parts are cut at their weakest link, and each knows the other", () => {
    const between = [relation(1, 4, "side_story"), relation(2, 5, "alternative_setting")];
    const franchises = franchisesOf(six, [...series(1), ...series(4), ...between]);
    expect(numbersOf(franchises)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    for (const { cuts } of franchises) expect(cuts).toHaveLength(2);
  });

  test("specials, clips, short films and summaries do not make a series", () => {
    for (const facts of [{ type: "Special" as const }, { minutes: 3 }, { episodes: 1, minutes: 14 }]) {
      const titles = six.map((one) => (one.malId > 3 ? { ...one, ...facts } : one));
      expect(franchisesOf(titles, [...series(1), ...series(4), relation(1, 4, "side_story")])).toHaveLength(
        1,
      );
    }
    const summaries = [4, 5, 6].map((malId) => relation(1, malId, "summary"));
    expect(franchisesOf(six, [...series(1), ...series(4), ...summaries])).toHaveLength(1);
  });

  test("side stories of three seasons do not make a series, also if each is called the sequel of the last", () => {
    const titles = six.map((one) => (one.malId > 3 ? { ...one, type: "OVA" as const, episodes: 1 } : one));
    const besides = [1, 2, 3].map((malId) => relation(malId, malId + 3, "side_story"));
    expect(numbersOf(franchisesOf(titles, [...series(1), ...series(4), ...besides]))).toEqual([
      [1, 4, 2, 5, 3, 6],
    ]);
  });

  test("no franchise has more than its limit, and whole branches are cut", () => {
    const branches = [1, 2, 3].flatMap((branch) =>
      Array.from({ length: 50 }, (_, index) => ({ branch, malId: branch * 1000 + index })),
    );
    const relations = branches.flatMap(({ branch, malId }) =>
      malId === branch * 1000 ? [] : [relation(branch * 1000, malId, "side_story")],
    );
    const hub = [relation(1000, 2000, "spin_off"), relation(1000, 3000, "alternative_version")];
    const franchises = franchisesOf(
      branches.map(({ malId }) => title(malId)),
      [...relations, ...hub],
    );
    expect(franchises.map(({ titles }) => titles.length)).toEqual([maxFranchiseTitles, 50]);
    expect(franchises[1]?.cuts).toMatchObject([{ from: 1000, to: 2000, kind: "spin_off" }]);
  });
});

describe("an operator's corrections", () => {
  const five = [1, 2, 3, 4, 5].map((malId) => title(malId));
  const relations = [relation(1, 2, "sequel"), relation(2, 3, "sequel"), relation(4, 5, "sequel")];
  const correctedTo = (...corrections: FranchiseCorrection[]) =>
    numbersOf(franchisesOf(five, relations, corrections)).sort();

  test("join two franchises", () => {
    expect(correctedTo({ malId: 5, correction: "joined", relatedId: 3 })).toEqual([[1, 2, 3, 4, 5]]);
  });

  test("join the whole of two long series, whichever of their titles are named", () => {
    const long = [1, 2, 3, 4, 5, 6, 7, 8].map((malId) => title(malId));
    const sequels = [1, 2, 4, 5, 6].map((malId) => relation(malId, malId + 1, "sequel"));
    const all = [...sequels, relation(3, 8, "side_story"), relation(1, 4, "alternative_setting")];
    for (const malId of [4, 5, 6, 7])
      for (const relatedId of [1, 2, 3, 8]) {
        const joined = franchisesOf(long, all, [{ malId, correction: "joined", relatedId }]);
        expect(joined.map(({ titles }) => titles)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]]);
        expect(joined[0]?.cuts).toEqual([]);
      }
  });

  test("move a title to another franchise, or to none, where its relations only connect it", () => {
    expect(correctedTo({ malId: 3, correction: "moved", relatedId: 5 })).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    const alone = franchisesOf(five, relations, [{ malId: 3, correction: "moved", relatedId: null }]);
    expect(numbersOf(alone).sort()).toEqual([[1, 2], [3], [4, 5]]);
    expect(alone.find(({ titles }) => titles[0] === 3)?.cuts).toMatchObject([{ from: 2, to: 3 }]);
  });

  test("order the story", () => {
    expect(correctedTo({ malId: 1, correction: "after", relatedId: 3 })[0]).toEqual([2, 3, 1]);
    expect(correctedTo({ malId: 3, correction: "after", relatedId: null })[0]).toEqual([3, 1, 2]);
    expect(correctedTo({ malId: 3, correction: "after", relatedId: 5 })[0]).toEqual([1, 2, 3]);
  });
});

describe("corrections of the story", () => {
  const five = [1, 2, 3, 4, 5].map((malId) => title(malId));
  const chain = [1, 2, 3, 4].map((malId) => relation(malId, malId + 1, "sequel"));
  const storyOf = (...pairs: [number, number | null][]) =>
    numbersOf(
      franchisesOf(
        five,
        chain,
        pairs.map(([malId, relatedId]) => ({ malId, correction: "after", relatedId })),
      ),
    )[0] ?? [];

  test("all hold if they can, whatever their order", () => {
    const one: [number, number] = [1, 2];
    const other: [number, number] = [2, 4];
    for (const story of [storyOf(one, other), storyOf(other, one)]) expect(story).toEqual([3, 4, 2, 1, 5]);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 5, maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 6 }),
        (wanted, places) => {
          // Each title follows one that is before it in the wanted order, so they contradict each other nowhere.
          const follows = new Map(
            places.flatMap(([at, of]) =>
              at > of ? [[wanted[at] ?? 0, wanted[of] ?? 0] as [number, number]] : [],
            ),
          );
          const story = storyOf(...follows);
          for (const [malId, relatedId] of follows)
            expect(story.indexOf(malId)).toBeGreaterThan(story.indexOf(relatedId));
        },
      ),
    );
  });

  test("in a circle, the later ones in the list hold", () => {
    expect(storyOf([2, 5], [5, 2])).toEqual([1, 2, 5, 3, 4]);
    expect(storyOf([5, 2], [2, 5])).toEqual([1, 3, 4, 5, 2]);
    expect(storyOf([3, null], [4, null])).toEqual([4, 3, 1, 2, 5]);
  });
});

describe("the orders", () => {
  test("a prequel made later comes first in the story; a cycle breaks at the link made last", () => {
    const [franchise] = franchisesOf(
      [title(1), title(2), title(3)],
      [relation(3, 1, "sequel"), relation(1, 2, "sequel")],
    );
    expect(franchise?.arranged).toMatchObject([
      { malId: 3, released: 3, story: 1, mark: "main" },
      { malId: 1, released: 1, story: 2, mark: "main" },
      { malId: 2, released: 2, story: 3, mark: "main" },
    ]);
    const cycle = [relation(1, 2, "sequel"), relation(2, 3, "sequel"), relation(3, 1, "sequel")];
    expect(numbersOf(franchisesOf([title(1), title(2), title(3)], cycle))).toEqual([[1, 2, 3]]);
  });

  test("side stories follow their part, spin-offs the series, alternatives stand by themselves", () => {
    const titles = [
      ...[title(1), title(2)],
      title(3, { type: "OVA", episodes: 1 }),
      title(4, { type: "Movie", episodes: 1 }),
      title(5, { episodes: 3 }),
      title(6, { type: "Movie", episodes: 1 }),
    ];
    const [franchise] = franchisesOf(titles, [
      relation(1, 2, "sequel"),
      relation(1, 3, "side_story"),
      relation(2, 4, "side_story"),
      relation(1, 5, "spin_off"),
      relation(5, 1, "parent_story"),
      relation(1, 6, "alternative_version"),
    ]);
    expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
      [1, "main"],
      [3, "side_story"],
      [2, "main"],
      [4, "movie"],
      [5, "spin_off"],
      [6, "alternative"],
    ]);
  });

  test("clips of a few minutes beside the main line are specials, whatever they were shown as, but no series are", () => {
    const titles = [
      title(1),
      title(2),
      title(3, { type: "Movie", episodes: 1, minutes: 1 }),
      title(4, { type: "ONA", episodes: 4, minutes: 3 }),
      title(5, { type: "Movie", episodes: 1, minutes: null }),
      title(6, { type: "OVA", episodes: 1, minutes: 10 }),
      title(7, { episodes: 12, minutes: 4 }),
    ];
    const [franchise] = franchisesOf(titles, [
      relation(1, 2, "sequel"),
      ...[3, 4, 5, 6, 7].map((malId) => relation(1, malId, "side_story")),
    ]);
    expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
      [1, "main"],
      [3, "special"],
      [4, "special"],
      [5, "movie"],
      [6, "side_story"],
      [7, "side_story"],
      [2, "main"],
    ]);
  });

  test("another version tells a part of the main line if it leads on to a later one", () => {
    const titles = [
      title(1),
      title(2),
      title(3),
      title(4, { type: "Movie", episodes: 1 }),
      title(5, { episodes: 1 }),
    ];
    const [franchise] = franchisesOf(titles, [
      ...[relation(1, 2, "sequel"), relation(2, 3, "sequel")],
      ...[relation(1, 4, "sequel"), relation(4, 3, "sequel"), relation(4, 2, "alternative_version")],
      relation(5, 3, "alternative_version"),
    ]);
    expect(franchise?.arranged.map(({ malId, mark, toldBy }) => [malId, mark, toldBy])).toEqual([
      [1, "main", null],
      [2, "main", 4],
      [4, "alternative", null],
      [3, "main", null],
      [5, "alternative", null],
    ]);
  });

  test("sequels of an alternative are alternatives too, but not those that it continues", () => {
    const titles = [
      title(1),
      title(2),
      title(3, { episodes: 24 }),
      title(4, { type: "TV Special", episodes: 1 }),
      title(5),
      title(6),
    ];
    const [franchise] = franchisesOf(titles, [
      relation(1, 2, "sequel"),
      relation(2, 3, "sequel"),
      relation(1, 4, "sequel"),
      relation(4, 5, "sequel"),
      relation(2, 5, "alternative_version"),
      relation(5, 6, "sequel"),
    ]);
    expect(new Map(franchise?.arranged.map(({ malId, mark }) => [malId, mark]))).toEqual(
      new Map([
        [1, "main"],
        [2, "main"],
        [3, "main"],
        [4, "special"],
        [5, "alternative"],
        [6, "alternative"],
      ]),
    );
  });

  test("a summary is in no main line, however long it is", () => {
    const titles = [title(1), title(2, { type: "Movie", episodes: 30 }), title(3)];
    const [franchise] = franchisesOf(titles, [
      relation(1, 2, "summary"),
      relation(1, 2, "sequel"),
      relation(2, 3, "sequel"),
      relation(1, 3, "sequel"),
    ]);
    expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
      [1, "main"],
      [2, "summary"],
      [3, "main"],
    ]);
  });

  test("a summary with a sequel of its own comes after what it sums up", () => {
    const storyOf = (titles: FranchiseTitle[], relations: FranchiseRelation[]) =>
      numbersOf(franchisesOf(titles, relations))[0];
    const recap = title(2, { type: "Movie", episodes: 1 });
    // The part before the one that it sums up was made last, so the summary is the oldest that continues nothing.
    expect(
      storyOf(
        [title(1), recap, title(3), title(4)],
        [
          relation(4, 1, "sequel"),
          relation(1, 2, "summary"),
          relation(2, 3, "sequel"),
          relation(1, 3, "sequel"),
        ],
      ),
    ).toEqual([4, 1, 2, 3]);
    // The main line continues the summary, and its special stays behind it.
    expect(
      storyOf(
        [
          title(1, { type: "OVA", episodes: 2, releasedAt: 9 }),
          recap,
          title(3),
          title(4, { type: "Special" }),
        ],
        [relation(1, 2, "summary"), relation(2, 3, "sequel"), relation(2, 4, "side_story")],
      ),
    ).toEqual([1, 2, 4, 3]);
    // It is called the beginning of what leads to the part that it sums up.
    expect(
      storyOf(
        [title(1, { releasedAt: 5 }), recap, title(3)],
        [relation(1, 2, "summary"), relation(2, 3, "sequel"), relation(3, 1, "sequel")],
      ),
    ).toEqual([3, 1, 2]);
  });

  test("a recap is a summary, also where only its own page says what it belongs to", () => {
    const named = (malId: number, name: string, type: "TV" | "Movie") =>
      title(malId, { names: [name], type });
    const titles = [
      named(1, "lantern", "TV"),
      named(2, "lantern recap", "Movie"),
      named(3, "lantern ii", "TV"),
    ];
    for (const kind of ["parent_story", "prequel"] as const) {
      const relations = [relation(1, 3, "sequel"), relation(2, 1, kind)];
      const [franchise] = franchisesOf(titles, relations);
      expect(franchise?.arranged).toMatchObject([
        { malId: 1, mark: "main" },
        { malId: 2, mark: "summary", summaryOf: 1 },
        { malId: 3, mark: "main" },
      ]);
    }
  });

  test("fifty episodes of four minutes are not the main line of a series with a season", () => {
    const titles = [title(1), title(2, { episodes: 50, minutes: 4 })];
    const [franchise] = franchisesOf(titles, [relation(1, 2, "alternative_version")]);
    expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
      [1, "main"],
      [2, "alternative"],
    ]);
  });

  test.each<[string, Partial<FranchiseTitle>]>([
    ["web episodes of two minutes", { type: "ONA", episodes: 70, minutes: 2 }],
    ["web episodes of less than a minute", { type: "ONA", episodes: 70, minutes: 0 }],
    ["movies of five minutes", { type: "Movie", episodes: 3, minutes: 5 }],
    ["music videos of unknown length", { type: "Music", episodes: 30, minutes: null }],
  ])("%s are not the main line of a series with a season", (_, facts) => {
    const titles = [title(1), title(2, facts), title(3, facts)];
    const sequel = relation(2, 3, "sequel");
    const mainOf = (franchises: ReturnType<typeof franchisesOf>) =>
      franchises[0]?.arranged.filter(({ mark }) => mark === "main").map(({ malId }) => malId);
    expect(mainOf(franchisesOf(titles, [relation(1, 2, "alternative_version"), sequel]))).toEqual([1]);
    // By themselves they still have one.
    expect(mainOf(franchisesOf(titles, [sequel]))).toEqual([2, 3]);
  });

  test("a summary covers the episodes that its own words state, if its title has them; otherwise nobody knows", () => {
    const summaryUntil = (sumsUpUntil: number | null, ofOthers: number[] = []) => {
      const film = title(9, { type: "Movie", episodes: 1, sumsUpUntil });
      const relations = [1, ...ofOthers].map((of) => relation(of, 9, "summary"));
      const [franchise] = franchisesOf([title(1), title(2), film], [relation(1, 2, "sequel"), ...relations]);
      const place = franchise?.arranged.find(({ malId }) => malId === 9);
      expect(place).toMatchObject({ mark: "summary", summaryOf: 1 });
      return place?.summaryUntil;
    };
    expect(summaryUntil(6)).toBe(6);
    expect(summaryUntil(12)).toBe(12);
    for (const unknown of [null, 1, 13]) expect(summaryUntil(unknown)).toBeNull();
    expect(summaryUntil(6, [2])).toBeNull();
  });

  test("where nothing tells more than that titles are related, the series are the main line", () => {
    const named = (malId: number, name: string, facts: Partial<FranchiseTitle> = {}) =>
      title(malId, { names: [name], ...facts });
    const titles = [
      named(1, "lantern street"),
      named(2, "lantern street movie", { type: "Movie", episodes: 1 }),
      named(3, "lantern street ii"),
    ];
    const net = [relation(1, 2, "other", true), relation(1, 3, "other", true), relation(2, 3, "other", true)];
    const [franchise] = franchisesOf(titles, net);
    expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
      [1, "main"],
      [2, "movie"],
      [3, "main"],
    ]);
  });
});

describe("the main line", () => {
  const mainOf = (titles: FranchiseTitle[], relations: FranchiseRelation[]) =>
    franchisesOf(titles, relations)[0]
      ?.arranged.filter(({ mark }) => mark === "main")
      .map(({ malId }) => malId);

  test.each(["spin_off", "side_story"] as const)(
    "is of a %s that is longer than its origin and that more members list",
    (kind) => {
      const mainWith = (members: number) =>
        mainOf(
          [title(1, { type: "OVA", episodes: 4 }), title(2, { members })],
          [relation(1, 2, kind), relation(2, 1, "parent_story")],
        );
      expect(mainWith(500)).toEqual([2]);
      expect(mainWith(50)).toEqual([1]);
    },
  );

  test("counts movies by their length, so that episodes shown as movies are no longer than the episodes", () => {
    const cinema = (malId: number, episodes: number) =>
      title(malId, { type: "Movie", episodes, minutes: 25, members: 10 });
    const sequels = [
      relation(1, 2, "sequel"),
      relation(2, 3, "sequel"),
      relation(4, 1, "alternative_version"),
    ];
    expect(mainOf([cinema(1, 4), cinema(2, 4), cinema(3, 4), title(4, { episodes: 13 })], sequels)).toEqual([
      4,
    ]);
    expect(mainOf([cinema(1, 4), cinema(2, 4), cinema(3, 8), title(4, { episodes: 13 })], sequels)).toEqual([
      1, 2, 3,
    ]);
  });

  test("is of a series that has run for years rather than of a shorter version of it", () => {
    const series = title(1, { episodes: null, weeksOnAir: 1400 });
    const recut = title(2, { episodes: 21 });
    expect(mainOf([series, recut], [relation(1, 2, "alternative_version")])).toEqual([1]);
    // A season that has just begun will have as many episodes as others.
    expect(
      mainOf(
        [title(1, { episodes: null, weeksOnAir: 1 }), title(2, { episodes: 6 })],
        [relation(1, 2, "alternative_version")],
      ),
    ).toEqual([1]);
  });
});

test("a relation without a kind tells nothing about titles of which more is known", () => {
  const named = (malId: number, facts: Partial<FranchiseTitle> = {}) =>
    title(malId, { names: ["lantern street"], ...facts });
  const special = { type: "OVA" as const, episodes: 1 };
  const titles = [named(1, { releasedAt: 2 }), named(2, { ...special, releasedAt: 1 }), named(3), named(4)];
  const relations = [
    relation(1, 2, "side_story"),
    relation(1, 3, "sequel"),
    relation(2, 3, "other", true),
    // Only the offline database knows the fourth.
    relation(2, 4, "other", true),
    relation(3, 4, "other", true),
  ];
  const [franchise] = franchisesOf(titles, relations);
  expect(franchise?.arranged.map(({ malId, mark }) => [malId, mark])).toEqual([
    [1, "main"],
    [2, "side_story"],
    [3, "main"],
    [4, "main"],
  ]);
});

describe("franchises that were laid down by hand", () => {
  const found = ({ titles, relations }: LaidDown) =>
    franchisesOf(titles, relations).map(({ arranged }) => ({
      main: arranged.filter(({ mark }) => mark === "main").map(({ malId }) => malId),
      story: arranged.map(({ malId }) => malId),
      released: [...arranged].sort((one, other) => one.released - other.released).map(({ malId }) => malId),
      skip: arranged
        .filter(({ summaryOf }) => summaryOf !== null)
        .map(
          ({ malId, summaryOf, summaryUntil }) =>
            `${malId} of ${summaryOf}${summaryUntil === null ? "" : ` until ${summaryUntil}`}`,
        ),
    }));
  type Found = ReturnType<typeof found>[number];
  const inOrder = (list: readonly Found[]) =>
    [...list]
      .map((one) => ({ ...one, skip: [...one.skip].sort() }))
      .sort((one, other) => (one.main[0] ?? 0) - (other.main[0] ?? 0));

  test.each(readLaidDown("laid-down"))("$name", (laidDown) => {
    expect(inOrder(found(laidDown))).toEqual(inOrder(laidDown.franchises));
  });

  test("of those that were held out, 95 of 100 titles are where they should be", () => {
    let [right, all] = [0, 0];
    for (const laidDown of readLaidDown("held-out")) {
      const franchises = found(laidDown);
      for (const expected of laidDown.franchises) {
        const same = franchises.find(({ main }) => main[0] === expected.main[0]);
        for (const order of ["main", "story", "released", "skip"] as const) {
          all += expected[order].length;
          right += expected[order].filter((value, index) =>
            order === "skip" ? same?.skip.some((one) => one === value) : same?.[order][index] === value,
          ).length;
        }
      }
    }
    expect(right / all).toBeGreaterThanOrEqual(0.95);
  });
});

test("two titles that a source says share only a character are not joined by a source without kinds", () => {
  const titles = [1, 2].map((malId) => title(malId, { names: ["lantern street"] }));
  const relation = (kind: FranchiseRelation["kind"]) => ({
    from: 1,
    to: 2,
    kind,
    sources: 1,
    isUntyped: kind === "other",
  });
  const kinds = (...relations: FranchiseRelation["kind"][]) =>
    linksOf(byId(titles), relations.map(relation)).map(({ kind }) => kind);
  expect(kinds("other")).toEqual(["untyped"]);
  expect([kinds("character"), kinds("other", "character")]).toEqual([[], []]);
  expect(kinds("character", "other", "sequel")).toEqual(["sequel"]);
});
