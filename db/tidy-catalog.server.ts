import type { Sql } from "postgres";
import { errorFields, log } from "#app/platform/log.server.ts";
import { connectAlone } from "./client.server.ts";

/** The share of the catalog that has to be new for a vacuum. PostgreSQL vacuums by itself after smaller changes. */
const worthVacuum = 0.05;

/** Runs at once, after an import that wrote this many rows, the maintenance that PostgreSQL would do later by itself. */
export async function tidyCatalog(writtenRows: number): Promise<void> {
  const sql = await connectAlone("vacuum");
  try {
    const [row] = await sql<{ titles: number }[]>`
      select reltuples as titles from pg_class where oid = 'titles'::regclass`;
    await (writtenRows > (row?.titles ?? 0) * worthVacuum ? vacuumTables(sql) : indexNewNames(sql));
  } catch (error) {
    log.warn(
      "could not tidy the catalog tables; PostgreSQL does it later by itself, and listings can be slower until then",
      errorFields(error),
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Without VACUUM, PostgreSQL cannot use index-only scans for listings; ANALYZE gives its planner new statistics. */
const vacuumTables = (sql: Sql) =>
  sql`vacuum (analyze) titles, title_aliases, title_relations, episodes, episode_sources`;

/** New names wait in a pending list beside each GIN index. Every search reads that list completely. */
const indexNewNames = (sql: Sql) =>
  sql`select gin_clean_pending_list(name::regclass)
        from unnest(array['title_aliases_key_trigrams', 'title_aliases_joined_trigrams', 'titles_studios']) as name`;
