import { sql } from "drizzle-orm";
import { bigint, check, customType, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { timestampColumn } from "./columns.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** The operator's films: the files of MEDIA_DIR that are sources. What is known of a file is made anew when it changes. */
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
  },
  (table) => [check("films_size", sql`${table.size} >= 0`)],
);
