import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { ofTitle } from "./catalog.ts";
import { isOneOfSql } from "./columns.ts";
import { franchiseCorrectionKinds, franchiseMarks } from "./enumerations.ts";

/**
 * Titles that belong together. The rows are computed from the relations. A franchise keeps its number when they change.
 */
export const franchises = pgTable("franchises", {
  id: integer("id").primaryKey(),
});

const ofFranchise = (name: string) =>
  integer(name)
    .notNull()
    .references(() => franchises.id, { onDelete: "cascade" });

/** A title's places in its franchise. A title without related titles has no row. */
export const franchiseTitles = pgTable(
  "franchise_titles",
  {
    malId: ofTitle().primaryKey(),
    franchiseId: ofFranchise("franchise_id"),
    /** The place in the order of release, from 1. Titles that a viewer cannot see leave gaps. */
    released: smallint("released").notNull(),
    /** The place in the order of the story, from 1. */
    story: smallint("story").notNull(),
    mark: text("mark", { enum: franchiseMarks }).notNull(),
    /** The title that this one sums up. */
    summaryOf: integer("summary_of"),
    /** The last episode that this title sums up, if known. */
    summaryUntil: integer("summary_until"),
    /** A title beside the main line that tells this part of it too and leads on to a later one: a movie of a season. */
    toldBy: integer("told_by"),
  },
  (table) => [
    unique("franchise_titles_released").on(table.franchiseId, table.released),
    unique("franchise_titles_story").on(table.franchiseId, table.story),
    check("franchise_titles_mark", isOneOfSql(table.mark, franchiseMarks)),
    check("franchise_titles_places", sql`${table.released} > 0 and ${table.story} > 0`),
    check("franchise_titles_summary", sql`${table.summaryUntil} is null or ${table.summaryOf} is not null`),
  ],
);

/** Operators' corrections. They belong to this installation: exports leave them out, and imports do not change them. */
export const franchiseCorrections = pgTable(
  "franchise_corrections",
  {
    malId: ofTitle(),
    correction: text("correction", { enum: franchiseCorrectionKinds }).notNull(),
    /** The other title. Null: the title is in no franchise, or comes first. */
    relatedId: integer("related_id"),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.correction] }),
    index("franchise_corrections_related").on(table.relatedId),
    check("franchise_corrections_correction", isOneOfSql(table.correction, franchiseCorrectionKinds)),
    check(
      "franchise_corrections_joined",
      sql`${table.correction} <> 'joined' or ${table.relatedId} is not null`,
    ),
    check("franchise_corrections_related", sql`${table.relatedId} <> ${table.malId}`),
  ],
);

/** Relations between titles of different franchises. Each is stored in both directions. */
export const franchiseConnections = pgTable(
  "franchise_connections",
  {
    malId: ofTitle(),
    relatedId: integer("related_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.relatedId] }),
    index("franchise_connections_related").on(table.relatedId),
  ],
);

/** Numbers of franchises that became part of another. */
export const franchiseRedirects = pgTable(
  "franchise_redirects",
  {
    fromId: integer("from_id").primaryKey(),
    toId: ofFranchise("to_id"),
    /** The titles that it had then. If they separate again, they get the number back. */
    malIds: integer("mal_ids").array().notNull().default([]),
  },
  (table) => [index("franchise_redirects_to").on(table.toId)],
);

/** A single row, which a migrated database lacks until the first start has computed its franchises. */
export const franchiseState = pgTable(
  "franchise_state",
  {
    only: boolean("only").primaryKey().default(true),
    /** The catalog's version up to which the franchises are computed. */
    version: bigint("version", { mode: "number" }).notNull(),
    /** The last number that a franchise got. Numbers are never reused, because URLs contain them. */
    lastNumber: integer("last_number").notNull(),
    /** The number of the rules that ordered the franchises. 0: rules from before they had numbers. */
    rules: integer("rules").notNull().default(0),
  },
  (table) => [check("franchise_state_only", sql`${table.only}`)],
);
