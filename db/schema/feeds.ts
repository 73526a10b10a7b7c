import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { feedOutcomes } from "./enumerations.ts";

/** The state of each feed that CATALOG_FEEDS names or an operator chose. */
export const feeds = pgTable(
  "feeds",
  {
    /** The feed's kind and address. */
    name: text("name").primaryKey(),
    /** The validators (RFC 9110, section 8.8) of the last answer that was imported completely. */
    etag: text("etag"),
    lastModified: text("last_modified"),
    /** The failed runs since the last good one. */
    failures: integer("failures").notNull().default(0),
    nextAt: timestampColumn("next_at").notNull(),
    /** Where the next run begins: a page, or a position of another Engawa. Null: at the beginning. */
    position: text("position"),
    /** The identities of all catalogs that are combined in the other Engawa's catalog. Its own comes first. */
    catalogs: uuid("catalogs").array().notNull().default([]),
    /**
     * The interval of a feed that an operator chose on a page; 0 reads the feed once. Null: only CATALOG_FEEDS names
     * the feed.
     */
    chosenIntervalMs: bigint("chosen_interval_ms", { mode: "number" }),
  },
  (table) => [check("feeds_failures", sql`${table.failures} >= 0`)],
);

/** The pages of a feed that were imported, with their validators. */
export const feedPages = pgTable(
  "feed_pages",
  {
    feed: text("feed")
      .notNull()
      .references(() => feeds.name, { onDelete: "cascade" }),
    page: integer("page").notNull(),
    etag: text("etag").notNull(),
    isLast: boolean("is_last").notNull(),
  },
  (table) => [primaryKey({ columns: [table.feed, table.page] })],
);

/** An attempt to read a feed. */
export const feedRuns = pgTable(
  "feed_runs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.name, { onDelete: "cascade" }),
    startedAt: timestampColumn("started_at").notNull(),
    /** When a run that has not ended last reported progress. */
    seenAt: timestampColumn("seen_at").notNull(),
    endedAt: timestampColumn("ended_at"),
    /** Null until the run has ended. */
    outcome: text("outcome", { enum: feedOutcomes }),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    records: integer("records").notNull().default(0),
    /** Why the run failed, as a sentence. */
    message: text("message"),
    /** The import's counts and the first records that it refused. */
    report: jsonb("report"),
  },
  (table) => [
    check("feed_runs_outcome", isOneOfSql(table.outcome, feedOutcomes)),
    check("feed_runs_ended", sql`(${table.outcome} is null) = (${table.endedAt} is null)`),
    index("feed_runs_newest").on(table.feed, table.startedAt),
  ],
);
