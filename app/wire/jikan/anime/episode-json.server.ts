import { z } from "zod";
import type { Episode } from "#app/domain/catalog/catalog.ts";
import { watchPath } from "#app/paths.ts";
import { timeOnWire } from "./dates-json.server.ts";

/** Episodes as Jikan lists them. The catalog has no Japanese episode titles, no scores and no filler marks. */

const text = z.string().nullable();

const shared = {
  mal_id: z.number().int(),
  url: z.string(),
  title: z.string(),
  title_japanese: text,
  title_romanji: text,
  aired: text,
  filler: z.boolean(),
  recap: z.boolean(),
};

export const listedEpisodeObject = z
  .object({ ...shared, score: z.number().nullable(), forum_url: text })
  .meta({ id: "ListedEpisode" });
export const jikanEpisodeObject = z
  .object({ ...shared, duration: z.number().int().nullable().describe("In seconds"), synopsis: text })
  .meta({ id: "Episode" });

const sharedOnWire = ({ malId, number, title, airedAt }: Episode, origin: string) => ({
  mal_id: number,
  url: `${origin}${watchPath(malId, number)}`,
  title: title ?? `Episode ${number}`,
  title_japanese: null,
  title_romanji: null,
  aired: airedAt && timeOnWire(airedAt),
  filler: false,
  recap: false,
});

export const listedEpisodeOnWire = (
  episode: Episode,
  origin: string,
): z.output<typeof listedEpisodeObject> => ({
  ...sharedOnWire(episode, origin),
  score: null,
  forum_url: null,
});

export const jikanEpisodeOnWire = (
  episode: Episode,
  origin: string,
): z.output<typeof jikanEpisodeObject> => ({
  ...sharedOnWire(episode, origin),
  duration: episode.durationSeconds,
  synopsis: episode.description,
});
