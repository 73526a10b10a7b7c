import { sql } from "drizzle-orm";
import { bigint, check, customType, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { filmStates } from "./enumerations.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/**
 * The operator's films: the files of MEDIA_DIR, those that are no source yet included. What is known of a file is made anew
 * when it changes.
 */
export const films = pgTable(
  "films",
  {
    /** Stands in the addresses of the packaged film instead of the path. */
    id: uuid("id").primaryKey().defaultRandom(),
    /** Relative to MEDIA_DIR, with forward slashes. */
    path: text("path").notNull().unique(),
    /** The file when it was read last; null: it never was. In bytes, and in milliseconds since 1970. */
    size: bigint("size", { mode: "number" }),
    modifiedMs: bigint("modified_ms", { mode: "number" }),
    /** The size with a digest of the first and the last 64 KiB, which stays when the file moves. */
    fingerprint: text("fingerprint"),
    arrivedAt: timestampColumn("arrived_at").notNull().defaultNow(),
    /** Since when the file is missing. */
    goneAt: timestampColumn("gone_at"),
    inspection: jsonb("inspection"),
    /** Where decoding can begin, as `packKeyFrames` writes it. */
    keyFrames: bytes("key_frames"),
    /** The file as the last scan saw it, which did not open it. */
    seenSize: bigint("seen_size", { mode: "number" }),
    seenModifiedMs: bigint("seen_modified_ms", { mode: "number" }),
    /** Since when its size and time are these. */
    seenAt: timestampColumn("seen_at"),
    /** What the last scan made of it. Null: no scan has judged it. */
    state: text("state", { enum: filmStates }),
    /** The title and the episode that its name suggests, with the reasons against them. */
    proposal: jsonb("proposal"),
    /** The number of the last change of a title that the proposal knows. */
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
