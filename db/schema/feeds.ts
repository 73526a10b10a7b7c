import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { feedOutcomes } from "./enumerations.ts";

/** What is known of the feeds that CATALOG_FEEDS names. */
export const feeds = pgTable(
  "feeds",
  {
    /** Its kind and address. */
    name: text("name").primaryKey(),
    /** The validators (RFC 9110, section 8.8) of the last answer that was imported as a whole. */
    etag: text("etag"),
    lastModified: text("last_modified"),
    /** The runs since the last good one. */
    failures: integer("failures").notNull().default(0),
    nextAt: timestampColumn("next_at").notNull(),
  },
  (table) => [check("feeds_failures", sql`${table.failures} >= 0`)],
);

/** One attempt to read a feed. */
export const feedRuns = pgTable(
  "feed_runs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    feed: text("feed")
      .notNull()
      .references(() => feeds.name, { onDelete: "cascade" }),
    startedAt: timestampColumn("started_at").notNull(),
    /** The last sign of life of a run that has not ended. */
    seenAt: timestampColumn("seen_at").notNull(),
    endedAt: timestampColumn("ended_at"),
    /** Null until the run has ended. */
    outcome: text("outcome", { enum: feedOutcomes }),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    records: integer("records").notNull().default(0),
    /** Why it failed, as a sentence. */
    message: text("message"),
    /** The counts of the import and the first records that it refused. */
    report: jsonb("report"),
  },
  (table) => [
    check("feed_runs_outcome", isOneOfSql(table.outcome, feedOutcomes)),
    check("feed_runs_ended", sql`(${table.outcome} is null) = (${table.endedAt} is null)`),
    index("feed_runs_newest").on(table.feed, table.startedAt),
  ],
);
