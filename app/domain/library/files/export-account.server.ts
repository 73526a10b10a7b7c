import { sql } from "drizzle-orm";
import { isOwner, type Preferences, type SessionUser } from "#app/domain/accounts/accounts.ts";
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
import type { TrackChoice } from "../library.ts";
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
  yield* section("watch_progress", jsonItems(resumePointPages(user.id)));
  yield* section("watch_history", jsonItems(viewPages(user.id)));
  yield* section("track_choices", jsonItems(trackChoicePages(user.id)));
  yield* section("dismissals", jsonItems(dismissalPages(user.id)));
  yield* section("wishes", jsonItems(wishPages(user.id)));
  yield* section("security_events", jsonItems(eventPages(user.id), toFileEvents));
  if (isOwner(user) && user.isOneOfSeveral) yield* household(user.id, toAbsolute);
  yield "\n}\n";
}

/** Other grown-ups appear with their name only. A child cannot export its own data, so the owner's file contains it. */
async function* household(accountId: string, toAbsolute: (path: string) => string) {
  yield* section("profiles", jsonItems(otherProfiles(accountId)));
  yield* section("household_titles", jsonItems(verdictPages(accountId)));
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
function otherProfiles(accountId: string): NextPage<object> {
  let isRead = false;
  return async () => {
    if (isRead) return null;
    isRead = true;
    const others = (await listProfiles(accountId)).filter(({ isOwner }) => !isOwner);
    return others.length === 0
      ? null
      : others.map(({ name, ceiling, createdAt }) => ({
          name,
          ceiling,
          created_at: createdAt.toISOString(),
        }));
  };
}

/** For rows of numbers, times and enumerated words, which have less than 250 bytes each. */
const rowsPerPage = 1000;
/** The detail of an event has up to 200 characters. */
const eventsPerPage = 200;

const asIso = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type OfTitle = { mal_id: number };

const pagesByTitle = <Row extends OfTitle>(select: (after: number) => Promise<readonly Row[]>) =>
  pagesByKey<Row, number>({ first: 0, keyOf: ({ mal_id }) => mal_id, rows: rowsPerPage, select });

const verdictPages = (accountId: string) =>
  pagesByTitle((after) =>
    db.execute<OfTitle & { verdict: string; chosen_at: string }>(sql`
      select mal_id, verdict, ${asIso(sql`chosen_at`)} as chosen_at from ${householdTitles}
      where user_id = ${accountId}::uuid and mal_id > ${after} order by mal_id limit ${rowsPerPage}`),
  );

const trackChoicePages = (userId: string) =>
  pagesByTitle((after) =>
    db.execute<TrackChoice & OfTitle & { chosen_at: string }>(sql`
      select mal_id, sound, subtitles, ${asIso(sql`chosen_at`)} as chosen_at from ${trackChoices}
      where user_id = ${userId}::uuid and mal_id > ${after} order by mal_id limit ${rowsPerPage}`),
  );

type Dismissal = OfTitle & { place: string; dismissed_at: string };

const dismissalPages = (userId: string) =>
  pagesByKey<Dismissal, Pick<Dismissal, "mal_id" | "place">>({
    first: { mal_id: 0, place: "" },
    keyOf: (row) => row,
    rows: rowsPerPage,
    select: ({ mal_id, place }) =>
      db.execute<Dismissal>(sql`
        select mal_id, place, ${asIso(sql`dismissed_at`)} as dismissed_at from ${dismissals}
        where user_id = ${userId}::uuid and (mal_id, place) > (${mal_id}, ${place})
        order by mal_id, place limit ${rowsPerPage}`),
  });

type Episode = OfTitle & { ep: number };

/** Pages follow the episodes' keys, which never change, so that no row is skipped or repeated. */
const pagesByEpisode = <Row extends Episode>(select: (after: Episode) => Promise<readonly Row[]>) =>
  pagesByKey<Row, Episode>({ first: { mal_id: 0, ep: 0 }, keyOf: (row) => row, rows: rowsPerPage, select });

const resumePointPages = (userId: string) =>
  pagesByEpisode(({ mal_id, ep }) =>
    db.execute<Episode & { position: number; duration: number; at: string }>(sql`
      select mal_id, episode as ep, position, duration, ${asIso(sql`at`)} as at from ${watchProgress}
      where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep})
      order by mal_id, episode limit ${rowsPerPage}`),
  );

const viewPages = (userId: string) =>
  pagesByEpisode(({ mal_id, ep }) =>
    db.execute<Episode & { watched_at: string }>(sql`
      select mal_id, episode as ep, ${asIso(sql`watched_at`)} as watched_at from ${watchHistory}
      where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep})
      order by mal_id, episode limit ${rowsPerPage}`),
  );

type Wish = OfTitle & { ep: number | null; wished_at: string; fulfilled_at: string | null };

/** A wish for a title has no `ep`. */
const wishPages = (userId: string) =>
  pagesByKey<Wish, Episode>({
    first: { mal_id: 0, ep: 0 },
    keyOf: ({ mal_id, ep }) => ({ mal_id, ep: ep ?? 0 }),
    rows: rowsPerPage,
    select: ({ mal_id, ep }) =>
      db.execute<Wish>(sql`
        select mal_id, nullif(episode, 0) as ep, ${asIso(sql`wished_at`)} as wished_at,
          ${asIso(sql`fulfilled_at`)} as fulfilled_at
        from ${allWishes} where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep})
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
        select id, query, ${asIso(sql`searched_at`)} as timestamp from ${searchHistory}
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
