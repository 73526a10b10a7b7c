import { extensionOf } from "#app/platform/media-types.ts";
import { subtitleFolder } from "../subtitles/beside-films.ts";
import { readSubtitleName, subtitleFormatOf } from "../subtitles/subtitle-names.ts";

/** Guesses a film's title, season and episode from its file name and folders. */

export type FilmName = {
  title: string;
  /** Null if the name has no season; 0 for specials. */
  season: number | null;
  /** Null for a film that is not part of a series. */
  episode: number | null;
  year: number | null;
  /** True for an opening, an ending, a trailer or a sample. */
  isExtra: boolean;
  /** Set for subtitles only: `01.en.vtt`. */
  language: string | null;
};

export function readFilmName(path: string): FilmName {
  const folders = path.split("/").filter(Boolean);
  const { stem, language } = withoutExtension(folders.pop() ?? "");
  const raw = stem === "" || genericFileName.test(stem) ? (folders.pop() ?? "") : stem;
  const name = clean(raw);
  const found = findEpisode(name, folders.length > 0);
  const own = splitSeason(found ? found.before : name);
  const folder = readFolders(folders.map(clean));
  return {
    title: own.title || folder.title,
    season: found?.season ?? own.season ?? folder.season,
    episode: found?.episode ?? null,
    year: yearIn(raw) ?? yearIn(folders.join(" ")),
    isExtra: extra.test(name) || folders.some((one) => extraFolder.test(one)),
    language,
  };
}

/** File names that do not name the film; the folder's name is read instead. */
const genericFileName =
  /^(?:master|index|playlist|prog[_-]?index|stream|video|film|movie|main|output|manifest)$/i;

const extra =
  /(?<![\p{L}\p{N}])(?:nc(?:op|ed)|(?:creditless|textless) (?:opening|ending)|trailer|teaser|sample|pv|menu)(?:\s*\d+[a-z]?)?$/iu;
const extraFolder = /^(?:extras?|bonus|samples?|trailers?|nc)$/i;

function withoutExtension(file: string): { stem: string; language: string | null } {
  if (subtitleFormatOf(file) !== null) return readSubtitleName(file);
  const extension = extensionOf(file);
  return { stem: extension === "" ? file : file.slice(0, -extension.length - 1), language: null };
}

/**
 * Release information that people write after a title (resolution, codec, …). Everything from the first match is
 * dropped.
 */
const releaseInfo =
  /(?<![\p{L}\p{N}])(?:\d{3,4}[pi]|[48]k|uhd|[xh][ .]?26[45]|hevc|avc|av1|vp9|xvid|(?:8|10)[ -]?bits?|hi10p?|blu-?ray|bdrip|brrip|bd|web-?(?:dl|rip)|hdtv|hdrip|dvd(?:rip)?|remux|aac|flac|opus|e?ac-?3|dts|dual[ -]?audio|multi[ -]?(?:sub|audio)s?|uncensored|uncut|proper|repack|complete|batch)(?![\p{L}\p{N}]).*$/iu;

function clean(name: string): string {
  // Dots and underscores are separators only in names without spaces.
  const spaced = name.includes(" ") ? name : name.replace(/[._+]/g, " ");
  const bare = spaced.replace(/\[[^\]]*\]|\{[^}]*\}|【[^】]*】|\([^)]*\)/g, " ").replace(/_/g, " ");
  return tidy(bare.replace(releaseInfo, " "));
}

const tidy = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/^[\s._~-]+|[\s._~-]+$/g, "")
    .trim();

const yearIn = (text: string): number | null => {
  const year = /[([](19\d\d|20\d\d)[)\]]/.exec(text)?.[1];
  return year === undefined ? null : Number(year);
};

type Found = { before: string; season: number | null; episode: number };

/**
 * Ways to write an episode number, the most certain first. A version (`05v2`) is ignored; half episodes (`05.5`) do
 * not match.
 */
const patterns: readonly { shape: RegExp; needsFolder?: true }[] = [
  {
    shape:
      /^(?<before>.*?)(?<![\p{L}\p{N}])s(?<season>\d{1,2})[ ._-]*e(?:p)?[ ._]?(?<episode>\d{1,4})(?!\d|\.\d)/iu,
  },
  { shape: /^(?<before>.*?)(?<![\p{L}\p{N}])(?<season>\d{1,2})x(?<episode>\d{2,4})(?![\p{L}\p{N}]|\.\d)/iu },
  {
    shape:
      /^(?<before>.*?)(?<![\p{L}\p{N}])(?:episode|folge|episodio|ep|e)[ ._-]*(?<episode>\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d)/iu,
  },
  { shape: /^(?<before>.*?)第\s*(?<episode>\d{1,4})\s*[話话集回]/u },
  { shape: /^(?<before>.*?)\s*#\s*(?<episode>\d{1,4})(?!\d)/u },
  { shape: /^(?<before>.+?)\s+-\s+(?<episode>\d{1,4})(?:v\d)?(?=\s|$)(?!\.\d)/u },
  { shape: /^(?<before>)(?<episode>\d{1,4})(?:v\d)?(?:\s*[-.]\s*.*|\s+\D.*)?$/u, needsFolder: true },
  { shape: /^(?<before>.+?)\s+(?<episode>\d{2,3})(?:v\d)?$/u },
];

function findEpisode(name: string, hasFolder: boolean): Found | null {
  for (const { shape, needsFolder } of patterns) {
    if (needsFolder && !hasFolder) continue;
    const groups = shape.exec(name)?.groups;
    if (groups?.episode === undefined) continue;
    const { before = "", season } = groups;
    return {
      before: tidy(before),
      season: season === undefined ? null : Number(season),
      episode: Number(groups.episode),
    };
  }
  return null;
}

/**
 * Splits `Show Season 2` and `Show S2`. An ordinal (`2nd Season`) stays in the title, because catalogs write it so.
 */
function splitSeason(text: string): { title: string; season: number | null } {
  const [, title = "", long, short] = /^(.*?)[\s-]*(?:\bseason\s*(\d{1,2})|\bS(\d{1,2}))$/i.exec(text) ?? [];
  const season = long ?? short;
  return season === undefined
    ? { title: text, season: null }
    : { title: tidy(title), season: Number(season) };
}

/** Takes the title from the nearest folder that is not just a season, a disc or extras. */
function readFolders(folders: readonly string[]): { title: string; season: number | null } {
  let season: number | null = null;
  for (const folder of folders.toReversed()) {
    const numbered = /^(?:season|series|staffel|temporada|s)\s*(\d{1,2})$/i.exec(folder)?.[1];
    if (numbered !== undefined) season ??= Number(numbered);
    else if (/^(?:specials?|ovas?)$/i.test(folder)) season ??= 0;
    else if (
      !/^(?:disc|disk|cd|vol(?:ume)?)\s*\d+$/i.test(folder) &&
      !extraFolder.test(folder) &&
      !subtitleFolder.test(folder)
    ) {
      const own = splitSeason(folder);
      return { title: own.title, season: season ?? own.season };
    }
  }
  return { title: "", season };
}
