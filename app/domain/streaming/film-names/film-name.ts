import { extensionOf } from "#app/platform/media-types.ts";
import { subtitleFolder } from "../subtitles/beside-films.ts";
import { readSubtitleName, subtitleFormatOf } from "../subtitles/subtitle-names.ts";
import { type Numbered, readGroup, readNumbers, withoutNumber } from "./episode-numbers.ts";
import { type NameText, takeApart, tidy } from "./name-parts.ts";
import { seasonOfFolder, splitSeason } from "./season-words.ts";

/** Reads what a file name and its folders may say of a film. */

export type FilmReading = Numbered & Pick<NameText, "isShort">;

export type FilmName = {
  /** In how many ways the name can be read, the most likely first. */
  readings: readonly FilmReading[];
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
  const { texts, groups, year } = takeApart(raw);
  const folder = readFolders(folders);
  const readings = [
    ...texts.flatMap((text) => readText(text, groups, folders.length > 0)),
    ...onlyGroups(texts, groups),
  ];
  return {
    readings: unique(readings.map((one) => withFolder(one, folder))),
    year: year ?? folder.year,
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
  /(?<![\p{L}\p{N}])(?:nc(?:op|ed)|(?:op|ed)\s*\d+[a-z]?|(?:creditless|textless) (?:opening|ending)|trailer|teaser|sample|pv|menu)(?:\s*\d+[a-z]?)?$/iu;
const extraFolder = /^(?:extras?|bonus|samples?|trailers?|nc)$/i;

function withoutExtension(file: string): { stem: string; language: string | null } {
  if (subtitleFormatOf(file) !== null) return readSubtitleName(file);
  const extension = extensionOf(file);
  return { stem: extension === "" ? file : file.slice(0, -extension.length - 1), language: null };
}

function readText({ text, isShort }: NameText, groups: readonly string[], hasFolder: boolean): FilmReading[] {
  const numbered = readNumbers(text, hasFolder);
  const inGroup = readGroup(groups);
  const plain = withoutNumber(text);
  // `29 (04)`: one of them counts from the first season on.
  const other = inGroup && numbered.flatMap((one) => (one.first === null ? [] : [{ ...one, ...inGroup }]));
  const readings =
    inGroup && numbered.length === 1 ? [{ ...plain, ...inGroup }, plain] : [...numbered, ...(other ?? [])];
  return readings.flatMap((reading) => {
    const { title, season } = splitSeason(reading.title);
    const split = { ...reading, isShort, title, season: reading.season ?? season };
    return season === null ? [split] : [split, { ...reading, isShort }];
  });
}

/** Some groups write everything in brackets: `[Group][Black Bullet][11]`. */
function onlyGroups(texts: readonly NameText[], groups: readonly string[]): FilmReading[] {
  if (texts.some(({ text }) => /\p{L}/u.test(text))) return [];
  const found = readGroup(groups);
  const named = groups.filter((text) => /\p{L}/u.test(text) && readGroup([text]) === null);
  // The first one is most often who released it.
  return [...named.slice(1), ...named.slice(0, 1)].map((text) => {
    const { title, season } = splitSeason(tidy(text));
    return { ...withoutNumber(title), season, isShort: false, ...found };
  });
}

type Folder = { title: string; season: number | null; year: number | null };

function withFolder(reading: FilmReading, folder: Folder): FilmReading {
  if (reading.title !== "" && /\p{L}/u.test(reading.title))
    return { ...reading, season: reading.season ?? folder.season };
  return { ...reading, title: folder.title || reading.title, season: reading.season ?? folder.season };
}

function unique(readings: readonly FilmReading[]): FilmReading[] {
  const seen = new Map(readings.toReversed().map((one) => [JSON.stringify(one), one]));
  return [...seen.values()].toReversed().filter(({ title }) => title !== "");
}

/** Takes the title from the nearest folder that is not just a season, a disc or extras. */
function readFolders(folders: readonly string[]): Folder {
  let season: number | null = null;
  let year: number | null = null;
  for (const folder of folders.toReversed()) {
    const { texts, year: named } = takeApart(folder);
    year ??= named;
    const numbered = seasonOfFolder(folder);
    if (numbered !== null) season ??= numbered;
    else if (
      !/^(?:disc|disk|cd|vol(?:ume)?)\s*\d+$/i.test(folder) &&
      !extraFolder.test(folder) &&
      !subtitleFolder.test(folder)
    ) {
      const own = splitSeason(texts[0]?.text ?? "");
      return { title: own.title, season: season ?? own.season, year };
    }
  }
  return { title: "", season, year };
}
