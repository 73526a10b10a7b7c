import { isSubtitleFile, readSubtitleName } from "#app/media/subtitles/subtitle-names.ts";
import { extensionOf } from "#app/platform/media-types.ts";
import { subtitleFolder } from "./beside-films.ts";
import { canBeYear, type Numbered, readGroup, readNumbers, withoutNumber } from "./episode-numbers.ts";
import { type FilmId, takeIds } from "./id-tags.ts";
import { hasLetter, type NameParts, type NameText, takeApart } from "./name-parts.ts";
import { partOfFolder, seasonNames, seasonOfFolder, splitNumber, splitSeason, tidy } from "./season-words.ts";

/**
 * Reads everything that a file name and its folders may say about a film: takes the name apart, finds the number, then
 * the season, then the title's words. Each step may leave several readings. The catalog decides between them.
 */

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
  /** `pt1`, `cd2`: the file is only a piece of a film or of an episode. */
  piece: number | null;
  /** The number of the disc in the name of the folder. Files of a disc are often numbered from 1 again. */
  disc: number | null;
  /** The digits of a file name that says nothing else: `title_t01`, `00001`. Null for all other names. */
  fileNumber: string | null;
  /** The language of a subtitle file: `01.en.vtt`. Null for films. */
  language: string | null;
};

export function readFilmName(path: string): FilmName {
  const pathParts = path.split("/").filter(Boolean).map(takeIds);
  const ids = pathParts.findLast((one) => one.ids.length > 0)?.ids ?? [];
  const folders = pathParts.map(({ text }) => text).filter(Boolean);
  const { stem, language } = withoutExtension(folders.pop() ?? "");
  const isGeneric = stem === "" || genericFileName.test(stem);
  let disc: number | null = null;
  while (isGeneric && discFolder.test(folders.at(-1) ?? "")) disc ??= discOfFolder(folders.pop() ?? "");
  const raw = isGeneric ? (folders.pop() ?? "") : stem;
  const { texts, groups: all, year, ...parts } = takeApart(raw);
  const isNumbered = texts.some(({ text }) => numberAtEnd.test(text));
  const pieceInGroup = pieceOfGroups(all, isNumbered);
  const groups = pieceInGroup === null ? all : all.filter((text) => !groupOfPiece.test(text));
  const folder = readFolders(folders);
  const pieces = texts.map(({ text }) => takePiece(text));
  const piece = pieces.find((one) => one.piece !== null)?.piece ?? pieceInGroup;
  const readings = texts.flatMap((text, index) => {
    const whole = withoutExtra({ ...text, text: pieces[index]?.text ?? "" });
    const hasFolder = folders.length > 0 && !beginsWith(whole.text, folder.title);
    return readText(whole, { groups, ...parts }, hasFolder).flatMap((reading) =>
      withTitle(reading, folder, groups),
    );
  });
  if (texts.length === 0) readings.push(...onlyGroups(groups, folder));
  return {
    readings: unique(readings.flatMap(withOwnTitle)),
    year: year ?? folder.year,
    ids,
    isExtra:
      [...texts.map(({ text }) => text), ...groups].some(isExtraText) ||
      hasExtraGroup({ groups, ...parts }) ||
      folders.some((one) => extraFolder.test(one)),
    piece,
    disc: disc ?? folder.disc,
    fileNumber: isGeneric || !texts.some(({ text }) => hasLetter.test(text)) ? digitsOf(stem) : null,
    language,
  };
}

const digitsOf = (stem: string) => stem.replace(/\[.*?\]|\(.*?\)|\D/g, "") || null;

/** File names that do not name the film; the folder's name is read instead. */
const genericFileName =
  /^(?:master|index|playlist|prog[_-]?index|stream|video|film|movie|main|output|manifest|dis[ck]|feature|title[ _]?t?\d*)$/i;

/** `(?!\d)` keeps a row of digits whole. Otherwise it could be split in exponentially many ways. */
const extra =
  /(?<![\p{L}\p{N}])(?:nc(?:op|ed)(?: ?ep ?\d+)?|(?:op|ed)\s*\d+(?!\d)[a-z]?|(?<=\S\s)(?:op|ed)|(?:clean|creditless|textless) (?:opening|ending|op|ed)|trailer|teaser|sample|previews?|[cp]v|[ci][mv](?= ?\d)|menu|logo|commentary|interview|making|music (?:video|clip))(?:[\s_]*\d+(?!\d)[a-z]?)*(?:v\d)?$|\s-\s+(?:the )?making of\s/iu;
/** These count only if they fill square brackets, and no number stands in others: `[CM]`, but not `[IV] [05]`. */
const extraGroup = /^(?:(?:cm|mv|iv|pv)(?: collection)?|event|talk show)(?: ?\d+)?$/i;
const hasExtraGroup = ({ groups, rounds, leading }: Groups) =>
  readGroup(groups) === null &&
  groups.some((text) => extraGroup.test(text) && text !== leading && !rounds.includes(text));
/**
 * The name of an episode can end in such a word, unless programs and release groups write it so: `Pilot-trailer`,
 * `Official Trailer`.
 */
const namedEpisode =
  /(?:s\d{1,2}e|\d{1,2}x|\s-\s+)\d{1,4}(?:v\d)?\s+-\s+(?<name>(?!.*(?:\S-\p{L}+|(?:official|bd|dvd|cast|staff) \w+|commentary|previews?|sample|(?:clean|creditless|textless) \w+|nc(?:op|ed).*)$).+)$/iu;

function isExtraText(text: string): boolean {
  const name = namedEpisode.exec(text)?.groups?.name ?? "";
  return extra.test(text) && tidy(name.replace(extra, "")) === "";
}

/** Removes the words for an extra, which leaves the title it belongs to. */
const withoutExtra = (text: NameText) =>
  isExtraText(text.text) ? { ...text, text: tidy(text.text.replace(extra, "")) } : text;
const extraFolder =
  /^(?:extras?|bonus|samples?|trailers?|nc|nc(?:op|ed)s?|creditless|featurettes|behind the scenes|menus?|pvs?|cms?)$/i;

/** `cd1` and `pt1` count after any name, `part1` only after a number or a dash, because a title can end in `Part 1`. */
const pieceAtEnd =
  /^(?<text>.*?)(?:[\s.-]+(?:cd|dis[ck]|pt)[\s.]?(?<piece>\d|[a-d])|(?:(?<=\S)-|(?<=(?:\s-\s*|e|ep\s?|episode |#)\d{1,4}(?:v\d)?)\s*-?\s*)part\s?(?<part>\d))$/iu;

/** `Show - 05 - pt1 - Name` */
const pieceBeforeName =
  /^(?<text>.*(?:\s-\s*|e|ep\s?|episode |#)\d{1,4}(?:v\d)?)[\s.-]+(?:cd|dis[ck]|pt)[\s.]?(?<piece>\d|[a-d])\s+-\s/i;

const numberAtEnd = /(?:\s-\s*|e|ep\s?|episode |#)\d{1,4}(?:v\d)?$/i;
const groupOfPiece = /^(?<piece>\d)(?<space>\s*)of\s*\d$/i;

/** `[1of2]` is a piece. `[1 of 2]` is one only beside the number of an episode. */
function pieceOfGroups(groups: readonly string[], isNumbered: boolean): number | null {
  for (const one of groups) {
    const { piece, space } = groupOfPiece.exec(one)?.groups ?? {};
    if (piece !== undefined && (isNumbered || space === "")) return Number(piece);
  }
  return null;
}

function takePiece(text: string): { text: string; piece: number | null } {
  const match = pieceAtEnd.exec(text) ?? pieceBeforeName.exec(text);
  const { text: rest = text, piece, part } = match?.groups ?? {};
  const number = piece ?? part;
  if (number === undefined) return { text, piece: null };
  return {
    text: tidy(rest),
    piece: /\d/.test(number) ? Number(number) : "abcd".indexOf(number.toLowerCase()) + 1,
  };
}

function withoutExtension(file: string): { stem: string; language: string | null } {
  if (isSubtitleFile(file)) return readSubtitleName(file);
  const extension = extensionOf(file);
  return { stem: extension === "" ? file : file.slice(0, -extension.length - 1), language: null };
}

/** True if the text repeats the title of its folder, so that a number in that title is no episode's: `7 Seeds/7 Seeds 05`. */
function beginsWith(text: string, title: string): boolean {
  const [whole = "", start = ""] = [text, title].map((one) =>
    one.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""),
  );
  return hasLetter.test(start) && whole.startsWith(start);
}

/** `hasFolder`: the title can be that of a folder. */
function readText({ text, isShort, year }: NameText, parts: Groups, hasFolder: boolean): FilmReading[] {
  const isBare = !hasLetter.test(text)
    ? hasFolder || parts.groups.some((one) => hasLetter.test(one))
    : hasFolder;
  const numbered = readNumbers(text, isBare);
  return withGroup(numbered, text, parts).flatMap(({ isMarked: _, isOpen, ...reading }) =>
    withSeason({ ...reading, isShort: isShort || isOpen, year, part: null }),
  );
}

type Groups = Pick<NameParts, "groups" | "rounds" | "leading">;
type ShapedNumber = ReturnType<typeof readNumbers>[number];

/**
 * A number alone in brackets is the episode's, so other numbers belong to the title: `Show 2 [05]`. If another number
 * is also marked as the episode's and the brackets are round, one of the two counts from the first season on: `Show -
 * 29 (04)`. The number of a copy is neither: `Show 10 (1)`.
 */
function withGroup(
  numbered: readonly ShapedNumber[],
  text: string,
  { groups, rounds, leading }: Groups,
): ShapedNumber[] {
  const inGroup = readGroup(groups);
  if (inGroup === null) return [...numbered];
  const whole = { ...withoutNumber(text), ...inGroup, isMarked: true, isOpen: false };
  const { first, last } = inGroup;
  const isRound = readGroup(rounds)?.first === first;
  const isCopy = isRound && groups.length === 1 && /^\d$/.test(rounds[0] ?? "");
  const marked = numbered.filter((one) => one.first !== null && (one.isMarked || (isCopy && one.first > 9)));
  if (marked.length > 0 && leading !== null && readGroup([leading])?.first === first) return [...numbered];
  const others = [...marked, ...marked.map((one) => ({ ...one, first, last }))];
  if (isRound && marked.length > 0) return [...others, whole];
  return marked.some((one) => one.first === first) ? [whole, ...others] : [whole];
}

/** A number at the end of the title can be its season. */
function withSeason(reading: FilmReading): FilmReading[] {
  const { title, season, part } = splitSeason(reading.title);
  // A release may call its second season `S01`. Any other difference means that the words are part of the name.
  if (season !== null && (reading.season ?? 1) !== 1 && reading.season !== season) return [reading];
  const split = { ...reading, title, season: season ?? reading.season, part };
  const whole = season === null && part === null ? withYear(reading) : [reading, ...withYear(split)];
  const numbered = reading.first === null || season !== null ? null : splitNumber(title);
  if (numbered === null || (reading.season ?? numbered.season) !== numbered.season) return [split, ...whole];
  return [split, ...whole, { ...split, ...numbered }];
}

/** `Show 1998 S01E05`: the year is also read separately from the title. */
function withYear(reading: FilmReading): FilmReading[] {
  const [, title = "", digits] = /^(.*\p{L}.*?)\s+(\d{4})$/u.exec(reading.title) ?? [];
  const year = Number(digits);
  return reading.first !== null && canBeYear(year) ? [{ ...reading, title: tidy(title), year }] : [];
}

type Folder = {
  title: string;
  season: number | null;
  part: number | null;
  year: number | null;
  disc: number | null;
};

/** A reading without a title takes the title of its folder, or one in brackets: `[Group] [Show] - 05`. */
function withTitle(reading: FilmReading, folder: Folder, groups: readonly string[]): FilmReading[] {
  const season = reading.season ?? folder.season;
  const part = reading.part ?? folder.part;
  const whole = { ...reading, season, part };
  if (hasLetter.test(reading.title)) return [whole];
  const ofFolder = folder.title === "" ? [] : [{ ...whole, title: folder.title }];
  return [
    ...ofFolder,
    whole,
    ...titlesIn(groups, whole).map((one) => ({
      ...one,
      isShort: folder.title !== "" && !one.title.includes(" "),
    })),
  ];
}

/** The first brackets are usually those of the release group, so they are tried last. */
function titlesIn(groups: readonly string[], reading: FilmReading): FilmReading[] {
  const titles = groups.filter((text) => hasLetter.test(text) && readGroup([text]) === null);
  return [...titles.slice(1), ...titles.slice(0, 1)].flatMap((text) =>
    withSeason({ ...reading, title: tidy(text) }),
  );
}

/** Some release groups put everything in brackets: `[Group][Black Bullet][11]`. */
function onlyGroups(groups: readonly string[], folder: Folder): FilmReading[] {
  const reading = { ...withoutNumber(""), ...readGroup(groups), isShort: false, year: null, part: null };
  return withTitle(reading, { ...folder, title: "" }, groups);
}

/** Catalogs list some half episodes as separate titles: `Show Episode 7.5`, `Show 7.5`. */
function withOwnTitle(reading: FilmReading): FilmReading[] {
  const { title, season, half } = reading;
  if (half === null || title === "") return [reading];
  const names = season !== null && season > 1 ? seasonNames(title, season) : [title];
  const episodeTitles = names.flatMap((name) => [`${name} Episode ${half}`, `${name} ${half}`]);
  return [reading, ...episodeTitles.map((name) => ({ ...reading, ...withoutNumber(name), part: null }))];
}

function unique(readings: readonly FilmReading[]): FilmReading[] {
  const seen = new Map(readings.toReversed().map((one) => [JSON.stringify(one), one]));
  return [...seen.values()].toReversed().filter(({ title }) => title !== "");
}

const discFolder = /^(?:bd |dvd )?(?:disc|disk|cd|vol(?:ume)?)[\s.]*(?<disc>\d+)$/i;

/** Null if the folder is not just a disc. */
function discOfFolder(folder: string): number | null {
  const disc = discFolder.exec(folder)?.groups?.disc;
  return disc === undefined ? null : Number(disc);
}

/** Takes the title from the nearest folder that is not just a season, a disc or extras. */
function readFolders(folders: readonly string[]): Folder {
  let season: number | null = null;
  let part: number | null = null;
  let year: number | null = null;
  let disc: number | null = null;
  for (const folder of folders.toReversed()) {
    const { texts, groups, year: named } = takeApart(folder);
    year ??= named;
    const numbered = seasonOfFolder(folder);
    const partOnly = partOfFolder(folder);
    const discOnly = discOfFolder(folder);
    if (numbered !== null) season ??= numbered;
    else if (partOnly !== null) part ??= partOnly;
    else if (discOnly !== null) disc ??= discOnly;
    else if (!extraFolder.test(folder) && !subtitleFolder.test(folder)) {
      const seasonText = splitSeason(texts[0]?.text ?? groups.find((text) => hasLetter.test(text)) ?? "");
      return {
        title: seasonText.title,
        season: season ?? seasonText.season,
        part: part ?? seasonText.part,
        year,
        disc,
      };
    }
  }
  return { title: "", season, part, year, disc };
}
