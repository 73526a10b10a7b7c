import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { timestampColumn } from "./columns.ts";

/** A single row that counts the changes of the catalog. Caches compare the version to detect that they are stale. */
export const catalogState = pgTable(
  "catalog_state",
  {
    only: boolean("only").primaryKey().default(true),
    version: bigint("version", { mode: "number" }).notNull().default(1),
    changedAt: timestampColumn("changed_at").notNull().defaultNow(),
    /** Names this catalog to others that follow its changes. A restored one gets another: its versions count other changes. */
    identity: uuid("identity").notNull().defaultRandom(),
  },
  (table) => [check("catalog_state_only", sql`${table.only}`)],
);

/**
 * The version that last changed a title or what belongs to it, by which others read what is new. Without a foreign key,
 * whose locks would let an edit and an import deadlock.
 */
export const titleChanges = pgTable(
  "title_changes",
  {
    malId: integer("mal_id").primaryKey(),
    version: bigint("version", { mode: "number" }).notNull(),
  },
  (table) => [index("title_changes_by_version").on(table.version, table.malId)],
);

/** The version of the starter catalog that was imported into this database. */
export const seeds = pgTable("seeds", {
  name: text("name").primaryKey(),
  digest: text("digest").notNull(),
  seededAt: timestampColumn("seeded_at").notNull().defaultNow(),
});
