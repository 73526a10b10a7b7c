import { sql } from "drizzle-orm";
import { bigint, check, customType, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { filmStates } from "./enumerations.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/**
 * The operator's films: the files of MEDIA_DIR, including those that are not a source yet. The facts about a file are
 * read again when it changes.
 */
export const films = pgTable(
  "films",
  {
    /** Used in the addresses of the packaged film, in place of the path. */
    id: uuid("id").primaryKey().defaultRandom(),
    /** Relative to MEDIA_DIR, with forward slashes. */
    path: text("path").notNull().unique(),
    /** The file's size and time when it was last read, in bytes and in milliseconds since 1970. Null: never read. */
    size: bigint("size", { mode: "number" }),
    modifiedMs: bigint("modified_ms", { mode: "number" }),
    /** The size with a digest of the first and the last 64 KiB. It stays the same when the file moves. */
    fingerprint: text("fingerprint"),
    arrivedAt: timestampColumn("arrived_at").notNull().defaultNow(),
    /** When the file was first missing. Null while it is there. */
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
  ],
);
