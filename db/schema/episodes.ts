import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { ofTitle } from "./catalog.ts";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { skipKinds, sourceHeaderNames, sourceTypes } from "./enumerations.ts";
import { films } from "./films.ts";

export const episodes = pgTable(
  "episodes",
  {
    malId: ofTitle(),
    number: integer("number").notNull(),
    title: text("title"),
    description: text("description"),
    airedAt: timestampColumn("aired_at"),
    imageUrl: text("image_url"),
    durationSeconds: integer("duration_seconds"),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.number] }),
    check("episodes_number", sql`${table.number} between 1 and 100000`),
    check("episodes_duration", sql`${table.durationSeconds} > 0`),
  ],
);

/** For tables whose rows are deleted with their episode. */
const belongsToEpisode = (name: string, table: Record<"malId" | "episode", AnyPgColumn>) =>
  foreignKey({
    name,
    columns: [table.malId, table.episode],
    foreignColumns: [episodes.malId, episodes.number],
  }).onDelete("cascade");

const ofEpisode = {
  malId: integer("mal_id").notNull(),
  episode: integer("episode").notNull(),
  url: text("url").notNull(),
};

/** Where an episode can be played from: `http(s)` URLs, root-relative paths or `media:` paths. */
export const episodeSources = pgTable(
  "episode_sources",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    ...ofEpisode,
    type: text("type", { enum: sourceTypes }).notNull(),
    label: text("label"),
    language: text("language"),
    /** The player tries the smallest first. */
    position: smallint("position").notNull().default(0),
    /** The film that a `media:` path names. */
    filmId: uuid("film_id").references(() => films.id, { onDelete: "set null" }),
  },
  (table) => [
    index("episode_sources_film").on(table.filmId).where(sql`${table.filmId} is not null`),
    belongsToEpisode("episode_sources_episode", table),
    unique("episode_sources_url").on(table.malId, table.episode, table.url),
    check("episode_sources_type", isOneOfSql(table.type, sourceTypes)),
  ],
);

/** Request headers that are sent only to the source's own server. */
export const sourceHeaders = pgTable(
  "source_headers",
  {
    sourceId: uuid("source_id")
      .notNull()
      .references(() => episodeSources.id, { onDelete: "cascade" }),
    name: text("name", { enum: sourceHeaderNames }).notNull(),
    /** Encrypted with the site's secret, so a reader of the database or of a backup cannot use the value. */
    encryptedValue: text("encrypted_value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.name] }),
    check("source_headers_name", isOneOfSql(table.name, sourceHeaderNames)),
  ],
);

export const episodeSubtitles = pgTable(
  "episode_subtitles",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    ...ofEpisode,
    language: text("language").notNull(),
    label: text("label"),
    position: smallint("position").notNull().default(0),
  },
  (table) => [
    belongsToEpisode("episode_subtitles_episode", table),
    unique("episode_subtitles_url").on(table.malId, table.episode, table.url),
  ],
);

export const skipSegments = pgTable(
  "skip_segments",
  {
    malId: integer("mal_id").notNull(),
    episode: integer("episode").notNull(),
    kind: text("kind", { enum: skipKinds }).notNull(),
    /** In seconds. */
    start: doublePrecision("start").notNull(),
    end: doublePrecision("end").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.episode, table.kind, table.start] }),
    belongsToEpisode("skip_segments_episode", table),
    check("skip_segments_kind", isOneOfSql(table.kind, skipKinds)),
    check("skip_segments_span", sql`${table.start} >= 0 and ${table.end} > ${table.start}`),
  ],
);
