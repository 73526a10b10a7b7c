import { z } from "zod";
import { titleTypes } from "#app/domain/catalog/catalog.ts";
import type { Franchise } from "#app/domain/franchises/franchises.server.ts";
import { franchiseMarks } from "#app/domain/franchises/franchises.ts";
import { posterUrlOnWire } from "./title-json.server.ts";

/** A franchise in JSON. */

const place = z.number().int();

const franchisePartObject = z
  .object({
    mal_id: z.number().int(),
    title: z.string(),
    title_english: z.string().nullable(),
    type: z.enum(titleTypes).nullable(),
    episodes: z.number().int().nullable(),
    aired_from: z.string().nullable(),
    image_url: z.string(),
    story: place.describe("The place in the order of the story, from 1"),
    released: place.describe("The place in the order of release, from 1"),
    mark: z.enum(franchiseMarks),
    main_part: place.nullable().describe("The place in the main line, from 1"),
    minutes: z.number().int().nullable().describe("The length of all episodes"),
    summary: z
      .object({
        of: z.number().int().nullable().describe("The title that is summed up"),
        until_episode: z
          .number()
          .int()
          .nullable()
          .describe("The last episode that is summed up, if it is known"),
      })
      .nullable()
      .describe("Not null for a summary of another title, which may be skipped"),
  })
  .meta({ id: "FranchisePart" });

export const franchiseObject = z
  .object({
    id: z.number().int(),
    name: z.string(),
    main_parts: z.number().int(),
    titles: z.array(franchisePartObject).describe("In the order of the story"),
    connected: z
      .array(z.object({ id: z.number().int(), mal_id: z.number().int(), title: z.string() }))
      .describe("Related franchises, each with a title that is related to one of this franchise"),
  })
  .meta({ id: "Franchise" });

export const franchiseOnWire = (
  { id, name, mainParts, parts, connected }: Franchise,
  origin: string,
): z.output<typeof franchiseObject> => ({
  id,
  name,
  main_parts: mainParts,
  titles: parts.map(({ title, mark, released, mainPart, minutes, summary }, index) => ({
    mal_id: title.malId,
    title: title.title,
    title_english: title.titleEnglish,
    type: title.type,
    episodes: title.episodes,
    aired_from: title.airedFrom?.toISOString() ?? null,
    image_url: posterUrlOnWire(title.malId, title.imageUrl, origin),
    story: index + 1,
    released,
    mark,
    main_part: mainPart,
    minutes,
    summary: summary && { of: summary.of, until_episode: summary.untilEpisode },
  })),
  connected: connected.map((other) => ({
    id: other.id,
    mal_id: other.title.malId,
    title: other.title.title,
  })),
});
