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
    /**
     * Identifies this catalog to Engawas that follow its changes. A restore sets a new identity, because its versions
     * count other changes.
     */
    identity: uuid("identity").notNull().defaultRandom(),
  },
  (table) => [check("catalog_state_only", sql`${table.only}`)],
);

/**
 * The catalog version at which a title or its related rows last changed. Readers of changes find new titles by it.
 * Without a foreign key, because the key's locks would let an edit and an import deadlock.
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
