import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { filmStates, passedOverReasons } from "./enumerations.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/**
 * The folders that hold the operator's films. A removed root keeps its number, so that its films are recognised when
 * the root is added again.
 */
export const filmRoots = pgTable(
  "film_roots",
  {
    number: integer("number").primaryKey(),
    folder: text("folder").notNull().unique(),
    /** True if an operator chose the root on the site. Roots of MEDIA_DIR are not chosen. */
    isChosen: boolean("is_chosen").notNull().default(false),
  },
  (table) => [check("film_roots_number", sql`${table.number} > 0`)],
);

/**
 * The operator's films: the files of all roots, including those that are not a source yet. The facts about a file are
 * read again when it changes.
 */
export const films = pgTable(
  "films",
  {
    /** Used in the addresses of the packaged film, in place of the path. */
    id: uuid("id").primaryKey().defaultRandom(),
    /** With forward slashes. Relative to the first root, or with the number of another root: `.2/Show/01.mkv`. */
    path: text("path").notNull().unique(),
    /** The path of the file itself if `path` leads through a link to another root. */
    linkTarget: text("link_target"),
    /** The file's size and time when it was last read, in bytes and in milliseconds since 1970. Null: never read. */
    size: bigint("size", { mode: "number" }),
    modifiedMs: bigint("modified_ms", { mode: "number" }),
    /** The size with a digest of the first and the last 64 KiB. It stays the same when the file moves. */
    fingerprint: text("fingerprint"),
    arrivedAt: timestampColumn("arrived_at").notNull().defaultNow(),
    /** When a scan first missed the file. Null while the file is present. */
    goneAt: timestampColumn("gone_at"),
    inspection: jsonb("inspection"),
    /** The positions at which decoding can begin, in the format of `packKeyFrames`. */
    keyFrames: bytes("key_frames"),
    /** The file's size and time at the last scan, which did not open the file. */
    seenSize: bigint("seen_size", { mode: "number" }),
    seenModifiedMs: bigint("seen_modified_ms", { mode: "number" }),
    /** Since when the size and time have been the same. */
    seenAt: timestampColumn("seen_at"),
    /** The last scan's judgement. Null: no scan has judged the film. */
    state: text("state", { enum: filmStates }),
    /** The title and episode that the file's name suggests, with the reasons against them. */
    proposal: jsonb("proposal"),
    /** The latest version in `title_changes` that the proposal takes into account. */
    judgedAt: bigint("judged_at", { mode: "number" }),
  },
  (table) => [
    check("films_size", sql`${table.size} >= 0`),
    check("films_state", isOneOfSql(table.state, filmStates)),
    index("films_open").on(table.state).where(sql`${table.state} <> 'registered'`),
    index("films_gone").on(table.id).where(sql`${table.goneAt} is not null`),
    index("films_arrived").on(table.arrivedAt),
    // Without it, a scan would read the inspection of every film to find those in which nothing can be read.
    index("films_unknown").on(table.id).where(sql`${table.inspection} ->> 'container' = 'other'`),
  ],
);

/** The files and folders that scans did not take as films, each with the reason. */
export const passedOver = pgTable(
  "passed_over",
  {
    path: text("path").primaryKey(),
    reason: text("reason", { enum: passedOverReasons }).notNull(),
  },
  (table) => [check("passed_over_reason", isOneOfSql(table.reason, passedOverReasons))],
);
