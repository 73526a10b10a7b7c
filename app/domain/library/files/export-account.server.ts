import { sql } from "drizzle-orm";
import {
  getProfile,
  listChildren,
  listProfiles,
  type Profile,
} from "#app/domain/accounts/accounts.server.ts";
import { isOwner, type Preferences, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { listEventsOf } from "#app/domain/events/events.server.ts";
import { db } from "#db/client.server.ts";
import {
  dismissals,
  householdTitles,
  searchHistory,
  trackChoices,
  watchHistory,
  watchProgress,
  wishes,
} from "#db/schema/library.ts";
import type { TrackChoice } from "../library.ts";
import { jsonItems, listOwnEntries } from "./export-list.server.ts";
import { accountFormat, fileVersion } from "./json-lists.ts";

/**
 * Exports all data of a member as one file, page by page. The file has no password hash, token, session, identity or role,
 * because nobody who gets the file may sign in with it.
 */
export async function* exportAccount(
  user: SessionUser,
  /** Stored pictures have a path of this site. Outside the site only an absolute URL works. */
  toAbsolute: (path: string) => string,
): AsyncGenerator<string> {
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
  yield* section("watch_list", listOwnEntries(user.id));
  yield* section("search_history", searches(user.id));
  yield* section("watch_progress", resumePointPages(user.id));
  yield* section("watch_history", views(user.id));
  yield* section("track_choices", trackChoicePages(user.id));
  yield* section("dismissals", dismissalPages(user.id));
  yield* section("wishes", wishPages(user.id));
  yield* section("security_events", events(user.id));
  if (isOwner(user) && user.isOneOfSeveral) yield* household(user.id, toAbsolute);
  yield "\n}\n";
}

/** Of other grown-ups only that they exist. A child cannot export its file, so the owner's has all of it. */
async function* household(accountId: string, toAbsolute: (path: string) => string): AsyncGenerator<string> {
  yield* section("profiles", otherProfiles(accountId));
  yield* section("household_titles", verdicts(accountId));
  yield ',\n "children": [';
  let separator = "";
  for (const child of await listChildren(accountId)) {
    yield separator;
    yield* exportAccount(child, toAbsolute);
    separator = ",";
  }
  yield "\n]";
}

async function* section(name: string, pages: AsyncIterable<readonly object[]>) {
  yield `,\n ${JSON.stringify(name)}: [`;
  yield* jsonItems(pages);
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
      name: profile.name,
      last_name: profile.lastName,
      avatar_url: picture(profile.avatarUrl),
      banner_image: picture(profile.bannerImage),
      birthday: profile.birthday,
      gender: profile.gender,
      favorite_animes: profile.favoriteAnimes,
      watched_animes: profile.watchedAnimes,
      favorite_studios: profile.favoriteStudios,
      favorite_genres: profile.favoriteGenres,
      frequency_of_watch: profile.frequencyOfWatch,
      fanatic_level: profile.fanaticLevel,
      preferred_format: profile.preferredFormat,
    },
  };
}

async function* otherProfiles(accountId: string) {
  yield (await listProfiles(accountId)).flatMap(({ isOwner, name, ceiling, createdAt }) =>
    isOwner ? [] : [{ name, ceiling, created_at: createdAt.toISOString() }],
  );
}

async function* verdicts(accountId: string) {
  yield await db.execute<{ mal_id: number; verdict: string; chosen_at: string }>(sql`
    select mal_id, verdict, ${asIso(sql`chosen_at`)} as chosen_at from ${householdTitles}
    where user_id = ${accountId}::uuid order by mal_id`);
}

/** Without the hashes of networks, which mean something only with this installation's secret. */
async function* events(userId: string) {
  yield (await listEventsOf(userId)).map(({ at, kind, actor, detail }) => ({
    at: at.toISOString(),
    kind,
    actor,
    detail,
  }));
}

async function* searches(userId: string) {
  yield await db.execute<{ query: string; timestamp: string }>(sql`
    select query, ${asIso(sql`searched_at`)} as timestamp from ${searchHistory}
    where user_id = ${userId}::uuid order by searched_at, id`);
}

const pageSize = 2000;
const asIso = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Episode = { mal_id: number; ep: number };

/** Pages by episode. In the order of changes, a row that changes during the export could appear twice or not at all. */
async function* episodePages<Row extends Episode>(select: (after: Episode) => Promise<readonly Row[]>) {
  for (let after: Episode = { mal_id: 0, ep: 0 }; ; ) {
    const page = await select(after);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last;
  }
}

const resumePointPages = (userId: string) =>
  episodePages(({ mal_id, ep }) =>
    db.execute<Episode & { position: number; duration: number; at: string }>(sql`
      select mal_id, episode as ep, position, duration, ${asIso(sql`at`)} as at from ${watchProgress}
      where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep})
      order by mal_id, episode limit ${pageSize}`),
  );

async function* trackChoicePages(userId: string) {
  yield await db.execute<TrackChoice & { mal_id: number; chosen_at: string }>(sql`
    select mal_id, sound, subtitles, ${asIso(sql`chosen_at`)} as chosen_at from ${trackChoices}
    where user_id = ${userId}::uuid order by mal_id`);
}

async function* dismissalPages(userId: string) {
  yield await db.execute<{ mal_id: number; place: string; dismissed_at: string }>(sql`
    select mal_id, place, ${asIso(sql`dismissed_at`)} as dismissed_at from ${dismissals}
    where user_id = ${userId}::uuid order by mal_id, place`);
}

async function* wishPages(userId: string) {
  yield await db.execute<{ mal_id: number; wished_at: string; fulfilled_at: string | null }>(sql`
    select mal_id, ${asIso(sql`wished_at`)} as wished_at, ${asIso(sql`fulfilled_at`)} as fulfilled_at from ${wishes}
    where user_id = ${userId}::uuid order by mal_id`);
}

const views = (userId: string) =>
  episodePages(({ mal_id, ep }) =>
    db.execute<Episode & { watched_at: string }>(sql`
      select mal_id, episode as ep, ${asIso(sql`watched_at`)} as watched_at from ${watchHistory}
      where user_id = ${userId}::uuid and (mal_id, episode) > (${mal_id}, ${ep})
      order by mal_id, episode limit ${pageSize}`),
  );
