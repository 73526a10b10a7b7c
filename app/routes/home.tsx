import { Link } from "react-router";
import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { dateIn, mondayOf, weekBounds } from "#app/domain/calendar/calendar.ts";
import {
  findShownSeason,
  listAirings,
  listEpisodes,
  listSeason,
  listSimilarTitles,
  listTitles,
  listTitlesById,
} from "#app/domain/catalog/catalog.server.ts";
import { type Anime, genres } from "#app/domain/catalog/catalog.ts";
import {
  findStandings,
  listContinueWatching,
  listLastFinished,
  listListedIds,
} from "#app/domain/library/library.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { type Viewer, viewerOf } from "#app/http/viewer.server.ts";
import { AddToList } from "#app/ui/add-to-list.tsx";
import { EpisodeCard, type EpisodeTitle } from "#app/ui/episode-card.tsx";
import { Hero } from "#app/ui/hero.tsx";
import { PlayIcon } from "#app/ui/icons.tsx";
import { pageMeta, siteName } from "#app/ui/page-meta.ts";
import { CardRow, Row } from "#app/ui/row.tsx";
import { seasonLabel, seasonPath } from "#app/ui/season-path.ts";
import { nameIn, toCard, toEpisodeTitle, toHero, toResumed, withStandings } from "#app/ui/title-views.ts";
import type { Route } from "./+types/home";

const perRow = 14;

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = await viewerOf(request, context);
  const now = new Date();
  const [{ playable, season, ...shelves }, personal] = await Promise.all([
    readShelves(viewer, now),
    readPersonal(viewer),
  ]);
  const language = viewer.preferences.titleLanguage;
  const hero = playable[dayOf(now) % Math.max(1, playable.length)] ?? season?.animes[0] ?? shelves.best[0];
  const firstEpisodes = await episodesOfFew(playable, viewer);
  const shown = rowsOf(shelves, firstEpisodes.length > 0 ? [] : playable, season);
  const named = [...shown.flatMap(([, animes]) => animes), ...personal.forYou, ...(hero ? [hero] : [])];
  const ids = named.map((anime) => anime.mal_id);
  const standings = await findStandings(viewer.user?.id ?? null, ids);
  const cards = (animes: readonly Anime[]) => withStandings(toCards(animes, language), standings);
  return {
    goOn: personal.goOn.map((place) => ({ ...place, image: place.image ?? stillOf(place, firstEpisodes) })),
    firstEpisodes: personal.goOn.length > 0 ? [] : firstEpisodes,
    forYou: personal.forYou.length === 0 ? null : { why: personal.why, titles: cards(personal.forYou) },
    hero: hero && {
      ...heroOf(hero, language, firstEpisodes),
      isPlayable: playable.includes(hero),
      isListed: standings.has(hero.mal_id),
    },
    rows: shown.map(([title, animes, more]) => ({ title, more, titles: cards(animes) })),
  };
}

const toCards = (animes: readonly Anime[], language: TitleLanguage) =>
  animes.map((anime) => toCard(anime, language));

type RowOfHome = [title: string, animes: readonly Anime[], more: string];
type Shelves = Awaited<ReturnType<typeof readShelves>>;

/** In their order on the page; a row with nothing in it is not shown. */
function rowsOf(
  { today, best, films, coming }: Omit<Shelves, "playable" | "season">,
  watchNow: readonly Anime[],
  season: Shelves["season"],
): RowOfHome[] {
  const rows: RowOfHome[] = [
    ["Watch now", watchNow, "/browse?watch=1"],
    ["Airing today", today, "/schedule"],
    [season?.name ?? "", season?.animes ?? [], season?.path ?? ""],
    ["Best rated", best, "/browse?sort=score"],
    ["Films", films, "/browse?type=movie"],
    ["Coming up", coming, "/browse?status=upcoming"],
  ];
  return rows.filter(([, animes]) => animes.length > 0);
}

const stillOf = ({ malId, episode }: EpisodeTitle, episodes: readonly EpisodeTitle[]) =>
  episodes.find((one) => one.malId === malId && one.episode === episode)?.image ?? null;

/** What only this viewer sees; such a page is never kept by a shared cache. */
async function readPersonal({ user, preferences, showsMature }: Viewer) {
  if (user === null) return { goOn: [], forYou: [], why: "" };
  const places = await listContinueWatching(user.id, { showMature: showsMature, limit: perRow });
  const [animes, fitting, listed] = await Promise.all([
    listTitlesById(
      places.map(({ malId }) => malId),
      showsMature,
    ),
    listFitting(user.id, showsMature, preferences.titleLanguage),
    listListedIds(user.id),
  ]);
  const known = new Set(listed);
  const named = (malId: number) => animes.find((anime) => anime.mal_id === malId);
  return {
    goOn: places.flatMap((place) => {
      const anime = named(place.malId);
      return anime === undefined ? [] : [toResumed(anime, place, preferences.titleLanguage)];
    }),
    forYou: fitting.animes.filter((anime) => !known.has(anime.mal_id)).slice(0, perRow),
    why: fitting.why,
  };
}

/** What resembles the title they finished last, else one they love; else what is known best of a genre they like. */
async function listFitting(
  userId: string,
  showsMature: boolean,
  language: TitleLanguage,
): Promise<{ animes: Anime[]; why: string }> {
  const [[finished], profile] = await Promise.all([listLastFinished(userId, 1), getProfile(userId)]);
  const { favoriteAnimes = [], favoriteGenres = [] } = profile.ok ? profile.value : {};
  for (const [malId, feeling] of [
    [finished, "liked"],
    [favoriteAnimes[0], "love"],
  ] as const) {
    if (malId === undefined) continue;
    const [[anime], similar] = await Promise.all([
      listTitlesById([malId], showsMature),
      listSimilarTitles(malId, 2 * perRow, showsMature),
    ]);
    if (anime && similar.length > 0)
      return {
        animes: similar.map((one) => one.anime),
        why: `Because you ${feeling} ${nameIn(anime, language).name}`,
      };
  }
  const genre = genres.find((one) => one === favoriteGenres[0]);
  if (genre === undefined) return { animes: [], why: "" };
  const { animes } = await listTitles(
    { filters: { genres: [genre] }, order: "popularity", perPage: 2 * perRow },
    showsMature,
  );
  return { animes, why: `Because you like ${genre}` };
}

/** A title of our own has no banner; a still of its first episode is one. */
function heroOf(anime: Anime, language: TitleLanguage, episodes: readonly EpisodeTitle[]) {
  const hero = toHero(anime, language);
  const still = episodes.find(({ malId }) => malId === anime.mal_id)?.image ?? null;
  return { ...hero, banner: hero.banner ?? still };
}

async function readShelves(viewer: Viewer, now: Date) {
  const top = async (query: Parameters<typeof listTitles>[0]) =>
    (await listTitles({ perPage: perRow, ...query }, viewer.showsMature)).animes;
  const [playable, today, season, best, films, coming] = await Promise.all([
    top({ filters: { playable: true }, order: "popularity" }),
    airingToday(now, viewer),
    thisSeason(now, viewer.showsMature),
    top({ order: "score" }),
    top({ filters: { types: ["Movie"] }, order: "popularity" }),
    top({ filters: { statuses: ["Not yet aired"] }, order: "popularity" }),
  ]);
  return { playable, today, season, best, films, coming };
}

const few = 3;
const mostEpisodes = 8;

/** One or two titles make no row; their episodes do. */
async function episodesOfFew(
  playable: readonly Anime[],
  { preferences, showsMature }: Viewer,
): Promise<EpisodeTitle[]> {
  if (playable.length > few) return [];
  const lists = await Promise.all(
    playable.map(async (anime) => {
      const found = await listEpisodes(anime.mal_id, 1, showsMature);
      const episodes = found.ok ? found.value.episodes.filter(({ sources }) => sources.length > 0) : [];
      return episodes.map((episode) => toEpisodeTitle(anime, episode, preferences.titleLanguage));
    }),
  );
  return lists.flat().slice(0, mostEpisodes);
}

const dayOf = (now: Date) => Math.floor(now.getTime() / 86_400_000);

/** By the viewer's own calendar: what is on tonight in Japan may be this afternoon's elsewhere. */
async function airingToday(now: Date, { timeZone, showsMature }: { timeZone: string; showsMature: boolean }) {
  const today = dateIn(now, timeZone);
  const { from, until } = weekBounds(mondayOf(today), timeZone);
  const { airings } = await listAirings(from, until, showsMature);
  const animes = airings
    .filter(({ at }) => dateIn(new Date(at), timeZone) === today)
    .map(({ anime }) => anime);
  return [...new Set(animes)].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, perRow);
}

const rankOf = ({ popularity }: Anime) => popularity ?? Number.POSITIVE_INFINITY;

async function thisSeason(now: Date, showsMature: boolean) {
  const season = await findShownSeason(now, showsMature);
  if (season === null) return null;
  const { animes } = await listSeason(season, showsMature, perRow);
  return { name: seasonLabel(season), path: seasonPath(season), animes };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: siteName,
    description:
      "Find anime by name, season, schedule or mood, keep your list, and watch on your own server.",
    path: "/",
  });

export default function Home({ loaderData }: Route.ComponentProps) {
  const { hero, goOn, firstEpisodes, forYou, rows } = loaderData;
  return (
    <>
      <h1 className="visually-hidden">Engawa</h1>
      {hero !== undefined && (
        <Hero title={hero} kicker={hero.isPlayable ? "Watch here" : "In season"}>
          {hero.isPlayable && (
            <Link className="button" data-kind="primary" to={`/watch/${hero.malId}/1`}>
              <PlayIcon />
              Watch
            </Link>
          )}
          <AddToList malId={hero.malId} name={hero.name} isListed={hero.isListed} />
        </Hero>
      )}
      <div className="wrap">
        <EpisodeRow title="Continue watching" episodes={goOn} />
        <EpisodeRow title="Watch now" episodes={firstEpisodes} />
        {forYou !== null && <CardRow title="For you" {...forYou} />}
        {rows.map((row, index) => (
          <CardRow key={row.title} {...row} eager={index === 0 && goOn.length + firstEpisodes.length === 0} />
        ))}
        {rows.length === 0 && (
          <div className="empty">
            <h2>The catalog is empty</h2>
            <p className="lead">Import one with `npm run catalog:import`; it fills these pages at once.</p>
          </div>
        )}
      </div>
    </>
  );
}

function EpisodeRow({ title, episodes }: { title: string; episodes: readonly EpisodeTitle[] }) {
  if (episodes.length === 0) return null;
  return (
    <Row title={title} shape="wide">
      {episodes.map((episode) => (
        <li key={`${episode.malId} ${episode.episode}`}>
          <EpisodeCard title={episode} />
        </li>
      ))}
    </Row>
  );
}
