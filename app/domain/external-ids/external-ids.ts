import { wordKey } from "#app/domain/names/names.ts";
import { type ExternalSite, externalSites } from "#db/schema/enumerations.ts";

export type { ExternalSite } from "#db/schema/enumerations.ts";

/**
 * The door of external ids, for code that also runs in browsers: the format of ids of titles on other sites, how to find
 * them in a URL, and how to build a link.
 */

export { externalSites };

export type ExternalId = { site: ExternalSite; id: string; season: number | null };

type Site = {
  label: string;
  /** The format of an id. */
  form: RegExp;
  hasSeasons?: true;
  /** Patterns for URLs of the site that contain an id. */
  urls: RegExp[];
  toUrl: (id: string) => string;
};

const number = /^[1-9]\d{0,9}$/;

const sites: Record<ExternalSite, Site> = {
  anidb: {
    label: "AniDB",
    form: number,
    urls: [/^anidb\.(?:net|info)\/(?:anime\/|a)(\d+)/, /^anidb\.net\/.*[?&]aid=(\d+)/],
    toUrl: (id) => `https://anidb.net/anime/${id}`,
  },
  anilist: {
    label: "AniList",
    form: number,
    urls: [/^anilist\.co\/anime\/(\d+)/],
    toUrl: (id) => `https://anilist.co/anime/${id}`,
  },
  "anime-planet": {
    label: "Anime-Planet",
    form: /^[\w.-]{1,200}$/,
    urls: [/^anime-planet\.com\/anime\/([\w.-]+)/],
    toUrl: (id) => `https://www.anime-planet.com/anime/${id}`,
  },
  animecountdown: {
    label: "AnimeCountdown",
    form: number,
    urls: [/^animecountdown\.com\/(\d+)/],
    toUrl: (id) => `https://animecountdown.com/${id}`,
  },
  anisearch: {
    label: "aniSearch",
    form: number,
    urls: [/^anisearch\.com\/anime\/(\d+)/],
    toUrl: (id) => `https://www.anisearch.com/anime/${id}`,
  },
  ann: {
    label: "Anime News Network",
    form: number,
    urls: [/^animenewsnetwork\.com\/encyclopedia\/anime\.php\?id=(\d+)/],
    toUrl: (id) => `https://www.animenewsnetwork.com/encyclopedia/anime.php?id=${id}`,
  },
  imdb: {
    label: "IMDb",
    form: /^tt\d{5,10}$/,
    urls: [/^imdb\.com\/title\/(tt\d+)/],
    toUrl: (id) => `https://www.imdb.com/title/${id}/`,
  },
  kitsu: {
    label: "Kitsu",
    form: number,
    urls: [/^kitsu\.(?:app|io)\/anime\/(\d+)(?![\w-])/],
    toUrl: (id) => `https://kitsu.app/anime/${id}`,
  },
  livechart: {
    label: "LiveChart",
    form: number,
    urls: [/^livechart\.me\/anime\/(\d+)/],
    toUrl: (id) => `https://www.livechart.me/anime/${id}`,
  },
  notify: {
    label: "notify.moe",
    form: /^[\w-]{1,30}$/,
    urls: [/^notify\.moe\/anime\/([\w-]+)/],
    toUrl: (id) => `https://notify.moe/anime/${id}`,
  },
  simkl: {
    label: "Simkl",
    form: number,
    urls: [/^simkl\.com\/anime\/(\d+)/],
    toUrl: (id) => `https://simkl.com/anime/${id}`,
  },
  "tmdb-movie": {
    label: "TMDB",
    form: number,
    urls: [/^themoviedb\.org\/movie\/(\d+)/],
    toUrl: (id) => `https://www.themoviedb.org/movie/${id}`,
  },
  "tmdb-tv": {
    label: "TMDB",
    form: number,
    hasSeasons: true,
    urls: [/^themoviedb\.org\/tv\/(\d+)/],
    toUrl: (id) => `https://www.themoviedb.org/tv/${id}`,
  },
  tvdb: {
    label: "TheTVDB",
    form: number,
    hasSeasons: true,
    urls: [/^thetvdb\.com\/dereferrer\/series\/(\d+)/, /^thetvdb\.com\/\?.*\bid=(\d+)/],
    toUrl: (id) => `https://thetvdb.com/dereferrer/series/${id}`,
  },
};

const siteByKey = new Map(externalSites.map((site) => [wordKey(site), site]));

export const externalUrl = ({ site, id }: ExternalId): string => sites[site].toUrl(id);
export const externalLabel = ({ site, season }: ExternalId): string =>
  season === null
    ? sites[site].label
    : `${sites[site].label} (${season === 0 ? "specials" : `season ${season}`})`;

/** `anidb:4563`, or `tvdb:76885:2` for a season. */
export const formatExternalId = ({ site, id, season }: ExternalId): string =>
  season === null ? `${site}:${id}` : `${site}:${id}:${season}`;

/** An id without its season, as the key of the page that it names on the other site: `tvdb:76885`. */
export const externalIdKey = ({ site, id }: Pick<ExternalId, "site" | "id">): string => `${site}:${id}`;

/** Reads the format of `formatExternalId`. The site name may be spelled in any way that `wordKey` accepts. */
export function parseExternalId(text: string): ExternalId | "unknown site" | "wrong id" {
  const [name = "", id = "", season, ...more] = text.trim().split(":");
  const site = siteByKey.get(wordKey(name));
  if (site === undefined) return "unknown site";
  const { form, hasSeasons } = sites[site];
  if (more.length > 0 || !form.test(id)) return "wrong id";
  if (season === undefined) return { site, id, season: null };
  const isSeason = hasSeasons && /^\d{1,3}$/.test(season);
  return isSeason ? { site, id, season: Number(season) } : "wrong id";
}

/** The id in the URL of another site's page. Undefined for an unknown site. */
export function externalIdOfUrl(url: string): ExternalId | undefined {
  const address = url.replace(/^https?:\/\/(?:www\.)?/i, "");
  for (const site of externalSites)
    for (const pattern of sites[site].urls) {
      const id = pattern.exec(address)?.[1];
      if (id !== undefined && sites[site].form.test(id)) return { site, id, season: null };
    }
  return undefined;
}

const maxSeason = 999;

/** The id from a source's field for this site. Empty if the value does not have the site's format. */
export function externalIdOf(site: ExternalSite, value: unknown, season: unknown = null): ExternalId[] {
  const id = typeof value === "number" ? String(value) : value;
  if (typeof id !== "string" || !sites[site].form.test(id)) return [];
  const isSeason = Number.isInteger(season) && (season as number) >= 0 && (season as number) <= maxSeason;
  return [{ site, id, season: sites[site].hasSeasons && isSeason ? (season as number) : null }];
}
