import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { titles } from "./catalog.ts";
import { timestampColumn } from "./columns.ts";

/** Titles of this installation that no source knows yet. */
export const localTitles = pgTable("local_titles", {
  malId: integer("mal_id")
    .primaryKey()
    .references(() => titles.malId, { onDelete: "cascade" }),
  /** By these ids, a title of the catalog is recognised as the same. MyAnimeList's has the site `mal`. */
  externalIds: text("external_ids").array().notNull().default([]),
  /** The folder of MEDIA_DIR whose films a scan found no title for. */
  folder: text("folder").unique(),
});

/** Local titles that became a title of the catalog. Their addresses lead there. */
export const titleRedirects = pgTable("title_redirects", {
  fromId: integer("from_id").primaryKey(),
  toId: integer("to_id")
    .notNull()
    .references(() => titles.malId, { onDelete: "cascade" }),
  at: timestampColumn("at").notNull().defaultNow(),
});
