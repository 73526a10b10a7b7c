import { readSubtitleName, subtitleFormatOf } from "#app/media/subtitles/subtitle-names.ts";
import { extensionOf } from "#app/platform/media-types.ts";
import { subtitleFolder } from "./beside-films.ts";
import { type Numbered, readGroup, readNumbers, withoutNumber } from "./episode-numbers.ts";
import { type FilmId, takeIds } from "./id-tags.ts";
import { type NameText, takeApart, tidy } from "./name-parts.ts";
import { partOfFolder, seasonNames, seasonOfFolder, splitSeason } from "./season-words.ts";

/** Reads everything that a file name and its folders may say about a film. */

export type FilmReading = Numbered &
  Pick<NameText, "isShort" | "year"> & {
    /** The part of a split season: `Part 2`. */
    part: number | null;
  };

export type FilmName = {
  /** The possible readings of the name, the most likely first. */
  readings: readonly FilmReading[];
  year: number | null;
  /** The ids in the file name, or else in the name of the nearest folder that has any. */
  ids: readonly FilmId[];
  /** True for an opening, an ending, a trailer or a sample. */
  isExtra: boolean;
  /** The language of a subtitle file: `01.en.vtt`. Null for films. */
  language: string | null;
};

export function readFilmName(path: string): FilmName {
  const named = path.split("/").filter(Boolean).map(takeIds);
  const ids = named.findLast((one) => one.ids.length > 0)?.ids ?? [];
  const folders = named.map(({ text }) => text).filter(Boolean);
  const { stem, language } = withoutExtension(folders.pop() ?? "");
  const raw = stem === "" || genericFileName.test(stem) ? (folders.pop() ?? "") : stem;
  const { texts, groups, year } = takeApart(raw);
  const folder = readFolders(folders);
  const readings = [
    ...texts.flatMap((text) => readText(withoutExtra(text), groups, folders.length > 0)),
    ...onlyGroups(texts, groups),
  ];
  return {
    readings: unique(readings.map((one) => withFolder(one, folder)).flatMap(withOwnTitle)),
    year: year ?? folder.year,
    ids,
    isExtra:
      [...texts.map(({ text }) => text), ...groups].some((text) => extra.test(text)) ||
      folders.some((one) => extraFolder.test(one)),
    language,
  };
}

/** File names that do not name the film; the folder's name is read instead. */
const genericFileName =
  /^(?:master|index|playlist|prog[_-]?index|stream|video|film|movie|main|output|manifest)$/i;

const extra =
  /(?<![\p{L}\p{N}])(?:nc(?:op|ed)|(?:op|ed)\s*\d+[a-z]?|(?:clean|creditless|textless) (?:opening|ending|op|ed)|trailer|teaser|sample|previews?|[cp]v|menu|commentary|music (?:video|clip))(?:\s*\d+[a-z]?)?(?:v\d)?$|\s-\s+(?:the )?making of\s/iu;
/** Removes the words for an extra, which leaves the title it belongs to. */
const withoutExtra = (text: NameText) => ({ ...text, text: tidy(text.text.replace(extra, "")) });
const extraFolder = /^(?:extras?|bonus|samples?|trailers?|nc)$/i;

function withoutExtension(file: string): { stem: string; language: string | null } {
  if (subtitleFormatOf(file) !== null) return readSubtitleName(file);
  const extension = extensionOf(file);
  return { stem: extension === "" ? file : file.slice(0, -extension.length - 1), language: null };
}

function readText(
  { text, isShort, year }: NameText,
  groups: readonly string[],
  hasFolder: boolean,
): FilmReading[] {
  const numbered = readNumbers(text, hasFolder);
  const inGroup = readGroup(groups);
  const plain = withoutNumber(text);
  // `29 (04)`: one of the two numbers counts from the first season on.
  const other = inGroup && numbered.flatMap((one) => (one.first === null ? [] : [{ ...one, ...inGroup }]));
  const readings =
    inGroup && numbered.length === 1 ? [{ ...plain, ...inGroup }, plain] : [...numbered, ...(other ?? [])];
  return readings.flatMap((reading) => {
    const { title, season, part } = splitSeason(reading.title);
    const whole = { ...reading, isShort, year, part: null };
    const split = { ...whole, title, season: reading.season ?? season, part };
    return season === null && part === null ? [split] : [split, whole];
  });
}

/** Some release groups put everything in brackets: `[Group][Black Bullet][11]`. */
function onlyGroups(texts: readonly NameText[], groups: readonly string[]): FilmReading[] {
  if (texts.some(({ text }) => /\p{L}/u.test(text))) return [];
  const found = readGroup(groups);
  const named = groups.filter((text) => /\p{L}/u.test(text) && readGroup([text]) === null);
  // The first bracket is usually the release group, so it is tried last.
  return [...named.slice(1), ...named.slice(0, 1)].map((text) => {
    const { title, season, part } = splitSeason(tidy(text));
    return { ...withoutNumber(title), season, part, isShort: false, year: null, ...found };
  });
}

type Folder = { title: string; season: number | null; part: number | null; year: number | null };

function withFolder(reading: FilmReading, folder: Folder): FilmReading {
  const season = reading.season ?? folder.season;
  const part = reading.part ?? folder.part;
  if (reading.title !== "" && /\p{L}/u.test(reading.title)) return { ...reading, season, part };
  return { ...reading, title: folder.title || reading.title, season, part };
}

/** Catalogs list some half episodes as separate titles: `Show Episode 7.5`, `Show 7.5`. */
function withOwnTitle(reading: FilmReading): FilmReading[] {
  const { title, season, half } = reading;
  if (half === null || title === "") return [reading];
  const names = season !== null && season > 1 ? seasonNames(title, season) : [title];
  const own = names.flatMap((name) => [`${name} Episode ${half}`, `${name} ${half}`]);
  return [reading, ...own.map((name) => ({ ...reading, ...withoutNumber(name), part: null }))];
}

function unique(readings: readonly FilmReading[]): FilmReading[] {
  const seen = new Map(readings.toReversed().map((one) => [JSON.stringify(one), one]));
  return [...seen.values()].toReversed().filter(({ title }) => title !== "");
}

/** Takes the title from the nearest folder that is not just a season, a disc or extras. */
function readFolders(folders: readonly string[]): Folder {
  let season: number | null = null;
  let part: number | null = null;
  let year: number | null = null;
  for (const folder of folders.toReversed()) {
    const { texts, year: named } = takeApart(folder);
    year ??= named;
    const numbered = seasonOfFolder(folder);
    const partOnly = partOfFolder(folder);
    if (numbered !== null) season ??= numbered;
    else if (partOnly !== null) part ??= partOnly;
    else if (
      !/^(?:disc|disk|cd|vol(?:ume)?)\s*\d+$/i.test(folder) &&
      !extraFolder.test(folder) &&
      !subtitleFolder.test(folder)
    ) {
      const own = splitSeason(texts[0]?.text ?? "");
      return { title: own.title, season: season ?? own.season, part: part ?? own.part, year };
    }
  }
  return { title: "", season, part, year };
}
