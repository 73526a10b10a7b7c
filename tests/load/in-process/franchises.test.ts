import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { franchiseState, franchises, franchiseTitles } from "#db/schema/franchises.ts";
import { figure } from "#tests/load/figures.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";

/** The time and memory to compute the franchises of 40,000 titles with 120,000 relations, and to renew those of 500. */

const titleCount = 40_000;
const relationCount = 120_000;

beforeAll(async () => {
  await db.delete(titles);
  await db.execute(sql`
    insert into ${titles} (mal_id, title, title_key, type, episodes, aired_from, members)
    select id, 'Title ' || id, 'title ' || id, (array['TV', 'TV', 'Movie', 'OVA', 'Special'])[1 + id % 5], 12,
      '1990-01-01'::timestamptz + id * interval '8 hours', id % 1000
    from generate_series(1, ${titleCount}) as id`);
});
beforeEach(() => db.execute(sql`truncate ${titleRelations}, ${franchises}, ${franchiseState} cascade`));

const kinds = [
  "sequel",
  "prequel",
  "side_story",
  "parent_story",
  "alternative_version",
  "spin_off",
  "summary",
  "other",
];

/** `reach` is how far the numbers of related titles are apart. */
const relate = (reach: number) =>
  db.execute(sql`
    insert into ${titleRelations} (mal_id, related_id, relation)
    select distinct on (1, 2, 3) id, related, (${`{${kinds.join(",")}}`}::text[])[1 + number % ${kinds.length}]
    from (
      select number, 1 + number % ${titleCount} as id,
        1 + (number % ${titleCount} + 1 + (number::bigint * 7919) % ${reach}) % ${titleCount} as related
      from generate_series(1, ${relationCount}) as number
    ) as relation where id <> related`);

async function measure(label: string, work: () => Promise<unknown>) {
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  await work();
  clearInterval(timer);
  figure("franchises", `${label}, time`, (performance.now() - startedAt) / 1000, "s");
  figure("franchises", `${label}, memory`, (peak - before) / 2 ** 20, "MiB");
}

test.each([
  ["neighbours are related", 6],
  ["everything is connected", titleCount - 1],
])("a first start: %s", async (label, reach) => {
  await relate(reach);
  await measure(label, renewFranchises);
  expect(await db.$count(franchiseTitles)).toBeGreaterThan(titleCount * 0.9);
  const [largest] = await db.execute<{ size: number }>(sql`
    select count(*)::int as size from ${franchiseTitles} group by franchise_id order by 1 desc limit 1`);
  expect(largest?.size).toBeLessThanOrEqual(100);
});

test("an import of 500 changed titles", async () => {
  await db.execute(sql`
    insert into ${titleRelations} (mal_id, related_id, relation)
    select id, id + 1, 'sequel' from generate_series(1, ${titleCount}) as id where id % 5 > 0`);
  await renewFranchises();
  const changed = Array.from({ length: 500 }, (_, index) => ({
    kind: "relation",
    from: index * 40 + 1,
    to: index * 40 + 3,
    relation: "summary",
  }));
  await measure("an import of 500 changed titles", () => importTitles(changed));
  const [row] = await db.execute<{ rows: number }>(sql`
    select count(*)::int as rows from ${franchiseTitles}
    where xmin::text = (select xmin::text from ${franchiseTitles} where mal_id = 1)`);
  expect(row?.rows).toBe(500 * 5);
});
