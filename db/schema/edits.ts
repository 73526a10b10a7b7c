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
import { descending, isOneOfSql, timestampColumn } from "./columns.ts";
import { relationKinds, titleSources } from "./enumerations.ts";
import { episodes } from "./episodes.ts";
import { storedImages } from "./images.ts";

const source = () => text("source", { enum: titleSources }).notNull();

/**
 * The latest record of each source about an episode. `episodes` contains the fields merged from them by the rank of
 * their sources.
 */
export const episodeRecords = pgTable(
  "episode_records",
  {
    malId: integer("mal_id").notNull(),
    number: integer("number").notNull(),
    source: source(),
    /** Only the fields that the source has, as `EpisodeFields`. */
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

/**
 * Which sources name a relation. Only the operator can state that a relation does not exist; imports then do not add
 * it.
 */
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

/** The operators' edits of titles. When an operator's account is deleted, the edit stays without the name. */
export const titleEdits = pgTable(
  "title_edits",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    malId: ofTitle(),
    at: timestampColumn("at").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    /** The field's name in the catalog's code. */
    field: text("field").notNull(),
    /** The operator's value before the edit (null if there was none), and the title's value at the time. */
    before: jsonb("before").notNull(),
    after: jsonb("after").notNull(),
  },
  (table) => [
    index("title_edits_newest").on(table.malId, descending(table.at)),
    index("title_edits_user").on(table.userId),
  ],
);

/** Stored pictures that operators gave to titles. They stay as long as the title, so that an undo can restore them. */
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
