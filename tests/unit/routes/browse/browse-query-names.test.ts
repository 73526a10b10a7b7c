import { expect, test } from "vitest";
import { browseQueryNames } from "#app/routes/browse/browse-query-names.server.ts";
import { formatBrowseQuery, parseBrowseQuery } from "#app/wire/browse-query.server.ts";

/** A query that records which names are read. */
class NotedQuery extends URLSearchParams {
  readonly names = new Set<string>();
  override get(name: string) {
    this.names.add(name);
    return super.get(name);
  }
  override getAll(name: string) {
    this.names.add(name);
    return super.getAll(name);
  }
}

test("the browse page declares exactly the parameter names that it reads", () => {
  const noted = new NotedQuery();
  parseBrowseQuery(noted);
  expect([...noted.names].sort()).toEqual(Object.keys(browseQueryNames).sort());
});

test("the names are in the order in which the page writes them, so that its own URLs are never redirected", () => {
  const all =
    "?q=a&genre=action&without=drama&tag=school&not-tag=gore&type=tv&status=airing&season=fall&from=2020&to=2021&rating=g&studio=b&company=c&source=manga&length=short&score=7&day=monday&banner=1&watch=1&mine=0&sort=title&page=2&more=1";
  const written = formatBrowseQuery(parseBrowseQuery(new URLSearchParams(all)));
  expect(written).toBe(all);
  const order = Object.keys(browseQueryNames);
  const names = [...new URLSearchParams(written).keys()];
  expect(names).toEqual(order.filter((name) => names.includes(name)));
});
