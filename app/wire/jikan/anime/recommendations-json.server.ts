import { z } from "zod";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { titlePath } from "#app/paths.ts";
import { animeUrl } from "./links-json.server.ts";
import { imagesObject, imagesOnWire } from "./pictures-json.server.ts";

/** A similar title as Jikan's recommendation. */

export const recommendationObject = z
  .object({
    entry: z.object({ mal_id: z.number().int(), url: z.string(), images: imagesObject, title: z.string() }),
    url: z.string(),
    votes: z.number().int().describe("Always 0: nobody votes here, the titles are compared"),
  })
  .meta({ id: "Recommendation" });

export const recommendationOnWire = (
  similar: Title,
  { malId, title }: Pick<Title, "malId" | "title">,
  origin: string,
): z.output<typeof recommendationObject> => ({
  entry: {
    mal_id: similar.malId,
    url: animeUrl(similar, origin),
    images: imagesOnWire(similar.malId, origin),
    title: similar.title,
  },
  url: `${origin}${titlePath(malId, title)}`,
  votes: 0,
});
