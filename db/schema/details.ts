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
 * What another site tells about titles, and the queue in which it is asked. Fields that `titles` and `episodes` have
 * are stored there, as records of the source.
 */

/** A title that somebody here needs details of, when it was asked for, and when it is asked for again. */
export const titleDetails = pgTable(
  "title_details",
  {
    malId: ofTitle().primaryKey(),
    /** The best reason why the title is asked for. Null: nobody needs it any more, and it is not asked for again. */
    reason: text("reason", { enum: detailReasons }),
    /** When somebody last opened the title's page. */
    openedAt: timestampColumn("opened_at"),
    /** When the last request with the title was sent. */
    askedAt: timestampColumn("asked_at"),
    /** When the last answer about the title was stored. Null: there are no details. */
    answeredAt: timestampColumn("answered_at"),
    /** The source of that answer. */
    source: text("source", { enum: titleSources }),
    /** When the title is asked for next. */
    dueAt: timestampColumn("due_at").notNull(),
    /** The failed attempts since the last good answer. */
    failures: integer("failures").notNull().default(0),
    /** Why the last attempt failed, as a sentence. */
    problem: text("problem"),
    /** The source does not know its number of the title that this catalog has, so it is asked by MyAnimeList's. */
    isNumberUnknown: boolean("is_number_unknown").notNull().default(false),
    /** The next episode, and when it airs. Afterwards the values stay until the next answer. */
    nextEpisode: integer("next_episode"),
    nextAirsAt: timestampColumn("next_airs_at"),
    /** The addresses at the source. `detail_pictures` has the stored pictures. */
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

/** The source's tags of a title. Those that would give the story away are stored and not shown. */
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

/** Where a title can be watched legally: pages of other sites. They are links and never played here. */
export const titleStreams = pgTable(
  "title_streams",
  {
    malId: ofTitle(),
    url: text("url").notNull(),
    /** The site's name. */
    site: text("site").notNull(),
    /** The language of the offer in English, if it is for one. */
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
 * Columns that people and characters share. Their numbers are ours, from 1,000,000, and stay when they are renewed. A
 * viewer sees a person or a character where they see one of its titles.
 */
const named = () => ({
  id: integer("id").primaryKey(),
  source: text("source", { enum: titleSources }).notNull(),
  /** The number at the source. */
  sourceId: bytewiseText("source_id").notNull(),
  name: text("name").notNull(),
  /** The name in its own script. */
  nameNative: text("name_native"),
  /** The words of all names as `indexKey` makes them, for the search. */
  key: bytewiseText("key").notNull(),
  favorites: integer("favorites"),
  pictureUrl: text("picture_url"),
  /** The stored picture, served from here. Null: there is none, or it was not fetched. */
  pictureCid: text("picture_cid").references(() => storedImages.cid, { onDelete: "set null" }),
});

/** Voice actors and staff. */
export const people = pgTable("people", named(), (table) => [
  unique("people_source").on(table.source, table.sourceId),
  check("people_id", sql`${table.id} > 0`),
  check("people_source_known", isOneOfSql(table.source, titleSources)),
  check("people_name", sql`${table.name} <> ''`),
  index("people_picture").on(table.pictureUrl),
  index("people_picture_cid").on(table.pictureCid),
  index("people_key_trigrams").using("gin", sql`${table.key} gin_trgm_ops`),
]);

export const characters = pgTable("characters", named(), (table) => [
  unique("characters_source").on(table.source, table.sourceId),
  check("characters_id", sql`${table.id} > 0`),
  check("characters_source_known", isOneOfSql(table.source, titleSources)),
  check("characters_name", sql`${table.name} <> ''`),
  index("characters_picture").on(table.pictureUrl),
  index("characters_picture_cid").on(table.pictureCid),
  index("characters_key_trigrams").using("gin", sql`${table.key} gin_trgm_ops`),
]);

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

/** Who speaks a character in a title, in which language. */
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
 * Pictures at the source, and what is stored of them. An address is fetched once. The stored picture stays while a
 * title, an episode, a person or a character names the address.
 */
export const detailPictures = pgTable(
  "detail_pictures",
  {
    url: text("url").primaryKey(),
    kind: text("kind", { enum: detailPictureKinds }).notNull(),
    /** Null until the picture is stored. */
    cid: text("cid").references(() => storedImages.cid),
    failures: integer("failures").notNull().default(0),
    /** When it is fetched. Null: it is stored, or is not tried again. */
    dueAt: timestampColumn("due_at"),
    /** Why it could not be fetched, as a sentence. */
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

/** A single row: how fast the source may be asked, how often it was asked today, and what is wrong with it. */
export const detailState = pgTable(
  "detail_state",
  {
    only: boolean("only").primaryKey().default(true),
    /** The next request of any instance is sent at this time at the earliest. */
    nextAt: timestampColumn("next_at").notNull().defaultNow(),
    /** The day, in UTC, that `asked_today` counts. */
    day: text("day").notNull().default(""),
    askedToday: integer("asked_today").notNull().default(0),
    /** How many titles a request asks for. */
    batchSize: smallint("batch_size").notNull().default(50),
    /** The failed requests since the last good answer, and when the first of them failed. */
    failures: integer("failures").notNull().default(0),
    failingSince: timestampColumn("failing_since"),
    problem: text("problem"),
    /** The last numbers given. Numbers are never used again, because addresses contain them. */
    lastPerson: integer("last_person").notNull().default(999_999),
    lastCharacter: integer("last_character").notNull().default(999_999),
  },
  (table) => [
    check("detail_state_only", sql`${table.only}`),
    check("detail_state_batch_size", sql`${table.batchSize} between 1 and 50`),
    check("detail_state_failing", sql`(${table.failures} > 0) = (${table.failingSince} is not null)`),
  ],
);
