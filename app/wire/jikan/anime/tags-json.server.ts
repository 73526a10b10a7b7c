import { z } from "zod";
import type { TagNumberOf } from "#app/domain/catalog/catalog.server.ts";
import { firstOwnNumber } from "#app/domain/catalog/catalog.ts";
import { jikanGenrePath, jikanProducerPath } from "#app/paths.ts";

/** Genres, themes, demographics and companies as Jikan links them. */

/** A name without a number gets a link without one. */
export const tagLinkObject = z
  .object({ mal_id: z.number().int().optional(), type: z.string(), name: z.string(), url: z.string() })
  .meta({ id: "Link" });
export type TagLink = z.output<typeof tagLinkObject>;

type TagKind = Parameters<TagNumberOf>[0];

export const tagLinksOnWire = (
  kind: TagKind,
  names: readonly string[],
  numberOf: TagNumberOf,
  origin: string,
): TagLink[] =>
  names.map((name) => {
    const malId = numberOf(kind, name);
    return malId === undefined
      ? { type: "anime", name, url: origin }
      : { mal_id: malId, type: "anime", name, url: tagUrl({ kind, malId, name }, origin) };
  });

/** Tags with our own numbers have no page on MyAnimeList, so they link to this site. */
export function tagUrl(
  { kind, malId, name }: { kind: TagKind; malId: number; name: string },
  origin: string,
) {
  const isCompany = kind === "producer";
  if (malId >= firstOwnNumber)
    return `${origin}${isCompany ? jikanProducerPath(malId) : jikanGenrePath(malId)}`;
  const words = encodeURIComponent(name.replaceAll(/[\s/]+/g, "_"));
  return `https://myanimelist.net/anime/${isCompany ? "producer" : "genre"}/${malId}/${words}`;
}
