import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { isOneOfSql, isSha256, timestampColumn } from "./columns.ts";
import {
  accessTokenScopes,
  ceilings,
  fanaticLevels,
  genders,
  mailedTokenKinds,
  preferredFormats,
  roles,
  scoreFormats,
  themes,
  titleLanguageChoices,
  watchFrequencies,
} from "./enumerations.ts";

/**
 * Account, profile and preferences are one row, because none of them exists without the others. The account's further
 * profiles are rows without an email that refer to the account's row.
 */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** The account that this profile belongs to. Null for the account itself, which is also its first profile. */
    accountId: uuid("account_id").references((): AnyPgColumn => users.id, { onDelete: "cascade" }),
    /** Trimmed, NFKC and lower case, so that equal email addresses are equal texts. */
    email: text("email").unique(),
    emailVerifiedAt: timestampColumn("email_verified_at"),
    username: text("username").notNull(),
    role: text("role", { enum: roles }).notNull().default("user"),
    disabled: boolean("disabled").notNull().default(false),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),

    name: text("name").notNull(),
    lastName: text("last_name"),
    avatarUrl: text("avatar_url"),
    bannerImage: text("banner_image"),
    birthday: date("birthday", { mode: "string" }),
    gender: text("gender", { enum: genders }),
    favoriteAnimes: integer("favorite_animes").array().notNull().default([]),
    watchedAnimes: integer("watched_animes").array().notNull().default([]),
    favoriteStudios: text("favorite_studios").array().notNull().default([]),
    favoriteGenres: text("favorite_genres").array().notNull().default([]),
    frequencyOfWatch: text("frequency_of_watch", { enum: watchFrequencies }),
    fanaticLevel: text("fanatic_level", { enum: fanaticLevels }),
    preferredFormat: text("preferred_format", { enum: preferredFormats }),
    profileUpdatedAt: timestampColumn("profile_updated_at").notNull().defaultNow(),

    accentColor: text("accent").notNull().default("#0057E7"),
    theme: text("theme", { enum: themes }).notNull().default("system"),
    parentalControl: boolean("parental_control").notNull().default(true),
    trackSearchHistory: boolean("track_search_history").notNull().default(true),
    /** True if watching saves no resume point, no history and no ticks. */
    forgetsWatched: boolean("forgets_watched").notNull().default(false),
    /** Whether the player skips openings and endings automatically. */
    skipsSegments: boolean("skips_segments").notNull().default(false),
    /** Whether the next episode starts automatically. */
    playsNext: boolean("plays_next").notNull().default(true),
    /** Whether finishing the first episode of a title puts it on the list. */
    listsWatched: boolean("lists_watched").notNull().default(true),
    titleLanguage: text("title_language", { enum: titleLanguageChoices }).notNull().default("browser"),
    scoreFormat: text("score_format", { enum: scoreFormats }).notNull().default("whole"),
    /** `original`, or the language in which the member wants to hear films. */
    soundLanguage: text("sound_language").notNull().default("original"),
    /** Preferred languages, best first. Empty: no subtitles until the member chooses some. */
    subtitleLanguages: text("subtitle_languages").array().notNull().default([]),
    /** Whether styled subtitles are shown as plain text. */
    plainSubtitles: boolean("plain_subtitles").notNull().default(false),
    /** The member's time zone. Null: the browser's, or the time in Japan if a page does not know it. */
    timeZone: text("time_zone"),
    preferencesUpdatedAt: timestampColumn("preferences_updated_at").notNull().defaultNow(),

    /** Set only on a child's profile. */
    ceiling: text("ceiling", { enum: ceilings }),
    /** When the account's owner last allowed or blocked a title. */
    titlesChosenAt: timestampColumn("titles_chosen_at"),
    /**
     * True if the account is older than invitations. While such an account exists, sign-up stays open unless SIGNUPS
     * says otherwise.
     */
    joinedBeforeInvitations: boolean("joined_before_invitations").notNull().default(false),

    /** Raised to invalidate the signed film addresses that the profile has handed out. */
    filmGeneration: integer("film_generation").notNull().default(0),

    /**
     * Unused. The column stays because an instance of the previous version, which reads it, may run beside this one.
     */
    version: integer("version").notNull().default(0),

    /** When a sign-in last ended the account's oldest session because there were too many. */
    sessionsEndedAt: timestampColumn("sessions_ended_at"),
  },
  (table) => [
    check("users_email_of_account", sql`(${table.accountId} is null) = (${table.email} is not null)`),
    check("users_role_of_account", sql`${table.accountId} is null or ${table.role} = 'user'`),
    check("users_account_of_another", sql`${table.accountId} <> ${table.id}`),
    index("users_account").on(table.accountId).where(sql`${table.accountId} is not null`),
    check("users_email_normalised", sql`${table.email} = btrim(${table.email}) and ${table.email} <> ''`),
    check("users_username_length", sql`char_length(${table.username}) >= 3`),
    check("users_role", isOneOfSql(table.role, roles)),
    check("users_gender", isOneOfSql(table.gender, genders)),
    check("users_frequency_of_watch", isOneOfSql(table.frequencyOfWatch, watchFrequencies)),
    check("users_fanatic_level", isOneOfSql(table.fanaticLevel, fanaticLevels)),
    check("users_preferred_format", isOneOfSql(table.preferredFormat, preferredFormats)),
    check("users_title_language", isOneOfSql(table.titleLanguage, titleLanguageChoices)),
    check("users_theme", isOneOfSql(table.theme, themes)),
    check("users_score_format", isOneOfSql(table.scoreFormat, scoreFormats)),
    check("users_accent", sql`${table.accentColor} ~ '^#[0-9A-Fa-f]{6}$'`),
    check("users_ceiling", isOneOfSql(table.ceiling, ceilings)),
    check("users_ceiling_of_profile", sql`${table.ceiling} is null or ${table.accountId} is not null`),
    check("users_ceiling_without_birthday", sql`${table.ceiling} is null or ${table.birthday} is null`),
    check("users_birthday", sql`${table.birthday} >= date '1900-01-01'`),
  ],
);

/** For tables whose rows are deleted with their profile. */
export const ofUser = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** An account has a row here only if it has a password. */
export const credentials = pgTable(
  "credentials",
  {
    userId: ofUser().primaryKey(),
    hash: text("hash").notNull(),
    cost: smallint("cost").notNull(),
    changedAt: timestampColumn("changed_at").notNull().defaultNow(),
  },
  (table) => [check("credentials_cost", sql`${table.cost} between 4 and 31`)],
);

/** The PIN of a grown-up's profile, and the number of wrong PINs since the last right one. */
export const profilePins = pgTable(
  "profile_pins",
  {
    userId: ofUser().primaryKey(),
    hash: text("hash").notNull(),
    changedAt: timestampColumn("changed_at").notNull().defaultNow(),
    failures: integer("failures").notNull().default(0),
    /** No PIN is checked before this time. */
    waitsUntil: timestampColumn("waits_until"),
    /** The number of wrong PINs in the day that began at `dayBeganAt`. A right PIN does not reset it. */
    dayBeganAt: timestampColumn("day_began_at"),
    wrongInDay: integer("wrong_in_day").notNull().default(0),
  },
  (table) => [check("profile_pins_failures", sql`${table.failures} >= 0`)],
);

export const identities = pgTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: ofUser(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    /** Identifies the session in the member's list of sessions. The cookie holds a different, secret id. */
    id: uuid("id").primaryKey().defaultRandom(),
    secretHash: text("secret_hash").notNull().unique(),
    userId: ofUser(),
    device: text("device").notNull().default(""),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    /** When the password or the provider was last checked. Deleting the account requires a recent check. */
    signedInAt: timestampColumn("signed_in_at").notNull().defaultNow(),
    lastSeenAt: timestampColumn("last_seen_at").notNull().defaultNow(),
    /** True if the browser was idle for hours in a household with a child, and no profile has been chosen since. */
    asksWho: boolean("asks_who").notNull().default(false),
    /** The session ends at this time even if it is in use. */
    expiresAt: timestampColumn("expires_at").notNull(),
  },
  (table) => [
    check("sessions_secret_hash", isSha256(table.secretHash)),
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

/** Single-use links that are sent by mail or printed by the operator's command line. */
export const mailedTokens = pgTable(
  "mailed_tokens",
  {
    secretHash: text("secret_hash").primaryKey(),
    kind: text("kind", { enum: mailedTokenKinds }).notNull(),
    userId: ofUser(),
    /** The member's email when the token was created. The token becomes invalid when the email changes. */
    email: text("email").notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    expiresAt: timestampColumn("expires_at").notNull(),
    usedAt: timestampColumn("used_at"),
  },
  (table) => [
    check("mailed_tokens_secret_hash", isSha256(table.secretHash)),
    check("mailed_tokens_kind", isOneOfSql(table.kind, mailedTokenKinds)),
    index("mailed_tokens_user").on(table.userId),
    index("mailed_tokens_expiry").on(table.expiresAt),
  ],
);

export const accessTokens = pgTable(
  "access_tokens",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    secretHash: text("secret_hash").notNull().unique(),
    userId: ofUser(),
    name: text("name").notNull(),
    scope: text("scope", { enum: accessTokenScopes }).notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    lastUsedAt: timestampColumn("last_used_at"),
  },
  (table) => [
    check("access_tokens_secret_hash", isSha256(table.secretHash)),
    check("access_tokens_scope", isOneOfSql(table.scope, accessTokenScopes)),
    check("access_tokens_name", sql`char_length(${table.name}) between 1 and 100`),
    index("access_tokens_user").on(table.userId),
  ],
);

/** Hashed IP addresses that have signed in to an account. Failed sign-ins from other addresses do not slow these down. */
export const knownAddresses = pgTable(
  "known_addresses",
  {
    userId: ofUser(),
    addressHash: text("address_hash").notNull(),
    lastSeenAt: timestampColumn("last_seen_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.addressHash] }),
    check("known_addresses_address_hash", isSha256(table.addressHash)),
  ],
);

/** Failed sign-ins of an account in the current window. */
export const signInFailures = pgTable(
  "sign_in_failures",
  {
    userId: ofUser().primaryKey(),
    windowStart: timestampColumn("window_start").notNull().defaultNow(),
    failures: integer("failures").notNull().default(0),
  },
  (table) => [check("sign_in_failures_count", sql`${table.failures} >= 0`)],
);
