import { extensionOf } from "#app/platform/media-types.ts";
import type { BitmapFormat, SubtitleScript } from "../film/inspection.ts";

/** Reads the language and the role of subtitles from their file's name: `Show - 01.en.forced.ass`, `Subs/2_English.srt`. */

const formats: ReadonlyMap<string, SubtitleScript> = new Map([
  ["ass", "ass"],
  ["ssa", "ass"],
  ["srt", "srt"],
  ["vtt", "vtt"],
]);

export const subtitleFormatOf = (path: string): SubtitleScript | null =>
  formats.get(extensionOf(path)) ?? null;

/** An `.idx` file lists the pictures of the `.sub` file beside it. */
const bitmapFormats: ReadonlyMap<string, BitmapFormat> = new Map([
  ["idx", "vobsub"],
  ["sup", "pgs"],
]);

export const bitmapFormatOf = (path: string): BitmapFormat | null =>
  bitmapFormats.get(extensionOf(path)) ?? null;

/** The extensions of files with subtitles. */
export const subtitleExtensions: readonly string[] = [...formats.keys(), ...bitmapFormats.keys()];

export const isSubtitleFile = (path: string) =>
  subtitleFormatOf(path) !== null || bitmapFormatOf(path) !== null;

/**
 * `signs` translate text in the picture, for viewers who understand the sound. `descriptions` tell viewers who do not
 * see the picture what it shows.
 */
export type SubtitleRole = "dialogue" | "signs" | "commentary" | "descriptions";
export type SubtitleTraits = { role: SubtitleRole; isForDeaf: boolean };
type SubtitleName = SubtitleTraits & {
  /** The name without language, flags and extension: the name of the film, or empty. */
  stem: string;
  language: string | null;
};

const signs = /^(?:forced|signs?|songs?|signs?[ _&+-]*(?:and[ _-]*)?songs?|s&s)$/i;
const forDeaf = /^(?:sdh|cc|hoh|hearing[ _-]impaired)$/i;
const withoutMeaning = /^(?:full|default|dialogue|subs?|subtitles?|track\d*)$/i;

/** The name of a file without its folder and extension. */
export const withoutExtension = (path: string): string => {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.slice(0, -extensionOf(file).length - 1);
};

/**
 * Whether the file has the name of this film, or its name and words about itself after that. The last word of a film's
 * own name can be a language too: `Show.ITA.srt` belongs to `Show.ITA.mkv`. `film`: its name without extension.
 */
export const isNamedAfter = (path: string, film: string): boolean =>
  `${withoutExtension(path)}.`.startsWith(`${film}.`) && film.length >= readSubtitleName(path).stem.length;

/** `isHi`: the language is the word `hi`, which means "hearing impaired" beside another language. */
type Found = Omit<SubtitleName, "stem"> & { isHi: boolean };

export function readSubtitleName(path: string): SubtitleName {
  const words = withoutExtension(path).split(".");
  const found: Found = { language: null, role: "dialogue", isForDeaf: false, isHi: false };
  // The last word that says nothing about the subtitles, and all words before it, are the name of the film.
  while (words.length > 1 && readWord(words.at(-1) ?? "", found)) words.pop();
  const isWhole = words.length === 1 && readWords(words[0] ?? "", found);
  const { language, role, isForDeaf } = found;
  return { language, role, isForDeaf, stem: isWhole ? "" : words.join(".") };
}

/** Reads a name that does not contain the name of the film: `2_English`, `English SDH`. */
function readWords(text: string, found: Found): boolean {
  const read = { ...found };
  const words = text.split(/[\s_]+/).filter((word) => word !== "" && !/^\d+$/.test(word));
  const isRead =
    words.length > 0 &&
    words.every((word) => readWord(word.replace(/^[[(]|[\])]$/g, ""), read)) &&
    read.language !== null;
  if (isRead) Object.assign(found, read);
  return isRead;
}

function readWord(word: string, found: Found): boolean {
  if (signs.test(word)) found.role = "signs";
  else if (forDeaf.test(word)) found.isForDeaf = true;
  else if (!withoutMeaning.test(word)) {
    const language = languageOf(word);
    if (language === null) return false;
    const isHi = word.toLowerCase() === "hi";
    if (found.language === null) Object.assign(found, { language, isHi });
    else if (isHi) found.isForDeaf = true;
    else if (found.isHi) Object.assign(found, { language, isHi: false, isForDeaf: true });
    else return false;
  }
  return true;
}

const inEnglish = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

const codes =
  "ar bg bn ca cs da de el en es et fa fi fil fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt pt-BR ro ru sk sl sr sv ta te th tr uk vi zh zh-Hans zh-Hant es-419";
/** Other words for a language: release groups name the two scripts of Chinese, alone or beside Japanese, by letters. */
const otherWords: Readonly<Record<string, string>> = {
  // A large service writes the code of Laos and means Latin America.
  "es-419": "es-la",
  "zh-Hans": "chs sc gb jpsc scjp",
  "zh-Hant": "cht tc big5 jptc tcjp",
  ja: "jp",
};
const codeOfName = new Map([
  ...codes.split(" ").map((code) => [(inEnglish.of(code) ?? code).toLowerCase(), code] as const),
  ...Object.entries(otherWords).flatMap(([code, words]) =>
    words.split(" ").map((word) => [word, code] as const),
  ),
]);

/** The languages of films with their English names, sorted by name. */
export const listLanguages = (): [string, string][] =>
  codes
    .split(" ")
    .map((code): [string, string] => [code, languageName(code)])
    .sort(([, one], [, other]) => one.localeCompare(other, "en"));

/** The BCP 47 tag of a code (`en`, `eng`, `pt-BR`, `ptBR`) or of an English name; null if the word is no language. */
function languageOf(word: string): string | null {
  const tagged = word.replace(/^([a-z]{2})([A-Z]{2})$/, "$1-$2").replace("_", "-");
  const code = codeOfName.get(word.toLowerCase()) ?? codeOfName.get(tagged.toLowerCase());
  if (code !== undefined) return code;
  if (!/^[a-z]{2,3}(?:-[a-z]{2,4}|-419)?$/i.test(tagged)) return null;
  try {
    // This also turns the three-letter codes in Matroska files into the form that browsers use: `ger` becomes `de`.
    const [tag] = Intl.getCanonicalLocales(tagged);
    return tag !== undefined && tag !== "und" && inEnglish.of(tag) !== undefined ? tag : null;
  } catch {
    return null;
  }
}

/** The name of a language for people: "English". */
function languageName(language: string): string {
  try {
    return inEnglish.of(language) ?? language;
  } catch {
    return language;
  }
}

const roleLabels: Record<SubtitleRole, string | null> = {
  dialogue: null,
  signs: "signs and songs",
  commentary: "commentary",
  descriptions: "descriptions of the picture",
};

/** The label that viewers choose by: "English", "English (signs and songs)". */
export function subtitleLabel({ language, role, isForDeaf }: Omit<SubtitleName, "stem">): string {
  const name = language === null ? "Unknown language" : languageName(language);
  const traits = [roleLabels[role], isForDeaf && "for the deaf and hard of hearing"];
  const labels = traits.filter((trait) => trait !== false && trait !== null);
  return labels.length === 0 ? name : `${name} (${labels.join(", ")})`;
}

const labelOfCommentary = /\bcommentary\b/i;
const labelOfDialogue = /\bfull\b|\bdialog(?:ue)?s?\b/i;
const labelOfSigns = /\bsigns?\b|\bforced\b|\bsongs?\s+only\b/i;
const labelOfDeaf = /\bsdh\b|\bcc\b|\bdeaf\b|\bhard of hearing\b|\bhearing[ -]impaired\b/i;

/**
 * Reads the role of subtitles from their title, and whether they are for the deaf. The role is null if the title names
 * none.
 */
export function roleOfLabel(label: string | null): { role: SubtitleRole | null; isForDeaf: boolean } {
  const text = label ?? "";
  const isForDeaf = labelOfDeaf.test(text);
  if (labelOfCommentary.test(text)) return { role: "commentary", isForDeaf };
  if (labelOfDialogue.test(text)) return { role: "dialogue", isForDeaf };
  return { role: labelOfSigns.test(text) ? "signs" : null, isForDeaf };
}

/** The traits of registered subtitles, from their label and the name of their file. */
export function traitsOf({ url, label }: { url: string; label: string | null }): SubtitleTraits {
  const name = isSubtitleFile(url) ? readSubtitleName(url) : null;
  const labelled = roleOfLabel(label);
  return {
    role: name?.role === "signs" ? "signs" : (labelled.role ?? "dialogue"),
    isForDeaf: name?.isForDeaf === true || labelled.isForDeaf,
  };
}
