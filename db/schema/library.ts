import { sql } from "drizzle-orm";
import {
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { ofTitle, titles } from "./catalog.ts";
import { descending, isOneOfSql, numberRuns, timestampColumn } from "./columns.ts";
import { dismissalPlaces, entryStates, listStatuses, statusOfState, titleVerdicts } from "./enumerations.ts";

const title = () =>
  integer("mal_id")
    .notNull()
    .references(() => titles.malId);

const statusOfStateSql = sql.raw(
  `case state ${entryStates.map((state) => `when '${state}' then '${statusOfState[state]}'`).join(" ")} else type end`,
);

export const watchList = pgTable(
  "watch_list",
  {
    id: uuid("id").notNull().unique().defaultRandom(),
    userId: ofUser(),
    malId: title(),
    type: text("type", { enum: listStatuses }).notNull(),
    state: text("state", { enum: entryStates }),
    /** The episodes that the member has ticked. */
    ticks: numberRuns("ticks").notNull().default(sql`'{}'`),
    /** The highest ticked episode. */
    progress: integer("progress").notNull().generatedAlwaysAs(sql`coalesce(upper(ticks) - 1, 0)`),
    /** How often the member has rewatched the whole title. */
    rewatchCount: integer("rewatch_count").notNull().default(0),
    /** The last episode of the current rewatch. */
    rewatchProgress: integer("rewatch_progress").notNull().default(0),
    /** The member's own score. */
    score: doublePrecision("score"),
    notes: text("notes").notNull().default(""),
    tags: text("tags").array().notNull().default([]),
    startedOn: date("started_on", { mode: "string" }),
    finishedOn: date("finished_on", { mode: "string" }),
    addedAt: timestampColumn("added_at").notNull().defaultNow(),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId] }),
    check("watch_list_type", isOneOfSql(table.type, listStatuses)),
    check("watch_list_state", sql`${isOneOfSql(table.state, entryStates)} and type = ${statusOfStateSql}`),
    check("watch_list_ticks", sql`${table.ticks} <@ '{[1,100001)}'::int4multirange`),
    check("watch_list_rewatch_count", sql`${table.rewatchCount} between 0 and 10000`),
    check(
      "watch_list_rewatch_progress",
      sql`${table.rewatchProgress} between 0 and (case when state = 'rewatching' then 100000 else 0 end)`,
    ),
    check(
      "watch_list_tags",
      sql`cardinality(${table.tags}) <= 50 and char_length(array_to_string(${table.tags}, '')) <= 50 * 60`,
    ),
    check("watch_list_score", sql`${table.score} between 0 and 10`),
    check("watch_list_notes", sql`char_length(${table.notes}) <= 10000`),
    index("watch_list_newest").on(table.userId, descending(table.updatedAt), table.malId),
    index("watch_list_title").on(table.malId),
  ],
);

/** The entries that a list import replaced, so that the whole import can be undone. */
export const importUndos = pgTable(
  "import_undos",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: ofUser(),
    /** The changed entries before and after the import. An entry that the import added has a null `before`. */
    before: jsonb("before").notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
  },
  (table) => [index("import_undos_user").on(table.userId, table.createdAt)],
);

export const searchHistory = pgTable(
  "search_history",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: ofUser(),
    query: text("query").notNull(),
    searchedAt: timestampColumn("searched_at").notNull().defaultNow(),
  },
  (table) => [
    check("search_history_query", sql`char_length(${table.query}) between 1 and 1000`),
    index("search_history_newest").on(table.userId, descending(table.searchedAt), descending(table.id)),
  ],
);

/** Resume points. The report with the latest `at` wins. */
export const watchProgress = pgTable(
  "watch_progress",
  {
    userId: ofUser(),
    malId: title(),
    episode: integer("episode").notNull(),
    /** In seconds. */
    position: doublePrecision("position").notNull(),
    duration: doublePrecision("duration").notNull(),
    at: timestampColumn("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId, table.episode] }),
    check("watch_progress_episode", sql`${table.episode} >= 1`),
    check("watch_progress_position", sql`${table.position} >= 0 and ${table.duration} >= 0`),
    index("watch_progress_newest").on(table.userId, descending(table.at)),
    index("watch_progress_title").on(table.malId),
  ],
);

/** The episodes that a member has watched, each with its latest time. */
export const watchHistory = pgTable(
  "watch_history",
  {
    userId: ofUser(),
    malId: title(),
    episode: integer("episode").notNull(),
    watchedAt: timestampColumn("watched_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId, table.episode] }),
    check("watch_history_episode", sql`${table.episode} >= 1`),
    index("watch_history_newest").on(
      table.userId,
      descending(table.watchedAt),
      table.malId,
      descending(table.episode),
    ),
    index("watch_history_title").on(table.malId),
  ],
);

/** The sound and subtitles that a member chose for a title. Its next episodes start with them. */
export const trackChoices = pgTable(
  "track_choices",
  {
    userId: ofUser(),
    malId: title(),
    /** A language; null if the member has chosen none. */
    sound: text("sound"),
    /** `off`, a language, or a language with `signs` or `deaf`. */
    subtitles: text("subtitles"),
    chosenAt: timestampColumn("chosen_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId] }),
    index("track_choices_title").on(table.malId),
  ],
);

/** Titles that members dismissed. A title dismissed from Continue stays away until the member watches more of it. */
export const dismissals = pgTable(
  "dismissals",
  {
    userId: ofUser(),
    malId: title(),
    place: text("place", { enum: dismissalPlaces }).notNull(),
    dismissedAt: timestampColumn("dismissed_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId, table.place] }),
    check("dismissals_place", isOneOfSql(table.place, dismissalPlaces)),
    index("dismissals_title").on(table.malId),
  ],
);

/** Members' requests for films to the operators. A wish is open until its title has a film. */
export const wishes = pgTable(
  "wishes",
  {
    userId: ofUser(),
    malId: title(),
    wishedAt: timestampColumn("wished_at").notNull().defaultNow(),
    /** When the film was first seen. The time stays even if the film disappears. */
    fulfilledAt: timestampColumn("fulfilled_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.malId] }), index("wishes_title").on(table.malId)],
);

/**
 * Wishes for one episode. They are not a column of `wishes`, because an instance of the previous version can run at the
 * same time during an update, and the column would break it.
 */
export const episodeWishes = pgTable(
  "episode_wishes",
  {
    userId: ofUser(),
    /**
     * Deletes the wishes with the title, because an older instance that replaces a local title does not know this
     * table.
     */
    malId: ofTitle(),
    episode: integer("episode").notNull(),
    wishedAt: timestampColumn("wished_at").notNull().defaultNow(),
    fulfilledAt: timestampColumn("fulfilled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId, table.episode] }),
    check("episode_wishes_episode", sql`${table.episode} between 1 and 100000`),
    index("episode_wishes_title").on(table.malId),
  ],
);

/** The titles that a household allows or blocks for its children. `userId` is the owner of the household. */
export const householdTitles = pgTable(
  "household_titles",
  {
    userId: ofUser(),
    malId: title(),
    verdict: text("verdict", { enum: titleVerdicts }).notNull(),
    chosenAt: timestampColumn("chosen_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.malId] }),
    check("household_titles_verdict", isOneOfSql(table.verdict, titleVerdicts)),
    index("household_titles_title").on(table.malId),
  ],
);

/**
 * The operator who hid a title from everybody. The row is deleted with the operator's account. The title's own
 * `hidden_at` keeps it hidden.
 */
export const hiddenTitles = pgTable("hidden_titles", {
  malId: ofTitle().primaryKey(),
  userId: ofUser(),
});

/** Plays that did not start or broke off, for the operator. They do not name the member. */
export const failedPlays = pgTable(
  "failed_plays",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    malId: ofTitle(),
    episode: integer("episode").notNull(),
    sourceUrl: text("source_url"),
    reason: text("reason").notNull(),
    at: timestampColumn("at").notNull().defaultNow(),
  },
  (table) => [
    check("failed_plays_reason", sql`char_length(${table.reason}) <= 1000`),
    index("failed_plays_newest").on(descending(table.at)),
    index("failed_plays_title").on(table.malId),
  ],
);
