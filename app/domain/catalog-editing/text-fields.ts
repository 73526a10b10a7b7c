import { genres } from "#app/domain/catalog/catalog.ts";
import {
  type FieldName,
  titleFields as importedFields,
  type TitleFields,
} from "#app/domain/catalog-import/catalog-import.ts";
import { done, type Issue, type Outcome, refuse } from "#app/domain/errors.ts";
import { readNames, wordKey } from "#app/domain/names/names.ts";
import { issueText, mustBeOneOf } from "#app/platform/validation-messages.ts";

/** The title fields that operators edit as text. They accept the same values as an import. */

type ImportedName = keyof typeof importedFields.shape;
type TextField = {
  columns: readonly FieldName[];
  toText(fields: TitleFields): string;
  /** The fields that an import line would have, in the order of `columns`. Undefined if the text cannot be read. */
  read(text: string): { [Name in ImportedName]?: unknown } | undefined;
  /** Tells an operator whose text cannot be read how to write it. */
  rule?: string;
};

const plainField = (column: FieldName, name: ImportedName): TextField => ({
  columns: [column],
  toText: (fields) => String(fields[column] ?? ""),
  read: (text) => ({ [name]: text || null }),
});

const numberField = (column: FieldName, name: ImportedName): TextField => ({
  ...plainField(column, name),
  read: (text) => ({ [name]: text === "" ? null : Number(text) }),
});

const dayField = (column: "airedFrom" | "airedTo", name: ImportedName): TextField => ({
  ...plainField(column, name),
  toText: (fields) => fields[column]?.slice(0, 10) ?? "",
});

const genreOfKey = new Map(genres.map((name) => [wordKey(name), name]));
const youTubeId = /(?:^|[?&]v=|youtu\.be\/|\/embed\/|\/shorts\/)([\w-]{11})(?:$|[?&#/])/;

export const textFields = {
  title: { ...plainField("title", "title"), read: (text) => ({ title: text }) },
  titleEnglish: plainField("titleEnglish", "title_english"),
  titleJapanese: plainField("titleJapanese", "title_japanese"),
  titleSynonyms: {
    columns: ["titleSynonyms"],
    toText: ({ titleSynonyms = [] }) => titleSynonyms.join("\n"),
    read: (text) => ({ title_synonyms: text.split("\n") }),
  },
  synopsis: plainField("synopsis", "synopsis"),
  airedFrom: dayField("airedFrom", "aired_from"),
  airedTo: dayField("airedTo", "aired_to"),
  season: plainField("season", "season"),
  year: numberField("year", "year"),
  episodes: numberField("episodes", "episodes"),
  genres: {
    columns: ["genres"],
    toText: ({ genres = [] }) => genres.join(", "),
    read(text) {
      const { found, unknown } = readNames(text, (key) => genreOfKey.get(key));
      return unknown.length > 0 ? undefined : { genres: found };
    },
    rule: mustBeOneOf(genres),
  },
  rating: plainField("rating", "rating"),
  trailer: {
    columns: ["youtubeId", "trailerUrl", "trailerEmbedUrl", "trailerImageUrl"],
    toText: ({ youtubeId }) => (youtubeId ? watchUrl(youtubeId) : ""),
    read(text) {
      const id = text === "" ? null : youTubeId.exec(text)?.[1];
      if (id === undefined) return undefined;
      return {
        youtube_id: id,
        trailer_url: id && watchUrl(id),
        trailer_embed_url: id && `https://www.youtube-nocookie.com/embed/${id}`,
        trailer_image_url: null,
      };
    },
    rule: "must be the address of a video on YouTube",
  },
} as const satisfies Record<string, TextField>;

const watchUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;

export type TextFieldName = keyof typeof textFields;
export const textFieldNames = Object.keys(textFields) as TextFieldName[];

/** Normalises text from a form, which has CR LF line breaks and may have blanks around it. */
export const tidyText = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

/** Converts the operator's text to a field's value. Empty text means that the title has no such value. */
export function readTextField(name: TextFieldName, typed: string): Outcome<TitleFields> {
  const { columns, read, rule = "is not valid" }: TextField = textFields[name];
  const imported = read(tidyText(typed));
  if (imported === undefined) return refused(name, rule);
  const fields: Record<string, unknown> = {};
  for (const [at, [importedName, value]] of Object.entries(imported).entries()) {
    const parsed = importedFields.shape[importedName as ImportedName].safeParse(value, { error: issueText });
    if (!parsed.success) return refused(name, parsed.error.issues[0]?.message ?? "is not valid");
    fields[columns[at] ?? importedName] =
      parsed.data instanceof Date ? parsed.data.toISOString() : parsed.data;
  }
  return done(fields as TitleFields);
}

function refused(path: TextFieldName, message: string): Outcome<TitleFields> {
  const issues: Issue[] = [{ path, message }];
  return refuse("invalid", "One of the fields is not valid", issues);
}
