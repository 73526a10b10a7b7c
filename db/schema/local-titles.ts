import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { ofTitle, titles } from "./catalog.ts";
import { timestampColumn } from "./columns.ts";

/** Titles that exist only in this installation, because no source has them yet. */
export const localTitles = pgTable("local_titles", {
  malId: ofTitle().primaryKey(),
  /** Ids on other sites, to recognise the same title in the catalog. MyAnimeList's id has the site `mal`. */
  externalIds: text("external_ids").array().notNull().default([]),
  /** The folder of MEDIA_DIR whose films matched no title in a scan. */
  folder: text("folder").unique(),
});

/** Local titles that were replaced by a title of the catalog. The URL of a local title redirects to its replacement. */
export const titleRedirects = pgTable("title_redirects", {
  fromId: integer("from_id").primaryKey(),
  toId: integer("to_id")
    .notNull()
    .references(() => titles.malId, { onDelete: "cascade" }),
  at: timestampColumn("at").notNull().defaultNow(),
});
