import { z } from "zod";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { trailerObject, trailerOnWire } from "./pictures-json.server.ts";

/** A title's trailer as Jikan's `anime_videos`. */

const nothing = z.array(z.never());

export const videosObject = z
  .object({
    promo: z.array(z.object({ title: z.string(), trailer: trailerObject })),
    episodes: nothing.describe("Always empty: episodes are in `/anime/{id}/episodes`"),
    music_videos: nothing.describe("Always empty: catalogs have none"),
  })
  .meta({ id: "Videos" });

export function videosOnWire(title: Title): z.output<typeof videosObject> {
  const trailer = trailerOnWire(title);
  const isKnown = trailer.url !== null || trailer.embed_url !== null;
  return { promo: isKnown ? [{ title: "Trailer", trailer }] : [], episodes: [], music_videos: [] };
}
