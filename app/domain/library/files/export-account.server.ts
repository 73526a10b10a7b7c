import { type SQL, sql } from "drizzle-orm";
import { isOwner, maxProfiles, type Preferences, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { listEventsOf } from "#app/domain/events/events.server.ts";
import { listChildren, listProfiles } from "#app/domain/household/household.server.ts";
import { getProfile, type Profile } from "#app/domain/profile/profile.server.ts";
import { memberFieldNames } from "#app/domain/profile/profile.ts";
import { type NextPage, pagesByKey } from "#app/platform/pages.ts";
import { toSnakeCase } from "#app/platform/snake-case.ts";
import { db } from "#db/client.server.ts";
import {
  dismissals,
  householdTitles,
  searchHistory,
  trackChoices,
  watchHistory,
  watchProgress,
} from "#db/schema/library.ts";
import { searchesPerPage } from "../history/search-history.server.ts";
import { membersLocalTitles } from "../moved-title.server.ts";
import { allWishes } from "../wishes.server.ts";
import { jsonItems, listPages, ownEntries } from "./export-list.server.ts";
import { accountFormat, fileVersion } from "./json-lists.ts";

/**
 * Exports all data of a member as one file, page by page. Pages follow the rows' keys, so a row that does not change
 * during the export is in the file exactly once. The file has no password hash, token, session, identity or role, so
 * that having the file is not enough to sign in.
 */
export async function* exportAccount(
  user: SessionUser,
  /** Stored pictures have a path of this site. Outside the site only an absolute URL works. */
  toAbsolute: (path: string) => string,
): AsyncGenerator<Uint8Array | string> {
  const profile = await getProfile(user.id);
  if (!profile.ok) throw new Error("the account was deleted during its export");
  const head = {
    format: accountFormat,
    version: fileVersion,
    exported_at: new Date().toISOString(),
    ...toFileProfile(profile.value, toAbsolute),
    preferences: toFilePreferences(user.preferences),
  };
  yield JSON.stringify(head, null, 1).replace(/\n\}$/, "");
  yield* section("watch_list", jsonItems(listPages(user.id), ownEntries));
  yield* section("search_history", jsonItems(searchPages(user.id), withoutId));
  const point = sql`position, duration, ${asIso("at")}`;
  yield* section("watch_progress", jsonItems(pagesByEpisode(user.id, watchProgress, point)));
  yield* section("watch_history", jsonItems(pagesByEpisode(user.id, watchHistory, asIso("watched_at"))));
  const choice = sql`sound, subtitles, ${asIso("chosen_at")}`;
  yield* section("track_choices", jsonItems(pagesByTitle(user.id, trackChoices, choice)));
  yield* section("dismissals", jsonItems(dismissalPages(user.id)));
  const wish = sql`${asIso("wished_at")}, ${asIso("fulfilled_at")}`;
  yield* section("wishes", jsonItems(pagesByEpisode(user.id, allWishes, wish)));
  yield* section("security_events", jsonItems(eventPages(user.id), toFileEvents));
  // The decisions stay when the household has no other profile any more.
  if (isOwner(user)) {
    const verdict = sql`verdict, ${asIso("chosen_at")}`;
    yield* section("household_titles", jsonItems(pagesByTitle(user.id, householdTitles, verdict)));
  }
  if (isOwner(user) && user.isOneOfSeveral) yield* household(user.id, toAbsolute);
  yield* section("local_titles", jsonItems(pagesByTitle(user.id, membersLocalTitles, sql`title`)));
  yield "\n}\n";
}

/** Other grown-ups appear with their name only. A child cannot export its own data, so the owner's file contains it. */
async function* household(accountId: string, toAbsolute: (path: string) => string) {
  yield* section("profiles", jsonItems(otherProfiles(accountId)));
  yield ',\n "children": [';
  let separator = "";
  for (const child of await listChildren(accountId)) {
    yield separator;
    yield* exportAccount(child, toAbsolute);
    separator = ",";
  }
  yield "\n]";
}

async function* section(name: string, items: AsyncGenerator<Uint8Array>) {
  yield `,\n ${JSON.stringify(name)}: [`;
  yield* items;
  yield "\n]";
}

const toFilePreferences = ({ accentColor, ...named }: Preferences) => ({
  enfasiscolor: accentColor,
  ...named,
});

function toFileProfile(profile: Profile, toAbsolute: (path: string) => string) {
  const picture = (url: string | null) => (url?.startsWith("/") ? toAbsolute(url) : url);
  return {
    account: {
      email: profile.email,
      user_name: profile.username,
      created_at: profile.createdAt.toISOString(),
    },
    profile: {
      ...toSnakeCase(pickFields(profile, memberFieldNames)),
      avatar_url: picture(profile.avatarUrl),
      banner_image: picture(profile.bannerImage),
    },
  };
}

/** A single page is enough, because an account has few profiles. */
const otherProfiles = (accountId: string): NextPage<object> =>
  pagesByKey({
    first: undefined,
    keyOf: () => undefined,
    rows: maxProfiles,
    async select() {
      const others = (await listProfiles(accountId)).filter(({ isOwner }) => !isOwner);
      return others.map(({ name, ceiling, createdAt }) => ({
        name,
        ceiling,
        created_at: createdAt.toISOString(),
      }));
    },
  });

/** For rows of numbers, times and enumerated words, or of one name. Almost all have less than 250 bytes each. */
const rowsPerPage = 1000;
/** The detail of an event has up to 200 characters. */
const eventsPerPage = 200;

const asIso = (column: string, name = column) =>
  sql`to_char(${sql.identifier(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${sql.identifier(name)}`;

type OfTitle = { mal_id: number };

const pagesByTitle = (
  userId: string,
  table: typeof householdTitles | typeof trackChoices | typeof membersLocalTitles,
  columns: SQL,
): NextPage<OfTitle> =>
  pagesByKey({
    first: 0,
    keyOf: ({ mal_id }) => mal_id,
    rows: rowsPerPage,
    select: (after) =>
      db.execute<OfTitle>(sql`
        select mal_id, ${columns} from ${table}
        where user_id = ${userId}::uuid and mal_id > ${after} order by mal_id limit ${rowsPerPage}`),
  });

type Dismissal = OfTitle & { place: string };

const dismissalPages = (userId: string) =>
  pagesByKey<Dismissal, Dismissal>({
    first: { mal_id: 0, place: "" },
    keyOf: (row) => row,
    rows: rowsPerPage,
    select: ({ mal_id, place }) =>
      db.execute<Dismissal>(sql`
        select mal_id, place, ${asIso("dismissed_at")} from ${dismissals}
        where user_id = ${userId}::uuid and (mal_id, place) > (${mal_id}, ${place})
        order by mal_id, place limit ${rowsPerPage}`),
  });

type OfEpisode = OfTitle & { ep: number | null };

/** A wish for a title has no `ep`. */
const pagesByEpisode = (
  userId: string,
  table: typeof watchProgress | typeof watchHistory | typeof allWishes,
  columns: SQL,
): NextPage<OfEpisode> =>
  pagesByKey<OfEpisode, OfEpisode>({
    first: { mal_id: 0, ep: 0 },
    keyOf: (row) => row,
    rows: rowsPerPage,
    select: ({ mal_id, ep }) =>
      db.execute<OfEpisode>(sql`
        select mal_id, nullif(episode, 0) as ep, ${columns} from ${table}
        where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep ?? 0})
        order by mal_id, episode limit ${rowsPerPage}`),
  });

type Search = { id: string; query: string; timestamp: string };

/** The file omits the id, which has a meaning only in this API. */
const withoutId = (page: readonly Search[]) => page.map(({ query, timestamp }) => ({ query, timestamp }));

const searchPages = (userId: string) =>
  pagesByKey<Search, Pick<Search, "id" | "timestamp">>({
    first: { timestamp: "-infinity", id: "00000000-0000-0000-0000-000000000000" },
    keyOf: (row) => row,
    rows: searchesPerPage,
    select: ({ timestamp, id }) =>
      db.execute<Search>(sql`
        select id, query, ${asIso("searched_at", "timestamp")} from ${searchHistory}
        where user_id = ${userId}::uuid and (searched_at, id) > (${timestamp}::timestamptz, ${id}::uuid)
        order by searched_at, id limit ${searchesPerPage}`),
  });

type Event = Awaited<ReturnType<typeof listEventsOf>>[number];

/** Omits network hashes, which have a meaning only with this installation's secret. */
const toFileEvents = (page: readonly Event[]) =>
  page.map(({ at, kind, actor, detail }) => ({ at: at.toISOString(), kind, actor, detail }));

const eventPages = (userId: string) =>
  pagesByKey<Event, Pick<Event, "at" | "id"> | undefined>({
    first: undefined,
    keyOf: (row) => row,
    rows: eventsPerPage,
    select: (after) => listEventsOf(userId, eventsPerPage, after),
  });
