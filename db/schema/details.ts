import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { ofTitle } from "./catalog.ts";
import { bytewiseText, isOneOfSql, timestampColumn } from "./columns.ts";
import { characterRoles, detailPictureKinds, detailReasons, titleSources } from "./enumerations.ts";
import { storedImages } from "./images.ts";

/**
 * Details of titles from another site, and the queue of requests for them. A detail that `titles` or `episodes` has a
 * column for is stored there, as a record of the source.
 */

/** The queue: a row for each title whose details somebody here needs, with the times of its requests. */
export const titleDetails = pgTable(
  "title_details",
  {
    malId: ofTitle().primaryKey(),
    /**
     * The most urgent reason to request the title. Null: nobody needs its details any more, so it is not requested
     * again.
     */
    reason: text("reason", { enum: detailReasons }),
    /** When somebody last opened the title's page. */
    openedAt: timestampColumn("opened_at"),
    /** When the title was last requested. */
    askedAt: timestampColumn("asked_at"),
    /**
     * When details with this next episode were first stored. Without a next episode: when details were last stored.
     * Null: the title has none.
     */
    answeredAt: timestampColumn("answered_at"),
    /** The source of those details. */
    source: text("source", { enum: titleSources }),
    /** When the title is requested next. */
    dueAt: timestampColumn("due_at").notNull(),
    /** The failed attempts since the last good answer. */
    failures: integer("failures").notNull().default(0),
    /** Why the last attempt failed, as a sentence. */
    problem: text("problem"),
    /** True if the source did not know the id that this catalog has for it. Requests then use MyAnimeList's id. */
    isNumberUnknown: boolean("is_number_unknown").notNull().default(false),
    /** The next episode, and when it airs. After it has aired, both values stay until the next answer. */
    nextEpisode: integer("next_episode"),
    nextAirsAt: timestampColumn("next_airs_at"),
    /** The URLs at the source. `detail_pictures` has the stored pictures. */
    coverUrl: text("cover_url"),
    bannerUrl: text("banner_url"),
  },
  (table) => [
    check("title_details_reason", isOneOfSql(table.reason, detailReasons)),
    check("title_details_source", isOneOfSql(table.source, titleSources)),
    check("title_details_answered", sql`(${table.source} is null) = (${table.answeredAt} is null)`),
    check("title_details_failures", sql`${table.failures} >= 0`),
    check(
      "title_details_next",
      sql`(${table.nextEpisode} is null) = (${table.nextAirsAt} is null) and coalesce(${table.nextEpisode} > 0, true)`,
    ),
    index("title_details_due").on(table.dueAt).where(sql`${table.reason} is not null`),
    index("title_details_cover").on(table.coverUrl),
    index("title_details_banner").on(table.bannerUrl),
  ],
);

/** The source's tags of a title. Spoilers are stored, but not shown. */
export const titleTags = pgTable(
  "title_tags",
  {
    malId: ofTitle(),
    name: text("name").notNull(),
    category: text("category"),
    /** How well the tag fits, in percent. */
    rank: smallint("rank").notNull(),
    isSpoiler: boolean("is_spoiler").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.name] }),
    check("title_tags_name", sql`${table.name} <> ''`),
    check("title_tags_rank", sql`${table.rank} between 0 and 100`),
  ],
);

/** Pages of other sites where a title can be watched legally. They are shown as links and never played here. */
export const titleStreams = pgTable(
  "title_streams",
  {
    malId: ofTitle(),
    url: text("url").notNull(),
    /** The site's name. */
    site: text("site").notNull(),
    /** The English name of the stream's language. Null if the stream is not for one language. */
    language: text("language"),
    position: smallint("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.url] }),
    check("title_streams_url", sql`${table.url} ~ '^https?://'`),
  ],
);

/** Pictures of episodes at the source. */
export const episodeStills = pgTable(
  "episode_stills",
  {
    malId: ofTitle(),
    number: integer("number").notNull(),
    url: text("url").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.number] }),
    index("episode_stills_url").on(table.url),
    check("episode_stills_number", sql`${table.number} between 1 and 100000`),
  ],
);

/**
 * A table of people or characters. We assign their ids, from 1,000,000, and an update keeps them. A viewer may see a
 * person or character if they may see one of its titles.
 */
const namedTable = <Name extends string>(name: Name) =>
  pgTable(
    name,
    {
      id: integer("id").primaryKey(),
      source: text("source", { enum: titleSources }).notNull(),
      /** The number at the source. */
      sourceId: bytewiseText("source_id").notNull(),
      name: text("name").notNull(),
      /** The name in its own script. */
      nameNative: text("name_native"),
      /** All names as `indexKey` makes them, for the search. */
      key: bytewiseText("key").notNull(),
      favorites: integer("favorites"),
      pictureUrl: text("picture_url"),
      /** The stored picture, which this site serves. Null: there is none, or it has not been fetched. */
      pictureCid: text("picture_cid").references(() => storedImages.cid, { onDelete: "set null" }),
    },
    (table) => [
      unique(`${name}_source`).on(table.source, table.sourceId),
      check(`${name}_id`, sql`${table.id} > 0`),
      check(`${name}_source_known`, isOneOfSql(table.source, titleSources)),
      check(`${name}_name`, sql`${table.name} <> ''`),
      index(`${name}_picture`).on(table.pictureUrl),
      index(`${name}_picture_cid`).on(table.pictureCid),
      index(`${name}_key_trigrams`).using("gin", sql`${table.key} gin_trgm_ops`),
    ],
  );

/** Voice actors and staff. */
export const people = namedTable("people");

export const characters = namedTable("characters");

const ofPerson = () =>
  integer("person_id")
    .notNull()
    .references(() => people.id, { onDelete: "cascade" });

/** The characters of a title. An answer replaces all of them. */
export const titleCharacters = pgTable(
  "title_characters",
  {
    malId: ofTitle(),
    characterId: integer("character_id")
      .notNull()
      .references(() => characters.id, { onDelete: "cascade" }),
    role: text("role", { enum: characterRoles }).notNull(),
    /** The place in the source's order, from 0. */
    position: smallint("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.characterId] }),
    check("title_characters_role", isOneOfSql(table.role, characterRoles)),
    index("title_characters_character").on(table.characterId),
  ],
);

/** The voice actors of a character in a title, by language. */
export const characterVoices = pgTable(
  "character_voices",
  {
    malId: integer("mal_id").notNull(),
    characterId: integer("character_id").notNull(),
    personId: ofPerson(),
    /** In English, such as "Japanese". */
    language: text("language").notNull(),
    position: smallint("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.characterId, table.personId, table.language] }),
    foreignKey({
      name: "character_voices_character",
      columns: [table.malId, table.characterId],
      foreignColumns: [titleCharacters.malId, titleCharacters.characterId],
    }).onDelete("cascade"),
    index("character_voices_person").on(table.personId),
  ],
);

/** The staff of a title. Somebody with two roles has two rows. An answer replaces all of them. */
export const titleStaff = pgTable(
  "title_staff",
  {
    malId: ofTitle(),
    personId: ofPerson(),
    /** In the source's English words, such as "Director" or "Theme Song Performance (OP)". */
    role: text("role").notNull(),
    position: smallint("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.personId, table.role] }),
    check("title_staff_role", sql`${table.role} <> ''`),
    index("title_staff_person").on(table.personId),
  ],
);

/**
 * The queue of pictures to fetch from the source, and the stored pictures. Each URL is fetched once. The stored picture
 * stays while a title, an episode, a person or a character has the URL.
 */
export const detailPictures = pgTable(
  "detail_pictures",
  {
    url: text("url").primaryKey(),
    kind: text("kind", { enum: detailPictureKinds }).notNull(),
    /** Null until the picture is stored. */
    cid: text("cid").references(() => storedImages.cid),
    failures: integer("failures").notNull().default(0),
    /** When the picture is fetched next. Null: it is stored, or fetching is not tried again. */
    dueAt: timestampColumn("due_at"),
    /** Why the picture could not be fetched, as a sentence. */
    problem: text("problem"),
  },
  (table) => [
    check("detail_pictures_kind", isOneOfSql(table.kind, detailPictureKinds)),
    check("detail_pictures_failures", sql`${table.failures} >= 0`),
    check("detail_pictures_stored", sql`${table.cid} is null or ${table.dueAt} is null`),
    index("detail_pictures_cid").on(table.cid),
    index("detail_pictures_due").on(table.dueAt),
  ],
);

/** A single row with the state of the source: the time of the next request, today's count, and its failures. */
export const detailState = pgTable(
  "detail_state",
  {
    only: boolean("only").primaryKey().default(true),
    /** The next request of any instance is sent at this time at the earliest. */
    nextAt: timestampColumn("next_at").notNull().defaultNow(),
    /** The day, in UTC, that `asked_today` counts. */
    day: text("day").notNull().default(""),
    askedToday: integer("asked_today").notNull().default(0),
    /** The number of titles in one request. */
    batchSize: smallint("batch_size").notNull().default(50),
    /** The failed requests since the last good answer, and when the first of them failed. */
    failures: integer("failures").notNull().default(0),
    failingSince: timestampColumn("failing_since"),
    problem: text("problem"),
    /** The last ids that were assigned. Ids are never reused, because URLs contain them. */
    lastPerson: integer("last_person").notNull().default(999_999),
    lastCharacter: integer("last_character").notNull().default(999_999),
  },
  (table) => [
    check("detail_state_only", sql`${table.only}`),
    check("detail_state_batch_size", sql`${table.batchSize} between 1 and 50`),
    check("detail_state_failing", sql`(${table.failures} > 0) = (${table.failingSince} is not null)`),
  ],
);
