import { z } from "zod";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import { type ExternalId, externalIdKey, parseExternalId } from "#app/domain/external-ids/external-ids.ts";
import { wordKey } from "#app/domain/names/names.ts";
import { instantInput } from "#app/platform/instant.ts";
import { toCamelCase } from "#app/platform/snake-case.ts";
import { issueText, mustBeOneOf } from "#app/platform/validation-messages.ts";
import {
  airingStatuses,
  genres,
  ratingCodes,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  tagKinds,
  titleSources,
  titleTypes,
  weekdays,
} from "#db/schema/enumerations.ts";

/**
 * The schema of Engawa's own NDJSON, one record per line (docs/catalog-format.md). Other formats are converted to it.
 */

/** PostgreSQL rejects NUL characters and unpaired surrogates. */
const toStorable = (value: string) => value.replaceAll("\0", "").toWellFormed().trim();
/** Empty text counts as unknown. */
const textUpTo = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((value) => toStorable(value) || null);
const text = textUpTo(100_000);
const maxNameLength = 500;
/** Names appear on cards and posters, so they must be visible. U+FFFD means that the file was not UTF-8. */
const visibleName = z
  .string()
  .transform(toStorable)
  .pipe(z.string().min(1).max(maxNameLength))
  .refine((value) => /[^\p{Cf}\p{Z}]/u.test(value), "has no visible characters")
  .refine((value) => !value.includes("\ufffd"), "is not written in UTF-8");
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const count = z.number().int().min(0).max(2_147_483_647);
const malId = z.number().int().min(1).max(maxMalId);
const number = z.number().int().min(1).max(maxEpisodeNumber);
const date = instantInput.refine(
  (date) => date.getUTCFullYear() >= 1900 && date.getUTCFullYear() < 2200,
  "must be a date from 1900 to 2199",
);

/** Pages compute times in this zone. Earlier exports may have any text as the zone. */
const timeZone = text.transform((name) => (name !== null && isTimeZone(name) ? name : null));

/** Compares only letters and digits, so that spelling variants of a word are accepted. */
function oneOf<const Words extends readonly string[]>(words: Words) {
  const byKey = new Map(words.map((word) => [wordKey(word), word as Words[number]]));
  return z.string().transform((value, context) => {
    const word = byKey.get(wordKey(value));
    if (word !== undefined) return word;
    context.addIssue({ code: "custom", message: mustBeOneOf(words) });
    return z.NEVER;
  });
}

const rating = z.string().transform((value, context) => {
  const word = value.trim().toLowerCase();
  const ratingCode = ratingCodes.find((code) => code === word || ratingLabels[code].toLowerCase() === word);
  if (ratingCode !== undefined) return ratingCode;
  context.addIssue({ code: "custom", message: mustBeOneOf(ratingCodes) });
  return z.NEVER;
});

const list = z
  .array(z.string().max(maxNameLength))
  .max(1000)
  .nullish()
  .transform((values) => [...new Set((values ?? []).map(toStorable).filter(Boolean))]);
const genreNames = new Set<string>(genres);
/** Pages link to these URLs. A `javascript:` or `data:` URL would run a script in the browser. */
const urlText = z
  .string()
  .trim()
  .max(4000)
  .regex(/^(https?:\/\/|\/(?![/\\])|media:)/i, "must start with http://, https://, / or media:");
/** Empty text counts as missing. */
const urlField = z.preprocess((value) => (value === "" ? null : value), optional(urlText));

/** Ids of sites that this version does not know are left out. */
const externalId = z.string().transform((text, context): ExternalId[] => {
  const id = parseExternalId(text);
  if (id === "unknown site") return [];
  if (id !== "wrong id") return [id];
  context.addIssue({ code: "custom", message: "must be a site and an id, such as anidb:23" });
  return z.NEVER;
});
/** If an id occurs several times, the last one decides its season. */
const externalIds = z
  .array(externalId)
  .max(1000)
  .nullish()
  .transform((ids) => [...new Map((ids ?? []).flat().map((id) => [externalIdKey(id), id])).values()]);

export const titleFields = z.object({
  mal_id: malId,
  title: visibleName,
  title_english: optional(textUpTo(maxNameLength)),
  title_japanese: optional(textUpTo(maxNameLength)),
  title_synonyms: list,
  type: optional(oneOf(titleTypes)),
  source: optional(text),
  episodes: optional(number),
  status: optional(oneOf(airingStatuses)),
  aired_from: optional(date),
  aired_to: optional(date),
  duration: optional(text),
  rating: optional(rating),
  score: optional(z.number().min(0).max(10)),
  scored_by: optional(count),
  popularity: optional(count),
  members: optional(count),
  favorites: optional(count),
  synopsis: optional(text),
  background: optional(text),
  season: optional(oneOf(seasons)),
  year: optional(z.number().int().min(1900).max(2200)),
  broadcast_day: optional(
    z
      .string()
      .transform((day) => day.replace(/s$/i, ""))
      .pipe(oneOf(weekdays)),
  ),
  broadcast_time: optional(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  broadcast_timezone: optional(timeZone),
  image_url: urlField,
  image_webp: urlField,
  image_small_webp: urlField,
  image_large_webp: urlField,
  banner_image: urlField,
  youtube_id: optional(text),
  trailer_url: urlField,
  trailer_embed_url: urlField,
  trailer_image_url: urlField,
  url: urlField,
  approved: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  genres: list,
  studios: list,
  producers: list,
  licensors: list,
  themes: list,
  demographics: list,
  opening_songs: list,
  ending_songs: list,
  external_ids: externalIds,
});

const numberedTag = z
  .object({ kind: z.enum(tagKinds), mal_id: malId, name: visibleName })
  .transform(({ kind, mal_id, name }) => ({ kind, malId: mal_id, name }));
const protectedFields = [
  "synopsis",
  "background",
  "image_url",
  "image_webp",
  "image_small_webp",
  "image_large_webp",
  "banner_image",
] as const;
const textsFrom = <const Names extends readonly string[]>(names: Names) =>
  z
    .partialRecord(z.enum(names), z.enum(titleSources))
    .transform((from) => toCamelCase(from))
    .optional();
const titleRecordFields = titleFields.extend({
  /** The source's numbers for genres and companies. */
  tag_numbers: z.array(numberedTag).max(1000).optional(),
  /** The fields that the source declares empty. Fields that are merely absent are unknown to it. */
  none: z.array(z.string().max(maxNameLength)).max(1000).optional(),
  /** The original sources of texts and pictures, if an export had to name them. */
  texts_from: textsFrom(protectedFields),
});

/** A genre outside the specification becomes a theme, because filters accept only listed genres. */
const titleRecord = titleRecordFields.transform((title) => ({
  kind: "title" as const,
  ...toCamelCase(title),
  genres: title.genres.filter((name) => genreNames.has(name)),
  themes: [...new Set([...title.themes, ...title.genres.filter((name) => !genreNames.has(name))])],
}));
export type TitleRecord = z.output<typeof titleRecord>;

const episodeFields = { mal_id: malId, number };
const seconds = z.number().min(0).max(1_000_000);

const childFields = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("relation"),
    from: malId,
    to: malId,
    relation: oneOf(relationKinds),
    name: optional(text),
  }),
  z.object({ kind: z.literal("related"), from: malId, to: malId }),
  z.object({
    kind: z.literal("relations"),
    from: malId,
    only: z.array(z.object({ to: malId, relation: oneOf(relationKinds) })).max(10_000),
  }),
  z.object({
    kind: z.literal("episode"),
    ...episodeFields,
    title: optional(text),
    description: optional(text),
    date: optional(date),
    image_url: urlField,
    duration: optional(z.number().min(1).max(1_000_000).transform(Math.round)),
    texts_from: textsFrom(["description", "image_url"]),
  }),
  z.object({
    kind: z.literal("source"),
    ...episodeFields,
    url: urlText,
    type: oneOf(sourceTypes),
    label: optional(text),
    language: optional(text),
  }),
  z.object({
    kind: z.literal("subtitle"),
    ...episodeFields,
    url: urlText,
    language: visibleName,
    label: optional(text),
  }),
  z
    .object({
      kind: z.literal("skip"),
      ...episodeFields,
      segment: oneOf(skipKinds),
      start: seconds,
      end: seconds,
    })
    .refine(({ start, end }) => end > start, { path: ["end"], message: "must be after the start" }),
]);

/** The ids of a title. The title is given by `mal_id` or, in `of`, by its id on a site with one id per title. */
const idsRecord = z
  .object({
    kind: z.literal("ids"),
    mal_id: optional(malId),
    of: externalId.nullish().transform((ids) => ids?.[0] ?? null),
    external_ids: externalIds,
  })
  .refine((ids) => ids.mal_id !== null || ids.of !== null, {
    path: ["mal_id"],
    message: "is missing, and of names no id of a known site",
  })
  .transform(toCamelCase);
export type IdsRecord = z.output<typeof idsRecord>;
const childRecord = childFields.transform(toCamelCase);
export type ChildRecord = z.output<typeof childRecord>;
export type ChildKind = ChildRecord["kind"];
/** A genre, theme, demographic or company and its number. */
const tagRecord = z
  .object({ kind: z.literal("tag"), tag: z.enum(tagKinds), mal_id: malId, name: visibleName })
  .transform(toCamelCase);
/** Marks a known title as adult. The title's other fields stay unchanged. */
const adultRecord = z
  .object({ kind: z.literal("adult"), mal_id: malId, rating: optional(rating), genres: list })
  .transform(toCamelCase);
export type AdultRecord = z.output<typeof adultRecord>;
/** Describes the sources of an export for human readers. The import ignores it. */
const aboutRecord = z.object({ kind: z.literal("about") });
type OtherRecord = z.output<typeof tagRecord> | z.output<typeof aboutRecord>;
export type CatalogRecord = TitleRecord | ChildRecord | IdsRecord | AdultRecord | OtherRecord;

/** Returns the record, or the reason why it was rejected. */
export function parseRecord(value: unknown): CatalogRecord | { rejected: string } {
  const result = schemaOf(value).safeParse(value, { error: issueText });
  return result.success ? result.data : { rejected: reasonOf(result.error) };
}

function schemaOf(value: unknown): z.ZodType<CatalogRecord> {
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : "title";
  if (kind === "title") return titleRecord;
  if (kind === "ids") return idsRecord;
  if (kind === "about") return aboutRecord;
  if (kind === "adult") return adultRecord;
  return kind === "tag" ? tagRecord : childRecord;
}

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".") || "the record"}: ${issue.message}` : "not a record";
}
