import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { ofUser, users } from "./accounts.ts";
import { isSha256, timestampColumn } from "./columns.ts";

/** Links with which people can sign up when sign-up is not open. The secret is shown once; only its hash is stored. */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    secretHash: text("secret_hash").notNull().unique(),
    /** The operator who made the invitation. Null for the command line, and after that operator's account is deleted. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    note: text("note").notNull().default(""),
    maxUses: integer("max_uses").notNull().default(1),
    uses: integer("uses").notNull().default(0),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    expiresAt: timestampColumn("expires_at").notNull(),
    lastUsedAt: timestampColumn("last_used_at"),
    revokedAt: timestampColumn("revoked_at"),
  },
  (table) => [
    check("invitations_secret_hash", isSha256(table.secretHash)),
    check("invitations_note", sql`char_length(${table.note}) <= 200`),
    check("invitations_uses", sql`${table.uses} between 0 and ${table.maxUses}`),
    index("invitations_user").on(table.userId),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

/** Which member signed up with which invitation. */
export const invitationUses = pgTable(
  "invitation_uses",
  {
    userId: ofUser().primaryKey(),
    invitationId: uuid("invitation_id")
      .notNull()
      .references(() => invitations.id, { onDelete: "cascade" }),
    usedAt: timestampColumn("used_at").notNull().defaultNow(),
  },
  (table) => [index("invitation_uses_invitation").on(table.invitationId)],
);
