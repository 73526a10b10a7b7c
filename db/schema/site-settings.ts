import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isOneOfSql } from "./columns.ts";
import { chosenSignUps, chosenVisitors } from "./enumerations.ts";

/** A single row with what operators choose on the site. A variable of the environment comes before its column; null is unset. */
export const siteSettings = pgTable(
  "site_settings",
  {
    only: boolean("only").primaryKey().default(true),
    signUps: text("sign_ups", { enum: chosenSignUps }),
    visitors: text("visitors", { enum: chosenVisitors }),
    /** The code of the setup page is made from it, so a new one makes the code useless. */
    setupNonce: uuid("setup_nonce").notNull().defaultRandom(),
  },
  (table) => [
    check("site_settings_only", sql`${table.only}`),
    check("site_settings_sign_ups", isOneOfSql(table.signUps, chosenSignUps)),
    check("site_settings_visitors", isOneOfSql(table.visitors, chosenVisitors)),
  ],
);
