import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { ofTitle, titles } from "./catalog.ts";
import { isOneOfSql, isSha256, timestampColumn } from "./columns.ts";
import { filmDecisionKinds, scanOutcomes, scanReasons } from "./enumerations.ts";
import { films } from "./films.ts";

/** Operators' decisions about a film or about all films of a folder. A scan never changes them. */
export const filmDecisions = pgTable(
  "film_decisions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: filmDecisionKinds }).notNull(),
    filmId: uuid("film_id").references(() => films.id, { onDelete: "cascade" }),
    /** Relative to MEDIA_DIR. The decision also applies to films added to the folder later. */
    folder: text("folder"),
    malId: integer("mal_id").references(() => titles.malId, { onDelete: "cascade" }),
    /** The episode of the film. Only in decisions about a film. */
    episode: integer("episode"),
    lastEpisode: integer("last_episode"),
    /** Added to the numbers in the folder's file names. Only in decisions about a folder. */
    shift: integer("shift"),
    decidedAt: timestampColumn("decided_at").notNull().defaultNow(),
  },
  (table) => [
    check("film_decisions_kind", isOneOfSql(table.kind, filmDecisionKinds)),
    check("film_decisions_about", sql`num_nonnulls(${table.filmId}, ${table.folder}) = 1`),
    check("film_decisions_title", sql`(${table.kind} = 'ignored') = (${table.malId} is null)`),
    index("film_decisions_film").on(table.filmId).where(sql`${table.filmId} is not null`),
    index("film_decisions_folder").on(table.folder).where(sql`${table.folder} is not null`),
    index("film_decisions_title_id").on(table.malId),
  ],
);

/** Folders of MEDIA_DIR that wait for a scan. "" is all of MEDIA_DIR. */
export const scanRequests = pgTable(
  "scan_requests",
  {
    folder: text("folder").primaryKey(),
    reason: text("reason", { enum: scanReasons }).notNull(),
    askedAt: timestampColumn("asked_at").notNull().defaultNow(),
  },
  (table) => [check("scan_requests_reason", isOneOfSql(table.reason, scanReasons))],
);

export const scans = pgTable(
  "scans",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    reason: text("reason", { enum: scanReasons }).notNull(),
    /** "" is all of MEDIA_DIR. */
    folder: text("folder").notNull(),
    startedAt: timestampColumn("started_at").notNull().defaultNow(),
    /** When a scan that has not ended last reported progress. */
    seenAt: timestampColumn("seen_at").notNull().defaultNow(),
    endedAt: timestampColumn("ended_at"),
    /** Null until the scan has ended. */
    outcome: text("outcome", { enum: scanOutcomes }),
    isToStop: boolean("is_to_stop").notNull().default(false),
    found: integer("found").notNull().default(0),
    judged: integer("judged").notNull().default(0),
    registered: integer("registered").notNull().default(0),
    unsure: integer("unsure").notNull().default(0),
    gone: integer("gone").notNull().default(0),
    moved: integer("moved").notNull().default(0),
    /** Why the scan failed, as a sentence. */
    message: text("message"),
    /** The files and folders that could not be read, each as a sentence. */
    problems: jsonb("problems"),
  },
  (table) => [
    check("scans_reason", isOneOfSql(table.reason, scanReasons)),
    check("scans_outcome", isOneOfSql(table.outcome, scanOutcomes)),
    check("scans_ended", sql`(${table.outcome} is null) = (${table.endedAt} is null)`),
    index("scans_newest").on(table.startedAt),
  ],
);

/** Secrets with which other programs report new films. Only their digests are stored. */
export const hookSecrets = pgTable(
  "hook_secrets",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    name: text("name").notNull(),
    digest: text("digest").notNull().unique(),
    madeAt: timestampColumn("made_at").notNull().defaultNow(),
    usedAt: timestampColumn("used_at"),
  },
  (table) => [check("hook_secrets_digest", isSha256(table.digest))],
);

/**
 * Identifies the pictures and texts beside a title's films that were last read, so that a scan reads each only once.
 */
export const folderFacts = pgTable("folder_facts", {
  malId: ofTitle().primaryKey(),
  /** The names, sizes and times of the files. */
  stamp: text("stamp").notNull(),
});
