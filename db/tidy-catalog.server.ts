import type { Sql } from "postgres";
import { errorFields, log } from "#app/platform/log.server.ts";
import { connectAlone } from "./client.server.ts";

/** The changed share of the catalog from which a vacuum is worth its time. */
const worthVacuum = 0.05;

/** Does the maintenance after an import of this many rows, which PostgreSQL would otherwise do later by itself. */
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
