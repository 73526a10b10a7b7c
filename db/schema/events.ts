import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { eventActors, eventKinds } from "./enumerations.ts";

/** Security events of accounts and of the site, kept for `eventDays`. An event is deleted with its account. */
export const securityEvents = pgTable(
  "security_events",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    at: timestampColumn("at").notNull().defaultNow(),
    kind: text("kind", { enum: eventKinds }).notNull(),
    /** The account that the event is about; null if it is about the site. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    actor: text("actor", { enum: eventActors }).notNull(),
    /** The operator who acted. Null for other actors, and after that operator's account is deleted. */
    operatorId: uuid("operator_id").references(() => users.id, { onDelete: "set null" }),
    /** A device, the name of a token, or a count. Never a secret or an address. */
    detail: text("detail").notNull().default(""),
    /** A keyed hash of the IP address block. Null for the command line. */
    networkHash: text("network_hash"),
  },
  (table) => [
    check("security_events_kind", isOneOfSql(table.kind, eventKinds)),
    check("security_events_actor", isOneOfSql(table.actor, eventActors)),
    check("security_events_network_hash", sql`${table.networkHash} ~ '^[0-9a-f]{64}$'`),
    index("security_events_at").on(table.at),
    index("security_events_user").on(table.userId, table.at),
    index("security_events_operator").on(table.operatorId),
  ],
);
