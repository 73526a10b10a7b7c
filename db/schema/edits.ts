import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { ofTitle } from "./catalog.ts";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { relationKinds, titleSources } from "./enumerations.ts";
import { episodes } from "./episodes.ts";
import { storedImages } from "./images.ts";

const source = () => text("source", { enum: titleSources }).notNull();

/** The last word of each source about an episode. `episodes` has what their ranks make of them. */
export const episodeRecords = pgTable(
  "episode_records",
  {
    malId: integer("mal_id").notNull(),
    number: integer("number").notNull(),
    source: source(),
    /** Only what the source knows, by the names of the columns of `episodes`. */
    fields: jsonb("fields").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.number, table.source] }),
    foreignKey({
      name: "episode_records_episode",
      columns: [table.malId, table.number],
      foreignColumns: [episodes.malId, episodes.number],
    }).onDelete("cascade"),
    check("episode_records_source", isOneOfSql(table.source, titleSources)),
  ],
);

/** Which sources name a relation. Only the operator can say that there is none, and then no import adds it. */
export const relationRecords = pgTable(
  "relation_records",
  {
    malId: ofTitle(),
    relatedId: integer("related_id").notNull(),
    relation: text("relation", { enum: relationKinds }).notNull(),
    source: source(),
    isPresent: boolean("is_present").notNull().default(true),
    name: text("name"),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.relatedId, table.relation, table.source] }),
    check("relation_records_relation", isOneOfSql(table.relation, relationKinds)),
    check("relation_records_source", isOneOfSql(table.source, titleSources)),
    check("relation_records_is_present", sql`${table.isPresent} or ${table.source} = 'operator'`),
  ],
);

/** What operators changed of titles. An edit stays when its operator's account is deleted, without the name. */
export const titleEdits = pgTable(
  "title_edits",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    malId: ofTitle(),
    at: timestampColumn("at").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    /** The field, as the code of the catalog names it. */
    field: text("field").notNull(),
    /** What the operator said of the field, null if nothing, and what the title then had. */
    before: jsonb("before").notNull(),
    after: jsonb("after").notNull(),
  },
  (table) => [
    index("title_edits_newest").on(table.malId, table.at.desc()),
    index("title_edits_user").on(table.userId),
  ],
);

/** Stored pictures that operators gave to titles. They stay as long as the title, so that an undo finds them. */
export const titlePictures = pgTable(
  "title_pictures",
  {
    cid: text("cid")
      .notNull()
      .references(() => storedImages.cid),
    malId: ofTitle(),
  },
  (table) => [
    primaryKey({ columns: [table.cid, table.malId] }),
    index("title_pictures_title").on(table.malId),
  ],
);
