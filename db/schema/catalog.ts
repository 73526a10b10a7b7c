import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytewiseText, isOneOfSql, timestampColumn } from "./columns.ts";
import {
  airingStatuses,
  aliasKinds,
  externalSites,
  genres as genreNames,
  matureGenres,
  matureRating,
  oneDayTypes,
  oneToOneSites,
  ratingCodes,
  relationKinds,
  seasons,
  tagKinds,
  titleSources,
  titleTypes,
  weekdays,
} from "./enumerations.ts";

const words = (name: string) => text(name).array().notNull().default([]);
const utcMoment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** A genre is one bit, so that a listing can test an integer in the index instead of reading an array from the row. */
const genreBits = sql.raw(
  genreNames
    .map((name, bit) => `(case when '${name}' = any (genres) then ${2 ** bit} else 0 end)`)
    .join(" | "),
);

/** The only definition of the titles that parental control hides. All code reads this generated column. */
const isMature = sql.raw(
  `(coalesce(rating = '${matureRating}', false) or genres && array[${matureGenres.map((name) => `'${name}'`).join(", ")}])`,
);

/**
 * When a title airs, computed from its dates and number of weekly episodes. The stored status counts only if no date is
 * known. The arithmetic is on UTC times without zone, because PostgreSQL allows only immutable expressions here.
 */
const airsFrom = sql.raw(
  `coalesce(aired_from, case when status = 'Finished Airing' then '-infinity'::timestamptz
     when status = 'Currently Airing' then '-infinity'::timestamptz else 'infinity'::timestamptz end)`,
);
const airsUntil = sql.raw(
  `case
     when aired_to is not null then (aired_to at time zone 'UTC' + interval '1 day') at time zone 'UTC'
     when aired_from is null then
       case when status = 'Finished Airing' then '-infinity'::timestamptz else 'infinity'::timestamptz end
     when status = 'Finished Airing' or type in (${oneDayTypes.map((type) => `'${type}'`).join(", ")})
       then (aired_from at time zone 'UTC' + interval '1 day') at time zone 'UTC'
     when episodes is not null
       then (aired_from at time zone 'UTC' + interval '7 days' * (episodes - 1) + interval '1 day') at time zone 'UTC'
     else 'infinity'::timestamptz
   end`,
);

export const titles = pgTable(
  "titles",
  {
    malId: integer("mal_id").primaryKey(),
    title: text("title").notNull(),
    titleEnglish: text("title_english"),
    titleJapanese: text("title_japanese"),
    titleSynonyms: words("title_synonyms"),
    /** The title's sort key. Empty after a migration, until `fillTitleKeys` has computed it. */
    titleKey: bytewiseText("title_key").notNull(),
    type: text("type", { enum: titleTypes }),
    source: text("source"),
    episodes: integer("episodes"),
    /** The status in the imported data. Pages compute the airing status from `airs_from` and `airs_until`. */
    status: text("status", { enum: airingStatuses }),
    airedFrom: timestampColumn("aired_from"),
    airedTo: timestampColumn("aired_to"),
    duration: text("duration"),
    rating: text("rating", { enum: ratingCodes }),
    score: doublePrecision("score"),
    scoredBy: integer("scored_by"),
    /** The rank by popularity: 1 is the most popular. */
    popularity: integer("popularity"),
    members: integer("members"),
    favorites: integer("favorites"),
    synopsis: text("synopsis"),
    background: text("background"),
    season: text("season", { enum: seasons }),
    year: smallint("year"),
    broadcastDay: text("broadcast_day", { enum: weekdays }),
    broadcastTime: text("broadcast_time"),
    broadcastTimezone: text("broadcast_timezone"),
    imageUrl: text("image_url"),
    imageWebp: text("image_webp"),
    imageSmallWebp: text("image_small_webp"),
    imageLargeWebp: text("image_large_webp"),
    bannerImage: text("banner_image"),
    youtubeId: text("youtube_id"),
    trailerUrl: text("trailer_url"),
    trailerEmbedUrl: text("trailer_embed_url"),
    trailerImageUrl: text("trailer_image_url"),
    url: text("url"),
    approved: boolean("approved").notNull().default(true),
    genres: words("genres"),
    studios: words("studios"),
    producers: words("producers"),
    licensors: words("licensors"),
    themes: words("themes"),
    demographics: words("demographics"),
    openingSongs: words("opening_songs"),
    endingSongs: words("ending_songs"),
    /** The studios' normalised names, for the filter. */
    studioKeys: words("studio_keys"),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
    /** When an operator hid the title from everybody. Null: not hidden. Imports never write it. */
    hiddenAt: timestampColumn("hidden_at"),

    genreBits: integer("genre_bits").notNull().generatedAlwaysAs(genreBits),
    isMature: boolean("is_mature").notNull().generatedAlwaysAs(isMature),
    hasBanner: boolean("has_banner").notNull().generatedAlwaysAs(sql.raw("(banner_image is not null)")),
    airsFrom: utcMoment("airs_from").notNull().generatedAlwaysAs(airsFrom),
    airsUntil: utcMoment("airs_until").notNull().generatedAlwaysAs(airsUntil),
  },
  (table) => {
    /** Each sort index contains the columns of all filters, so that a page or a count reads only the index. */
    const inOrder = (name: string, order: SQL) =>
      index(name).on(
        order,
        table.malId,
        table.genreBits,
        table.isMature,
        table.hiddenAt,
        table.hasBanner,
        table.year,
        table.airsFrom,
        table.airsUntil,
        table.type,
        table.season,
        table.rating,
        table.broadcastDay,
        table.score,
      );
    return [
      check("titles_mal_id", sql`${table.malId} > 0`),
      check("titles_title", sql`${table.title} <> ''`),
      check("titles_type", isOneOfSql(table.type, titleTypes)),
      check("titles_status", isOneOfSql(table.status, airingStatuses)),
      check("titles_rating", isOneOfSql(table.rating, ratingCodes)),
      check("titles_season", isOneOfSql(table.season, seasons)),
      check("titles_broadcast_day", isOneOfSql(table.broadcastDay, weekdays)),
      check("titles_broadcast_time", sql`${table.broadcastTime} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
      check("titles_episodes", sql`${table.episodes} between 1 and 100000`),
      check("titles_score", sql`${table.score} between 0 and 10`),
      check("titles_year", sql`${table.year} between 1900 and 2200`),
      check(
        "titles_genres",
        sql`${table.genres} <@ array[${sql.raw(genreNames.map((name) => `'${name}'`).join(", "))}]`,
      ),
      check(
        "titles_counts",
        sql`${table.scoredBy} >= 0 and ${table.popularity} >= 0 and ${table.members} >= 0 and ${table.favorites} >= 0`,
      ),
      inOrder("titles_by_score", sql`${table.score} desc nulls last`),
      inOrder("titles_by_score_asc", sql`${table.score} asc nulls last`),
      inOrder("titles_by_title", sql`${table.titleKey}`),
      inOrder("titles_by_title_desc", sql`${table.titleKey} desc`),
      inOrder("titles_by_popularity", sql`${table.popularity} asc nulls last`),
      inOrder("titles_by_newest", sql`${table.airedFrom} desc nulls last`),
      index("titles_studios").using("gin", table.studioKeys),
      /**
       * A search checks for thousands of titles whether they may be shown and how popular they are. This index answers
       * that without reading the rows.
       */
      index("titles_known").on(table.malId, table.members, table.isMature, table.hiddenAt, table.approved),
    ];
  },
);

/** For tables whose rows are deleted with their title. */
export const ofTitle = () =>
  integer("mal_id")
    .notNull()
    .references(() => titles.malId, { onDelete: "cascade" });

/** The first letter of each word, and whole numbers, because people search for long names by their initials. */
const initialsOfKey = sql.raw(String.raw`regexp_replace(key, '([0-9]+|[^ ])[^ ]* ?', '\1', 'g')`);

/** Every name of a title, normalised for the search. */
export const titleAliases = pgTable(
  "title_aliases",
  {
    malId: ofTitle(),
    /** Words in lower case and ASCII, as `indexKey` makes them. */
    key: bytewiseText("key").notNull(),
    /** `key` without its spaces. */
    joined: bytewiseText("joined").notNull(),
    kind: text("kind", { enum: aliasKinds }).notNull(),
    alias: text("alias").notNull(),
    initials: bytewiseText("initials").notNull().generatedAlwaysAs(initialsOfKey),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.key] }),
    check("title_aliases_kind", isOneOfSql(table.kind, aliasKinds)),
    check("title_aliases_key", sql`${table.key} <> ''`),
    index("title_aliases_key_prefix").on(table.key),
    index("title_aliases_joined_prefix").on(table.joined),
    index("title_aliases_initials").on(table.initials),
    index("title_aliases_key_trigrams").using("gin", sql`${table.key} gin_trgm_ops`),
    index("title_aliases_joined_trigrams").using("gin", sql`${table.joined} gin_trgm_ops`),
  ],
);

/** The related title may be missing in this catalog. */
export const titleRelations = pgTable(
  "title_relations",
  {
    malId: ofTitle(),
    relation: text("relation", { enum: relationKinds }).notNull(),
    relatedId: integer("related_id").notNull(),
    /** The related title's name in the imported data. */
    name: text("name"),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.relatedId, table.relation] }),
    check("title_relations_relation", isOneOfSql(table.relation, relationKinds)),
    index("title_relations_related").on(table.relatedId),
  ],
);

/** A title's ids on other sites. */
export const titleIds = pgTable(
  "title_ids",
  {
    malId: ofTitle(),
    site: text("site", { enum: externalSites }).notNull(),
    externalId: bytewiseText("external_id").notNull(),
    /**
     * If the site has one id for a whole series: the number of the season there that is this title. 0: the specials.
     */
    season: smallint("season"),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.site, table.externalId] }),
    index("title_ids_by_id").on(table.site, table.externalId),
    uniqueIndex("title_ids_one_to_one")
      .on(table.site, table.externalId)
      .where(isOneOfSql(table.site, oneToOneSites)),
    check("title_ids_site", isOneOfSql(table.site, externalSites)),
    check("title_ids_external_id", sql`${table.externalId} <> ''`),
    check("title_ids_season", sql`${table.season} >= 0`),
  ],
);

/**
 * The latest record of each source about a title. `titles` contains the fields merged from them by the rank of their
 * sources.
 */
export const titleRecords = pgTable(
  "title_records",
  {
    malId: ofTitle(),
    source: text("source", { enum: titleSources }).notNull(),
    /** Only the fields that the source has. */
    fields: jsonb("fields").notNull(),
    /** When the source last had the title, correct to a day. */
    seenAt: timestampColumn("seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.malId, table.source] }),
    check("title_records_source", isOneOfSql(table.source, titleSources)),
  ],
);

/** The numbers of genres, themes, demographics and companies: MyAnimeList's, and our own from 1,000,000. */
export const tags = pgTable(
  "tags",
  {
    kind: text("kind", { enum: tagKinds }).notNull(),
    malId: integer("mal_id").notNull(),
    name: text("name").notNull(),
    /** The letters and digits of the name. Spellings with the same key are the same tag. */
    key: bytewiseText("key").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.malId] }),
    unique("tags_key").on(table.kind, table.key),
    check("tags_kind", isOneOfSql(table.kind, tagKinds)),
    check("tags_mal_id", sql`${table.malId} > 0`),
    check("tags_key_not_empty", sql`${table.key} <> ''`),
  ],
);
