import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  airingStatuses,
  genres,
  ratingCodes,
  seasons,
  titleTypes,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { chosenFilters } from "#app/routes/browse/browse-filters.server.ts";
import { type Sort, sortLabels } from "#app/wire/browse-choices.ts";
import {
  type BrowseQuery,
  emptyBrowseQuery,
  formatBrowseQuery,
  type Length,
  lengths,
  parseBrowseQuery,
  sourceMaterialNames,
} from "#app/wire/browse-query.server.ts";

const parse = (search: string) => parseBrowseQuery(new URLSearchParams(search));

const anyQuery: fc.Arbitrary<BrowseQuery> = fc
  .record({
    q: fc.constantFrom("", "one piece", "は"),
    genres: fc.subarray([...genres].slice(0, 10)),
    without: fc.subarray([...genres].slice(10)),
    types: fc.subarray([...titleTypes]),
    status: fc.constantFrom(null, ...airingStatuses),
    season: fc.constantFrom(null, ...seasons),
    from: fc.option(fc.integer({ min: 1917, max: 1990 })),
    to: fc.option(fc.integer({ min: 1990, max: 2027 })),
    tags: fc.subarray(["isekai", "school"]),
    withoutTags: fc.subarray(["gore", "idols-female"]),
    company: fc.constantFrom("", "Aniplex", "Bandai Visual, Inc."),
    sourceMaterial: fc.constantFrom(null, ...sourceMaterialNames),
    length: fc.constantFrom(null, ...(Object.keys(lengths) as Length[])),
    rating: fc.constantFrom(null, ...ratingCodes),
    studio: fc.constantFrom("", "Bones", "Yamamura Animation, Inc.", "A&B + C"),
    score: fc.constantFrom(null, 8, 7.5, 10),
    day: fc.constantFrom(null, ...weekdays),
    hasBanner: fc.boolean(),
    playable: fc.boolean(),
    hideMine: fc.boolean(),
    sort: fc.constantFrom(...(Object.keys(sortLabels) as Sort[])),
    page: fc.integer({ min: 1, max: 700 }),
    more: fc.integer({ min: 0, max: 4 }),
  })
  .map((query) => query);

describe("the query of the browse page", () => {
  test("is read back to the same filters", () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(parse(formatBrowseQuery(query))).toEqual(query);
        expect(formatBrowseQuery(parse(formatBrowseQuery(query)))).toBe(formatBrowseQuery(query));
      }),
    );
  });

  test("no chosen filter gives an empty query", () => expect(formatBrowseQuery(emptyBrowseQuery)).toBe(""));

  test("the query of a form without scripts gives the same filters", () => {
    const query = parse(
      "?q=&action=with&ecchi=without&type=tv&type=tv-special&status=&year=&score=&studio=&sort=popular",
    );
    expect(formatBrowseQuery(query)).toBe("?genre=action&without=ecchi&type=tv&type=tv-special");
  });

  test("the same first and last year are one year, and swapped years are put in order", () => {
    expect(formatBrowseQuery(parse("?from=2001&to=2001"))).toBe("?year=2001");
    expect(formatBrowseQuery(parse("?from=2009&to=2001"))).toBe("?from=2001&to=2009");
    expect(formatBrowseQuery(parse("?from=2009"))).toBe("?from=2009");
  });

  test("a typed theme joins the chosen ones", () => {
    expect(formatBrowseQuery(parse("?tag=school,space&add-tag=Idols+(Female)&add-not-tag=space"))).toBe(
      "?tag=school&tag=idols-female&not-tag=space",
    );
  });

  test("an excluded genre wins over an included one", () => {
    expect(parse("?genre=action,comedy&without=comedy")).toMatchObject({
      genres: ["Action"],
      without: ["Comedy"],
    });
  });

  test("the plus in the rating r+ is kept", () => expect(parse("?rating=r+").rating).toBe("r+"));

  test.each([
    "?year=1e9",
    "?year=-1",
    "?score=NaN",
    "?score=11",
    "?sort=__proto__",
    "?page=0",
    "?type=%00",
    "?genre=constructor",
  ])("the invalid value in %s is ignored", (search) => expect(parse(search)).toEqual(emptyBrowseQuery));
});

describe("the chosen filters", () => {
  test("removing one filter leaves the others and returns to the first page", () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        for (const { key, rest } of chosenFilters(query)) {
          expect(chosenFilters(rest).map((left) => left.key)).toEqual(
            chosenFilters(query)
              .map((other) => other.key)
              .filter((other) => other !== key),
          );
          expect(rest.page).toBe(1);
        }
      }),
    );
  });
});
