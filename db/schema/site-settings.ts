import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isOneOfSql } from "./columns.ts";
import { chosenSignUps, chosenVisitors, setupSteps } from "./enumerations.ts";

/**
 * A single row with the settings that operators choose on the site. An environment variable overrides its column; null
 * is unset.
 */
export const siteSettings = pgTable(
  "site_settings",
  {
    only: boolean("only").primaryKey().default(true),
    signUps: text("sign_ups", { enum: chosenSignUps }),
    visitors: text("visitors", { enum: chosenVisitors }),
    /**
     * Whether details of titles are requested from another site. Null: no operator has chosen, so nothing is requested.
     */
    details: boolean("details"),
    /** The setup page's code is derived from the nonce, so a new nonce invalidates the code. */
    setupNonce: uuid("setup_nonce").notNull().defaultRandom(),
    /** Where the first operator goes on with the setup. Null: it is finished, or this site never began it. */
    setupStep: text("setup_step", { enum: setupSteps }),
  },
  (table) => [
    check("site_settings_only", sql`${table.only}`),
    check("site_settings_sign_ups", isOneOfSql(table.signUps, chosenSignUps)),
    check("site_settings_visitors", isOneOfSql(table.visitors, chosenVisitors)),
    check("site_settings_setup_step", isOneOfSql(table.setupStep, setupSteps)),
  ],
);
