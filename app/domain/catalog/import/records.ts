import { z } from "zod";
import { toCamelCase } from "#app/platform/snake-case.ts";
import { issueText, mustBeOneOf, mustBeTime } from "#app/platform/validation-messages.ts";
import {
  airingStatuses,
  genres,
  ratingCodes,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  titleTypes,
  weekdays,
} from "#db/schema/enumerations.ts";
import { maxEpisodeNumber, maxMalId } from "../catalog.ts";
import { wordKey } from "../normalise.ts";

/** Our own NDJSON, one record a line (docs/catalog-format.md): what other formats are turned into as well. */

/** As PostgreSQL takes it. */
const clean = (value: string) => value.replaceAll("\0", "").toWellFormed().trim();
/** Empty text is text that is not known. */
const text = z
  .string()
  .max(100_000)
  .transform((value) => clean(value) || null);
/** Shown on every card and drawn on posters. A sign for bytes that are no UTF-8 means another encoding. */
const maxNameLength = 500;
const known = z
  .string()
  .transform(clean)
  .pipe(z.string().min(1).max(maxNameLength))
  .refine((value) => /[^\p{Cf}\p{Z}]/u.test(value), "is nothing that can be seen")
  .refine((value) => !value.includes("\ufffd"), "is not written in UTF-8");
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const count = z.number().int().min(0).max(2_147_483_647);
const malId = z.number().int().min(1).max(maxMalId);
const number = z.number().int().min(1).max(maxEpisodeNumber);
const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], mustBeTime)
  .transform((value) => new Date(value))
  .refine((date) => date.getUTCFullYear() >= 1900 && date.getUTCFullYear() < 2200, "is no plausible date");

/** A word of a closed set, by its letters alone. */
function oneOf<const Words extends readonly string[]>(words: Words) {
  const byKey = new Map(words.map((word) => [wordKey(word), word as Words[number]]));
  return z.string().transform((value, context) => {
    const found = byKey.get(wordKey(value));
    if (found !== undefined) return found;
    context.addIssue({ code: "custom", message: mustBeOneOf(words) });
    return z.NEVER;
  });
}

const rating = z.string().transform((value, context) => {
  const wanted = value.trim().toLowerCase();
  const found = ratingCodes.find((code) => code === wanted || ratingLabels[code].toLowerCase() === wanted);
  if (found !== undefined) return found;
  context.addIssue({ code: "custom", message: mustBeOneOf(ratingCodes) });
  return z.NEVER;
});

const list = z
  .array(z.string().max(maxNameLength))
  .max(1000)
  .nullish()
  .transform((values) => [...new Set((values ?? []).map(clean).filter(Boolean))]);
const genreNames = new Set<string>(genres);
/** Browsers are sent there, so that nothing passes which they would run. */
const urlText = z
  .string()
  .trim()
  .max(4000)
  .regex(/^(https?:\/\/|\/(?![/\\])|media:)/i, "is no address a browser could open");
/** Empty text is none. */
const urlField = z.preprocess((value) => (value === "" ? null : value), optional(urlText));

export const titleFields = z.object({
  mal_id: malId,
  title: known,
  title_english: optional(text),
  title_japanese: optional(text),
  title_synonyms: list,
  type: optional(oneOf(titleTypes)),
  source: optional(text),
  episodes: optional(number),
  status: optional(oneOf(airingStatuses)),
  aired_from: optional(moment),
  aired_to: optional(moment),
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
  broadcast_timezone: optional(text),
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
});

/** A genre that the specification does not know is kept as a theme: it is one, as far as filters go. */
const titleRecord = titleFields.transform((title) => ({
  kind: "title" as const,
  ...toCamelCase(title),
  genres: title.genres.filter((name) => genreNames.has(name)),
  themes: [...new Set([...title.themes, ...title.genres.filter((name) => !genreNames.has(name))])],
}));
export type TitleRecord = z.output<typeof titleRecord>;

const ofEpisode = { mal_id: malId, number };
const seconds = z.number().min(0).max(1_000_000);

const childFields = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("relation"),
    from: malId,
    to: malId,
    relation: oneOf(relationKinds),
    name: optional(text),
  }),
  z.object({
    kind: z.literal("episode"),
    ...ofEpisode,
    title: optional(text),
    description: optional(text),
    date: optional(moment),
    image_url: urlField,
    duration: optional(z.number().min(1).max(1_000_000).transform(Math.round)),
  }),
  z.object({
    kind: z.literal("source"),
    ...ofEpisode,
    url: urlText,
    type: oneOf(sourceTypes),
    label: optional(text),
    language: optional(text),
  }),
  z.object({
    kind: z.literal("subtitle"),
    ...ofEpisode,
    url: urlText,
    language: known,
    label: optional(text),
  }),
  z
    .object({
      kind: z.literal("skip"),
      ...ofEpisode,
      segment: oneOf(skipKinds),
      start: seconds,
      end: seconds,
    })
    .refine(({ start, end }) => end > start, { path: ["end"], message: "comes before the start" }),
]);
const childRecord = childFields.transform(toCamelCase);
export type ChildRecord = z.output<typeof childRecord>;
export type ChildKind = ChildRecord["kind"];
export type CatalogRecord = TitleRecord | ChildRecord;

const messages = { error: issueText };

/** A record, or why it is none. */
export function parseRecord(value: unknown): CatalogRecord | { rejected: string } {
  const isTitle =
    typeof value === "object" && value !== null && (!("kind" in value) || value.kind === "title");
  const result = isTitle ? titleRecord.safeParse(value, messages) : childRecord.safeParse(value, messages);
  return result.success ? result.data : { rejected: reasonOf(result.error) };
}

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".") || "the record"}: ${issue.message}` : "not a record";
}
