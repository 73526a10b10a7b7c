import { z } from "zod";
import type { TitleDetails } from "#app/domain/catalog/catalog.ts";
import { animeObject, animeOnWire, type CatalogFacts } from "./anime-json.server.ts";
import { externalOnWire, pageObject, relationObject, relationsOnWire } from "./links-json.server.ts";

/** A title as Jikan's `anime_full`. No catalog has theme songs or streaming services, so their lists are empty. */

export const animeFullObject = animeObject
  .extend({
    relations: z.array(relationObject),
    theme: z.object({ openings: z.array(z.string()), endings: z.array(z.string()) }),
    external: z.array(pageObject),
    streaming: z.array(pageObject),
  })
  .meta({ id: "AnimeFull" });

export const animeFullOnWire = (
  title: Omit<TitleDetails, "episodeCount" | "playable">,
  facts: CatalogFacts,
): z.output<typeof animeFullObject> => ({
  ...animeOnWire(title, facts),
  relations: relationsOnWire(title.relations, facts.origin),
  theme: { openings: [], endings: [] },
  external: externalOnWire(title.externalIds),
  streaming: [],
});
