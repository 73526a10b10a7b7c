import { z } from "zod";
import type { TitleExtras } from "#app/domain/catalog/catalog.server.ts";
import type { Title, TitleDetails } from "#app/domain/catalog/catalog.ts";
import { animeObject, animeOnWire, type CatalogFacts } from "./anime-json.server.ts";
import {
  externalOnWire,
  pageObject,
  relationObject,
  relationsOnWire,
  streamingOnWire,
} from "./links-json.server.ts";

/** A title as Jikan's `anime_full`, with its opening and ending songs. */

const songs = z.array(z.string());

export const songsObject = z.object({ openings: songs, endings: songs }).meta({ id: "Songs" });

export const songsOnWire = ({
  openingSongs: openings,
  endingSongs: endings,
}: Pick<Title, "openingSongs" | "endingSongs">): z.output<typeof songsObject> => ({ openings, endings });

export const animeFullObject = animeObject
  .extend({
    relations: z.array(relationObject),
    theme: songsObject,
    external: z.array(pageObject),
    streaming: z.array(pageObject),
  })
  .meta({ id: "AnimeFull" });

export const animeFullOnWire = (
  title: Omit<TitleDetails, "episodeCount" | "playable"> & { playable?: boolean },
  facts: CatalogFacts,
  offers: TitleExtras["streams"] = [],
): z.output<typeof animeFullObject> => ({
  ...animeOnWire(title, facts),
  relations: relationsOnWire(title.relations, facts.origin),
  theme: songsOnWire(title),
  external: externalOnWire(title.externalIds),
  streaming: streamingOnWire(title, offers, facts.origin),
});
