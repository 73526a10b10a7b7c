import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { ofUser, sessions, users } from "./accounts.ts";
import { isOneOfSql, isSha256, timestampColumn } from "./columns.ts";
import { deviceCodeStates } from "./enumerations.ts";

/** Devices that wait to be signed in from another device (RFC 8628). Rows are kept for a day and are not backed up. */
export const deviceCodes = pgTable(
  "device_codes",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** The hash of the secret with which the device polls for its sign-in. */
    secretHash: text("secret_hash").notNull().unique(),
    /** A keyed hash of the code that people type. A plain hash could be reversed by hashing all codes. */
    userCodeHash: text("user_code_hash").notNull().unique(),
    device: text("device").notNull(),
    networkHash: text("network_hash").notNull(),
    state: text("state", { enum: deviceCodeStates }).notNull().default("pending"),
    /** The profile that confirmed or denied the device. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The session that confirmed the device. When it ends, the device can no longer sign in. */
    sessionId: uuid("session_id").references(() => sessions.id, { onDelete: "cascade" }),
    intervalSeconds: smallint("interval_seconds").notNull().default(5),
    lastPolledAt: timestampColumn("last_polled_at"),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    expiresAt: timestampColumn("expires_at").notNull(),
  },
  (table) => [
    check("device_codes_secret_hash", isSha256(table.secretHash)),
    check("device_codes_user_code_hash", isSha256(table.userCodeHash)),
    check("device_codes_network_hash", isSha256(table.networkHash)),
    check("device_codes_state", isOneOfSql(table.state, deviceCodeStates)),
    check(
      "device_codes_confirmed_by",
      sql`${table.state} in ('pending', 'used') or ${table.userId} is not null`,
    ),
    index("device_codes_user").on(table.userId),
    index("device_codes_session").on(table.sessionId),
    index("device_codes_created").on(table.createdAt),
    index("device_codes_network").on(table.networkHash, table.createdAt),
  ],
);

/** The number of wrong codes that an account's members typed in the current window. */
export const deviceCodeGuesses = pgTable(
  "device_code_guesses",
  {
    userId: ofUser().primaryKey(),
    windowStart: timestampColumn("window_start").notNull().defaultNow(),
    guesses: integer("guesses").notNull().default(0),
  },
  (table) => [check("device_code_guesses_count", sql`${table.guesses} >= 0`)],
);
