import { z } from "zod";
import type { Listing } from "#app/domain/catalog/catalog.ts";
import { animeObject, animeOnWire, type CatalogFacts } from "./anime/anime-json.server.ts";
import { paging, pagingOnWire } from "./paging.server.ts";

/** A page of titles as Jikan's `anime_search`. */

export const animeListObject = z.object({ pagination: paging, data: z.array(animeObject) });

export const animeListOnWire = (listing: Listing, facts: CatalogFacts): z.output<typeof animeListObject> => ({
  pagination: pagingOnWire(listing, listing.titles.length),
  data: listing.titles.map((title) => animeOnWire(title, facts)),
});
