import type { ComponentProps } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { FilterForm } from "#app/routes/browse/filter-form.tsx";

/** Where nothing is chosen, the HTML of the fields is kept with what the form offers. */

type Props = ComponentProps<typeof FilterForm>;

const offered: Props["offered"] = {
  genres: ["Action", "Drama"],
  tags: ["Time Travel", "School & Club"],
  studios: ["Harbour Works"],
  types: [["tv", "TV"]],
  seasons: [["fall", "fall"]],
  days: [["monday", "Monday"]],
  statuses: [["airing", "Airing"]],
  scores: [["9", "9 or more"]],
  ratings: [["pg", "PG"]],
  sources: [["manga", "Manga"]],
  lengths: [["short", "Short"]],
};
const nothing: Props["fields"] = { sort: ["popular"], tag: [""], "not-tag": [""], from: [], to: [] };
const control: Props["control"] = { form: { current: null }, apply: () => {}, onChange: () => {} };

const written = (change: Partial<Props> = {}) =>
  renderToString(
    <FilterForm
      fields={nothing}
      total={2}
      years={[1917, 2030]}
      offered={offered}
      canHideMine={false}
      control={control}
      {...change}
    />,
  );

test("fields whose HTML is kept are written as React writes them", () => {
  const once = written({ offered: { ...offered } });
  for (let time = 0; time < 3; time++) expect(written()).toBe(once);
  expect(written({ fields: { ...nothing, sort: ["score"] } })).toBe(once);
});

test.each<[string, Partial<Props>]>([
  ["a genre", { fields: { ...nothing, action: ["with"] } }],
  ["a tag", { fields: { ...nothing, tag: ["time-travel"] } }],
  ["a year", { fields: { ...nothing, from: ["2004"] } }],
  ["a search", { fields: { ...nothing, q: ["ferry"] } }],
  ["a member", { canHideMine: true }],
  ["another year", { years: [1917, 2031] }],
])("%s is not taken from the HTML of other forms", (_, change) => {
  const expected = written({ ...change, offered: { ...offered } });
  expect(expected).not.toBe(written());
  for (let time = 0; time < 3; time++) {
    written();
    expect(written(change)).toBe(expected);
  }
});
