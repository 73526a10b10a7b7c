import { z } from "zod";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { posterFilePaths } from "#app/paths.ts";

/** Pictures and trailers as Jikan lists them. Posters are served by this site, so another host cannot remove them. */

const text = z.string().nullable();
const nothing = z.array(z.never());
const sizes = z.object({ image_url: text, small_image_url: text, large_image_url: text });

/** The addresses can be null: an export has the sources' addresses, and a source may have none. */
export const imagesObject = z.object({ jpg: sizes, webp: sizes }).meta({ id: "Images" });

export function imagesOnWire(malId: number, origin: string): z.output<typeof imagesObject> {
  const [small, ordinary, large] = (["t", "", "l"] as const).map((size) => posterFilePaths(malId, size));
  const sizesOf = (format: "jpg" | "webp") => ({
    image_url: `${origin}${ordinary?.[format]}`,
    small_image_url: `${origin}${small?.[format]}`,
    large_image_url: `${origin}${large?.[format]}`,
  });
  return { jpg: sizesOf("jpg"), webp: sizesOf("webp") };
}

export const trailerObject = z
  .object({
    youtube_id: text,
    url: text,
    embed_url: text,
    images: z.object({
      image_url: text,
      small_image_url: text,
      medium_image_url: text,
      large_image_url: text,
      maximum_image_url: text,
    }),
  })
  .meta({ id: "Trailer" });

export function trailerOnWire({
  youtubeId,
  trailerUrl,
  trailerEmbedUrl,
}: Pick<Title, "youtubeId" | "trailerUrl" | "trailerEmbedUrl">): z.output<typeof trailerObject> {
  const image = (name: string) => youtubeId && `https://img.youtube.com/vi/${youtubeId}/${name}.jpg`;
  return {
    youtube_id: youtubeId,
    url: trailerUrl ?? (youtubeId && `https://www.youtube.com/watch?v=${youtubeId}`),
    embed_url: trailerEmbedUrl,
    images: {
      image_url: image("default"),
      small_image_url: image("sddefault"),
      medium_image_url: image("mqdefault"),
      large_image_url: image("hqdefault"),
      maximum_image_url: image("maxresdefault"),
    },
  };
}

/** The trailer as Jikan's `anime_videos`. */
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
