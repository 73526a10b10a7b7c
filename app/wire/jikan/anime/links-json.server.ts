import { z } from "zod";
import type { TitleExtras } from "#app/domain/catalog/catalog.server.ts";
import {
  firstMalIdOfEngawa,
  type Relation,
  type RelationKind,
  type Title,
  type TitleDetails,
} from "#app/domain/catalog/catalog.ts";
import { type ExternalId, externalLabel, externalUrl } from "#app/domain/external-ids/external-ids.ts";
import { titlePath } from "#app/paths.ts";
import { tagLinkObject } from "./tags-json.server.ts";

/** Links to a title, and from it to related titles and to other sites. */

/** The title's page on MyAnimeList, as clients expect it. Titles with our own numbers link to this site. */
export const animeUrl = ({ malId, title, url }: Pick<Title, "malId" | "title" | "url">, origin: string) =>
  url ??
  (malId < firstMalIdOfEngawa
    ? `https://myanimelist.net/anime/${malId}`
    : `${origin}${titlePath(malId, title)}`);

const relationNames: Record<RelationKind, string> = {
  sequel: "Sequel",
  prequel: "Prequel",
  alternative_version: "Alternative Version",
  alternative_setting: "Alternative Setting",
  side_story: "Side Story",
  parent_story: "Parent Story",
  summary: "Summary",
  full_story: "Full Story",
  spin_off: "Spin-Off",
  character: "Character",
  other: "Other",
};

export const relationObject = z
  .object({ relation: z.string(), entry: z.array(tagLinkObject) })
  .meta({ id: "Relation" });

export function relationsOnWire(
  relations: readonly Relation[],
  origin: string,
): z.output<typeof relationObject>[] {
  const kinds = [...new Set(relations.map(({ relation }) => relation))];
  return kinds.map((kind) => ({
    relation: relationNames[kind],
    entry: relations
      .filter(({ relation }) => relation === kind)
      .map(({ malId, name, title }) => ({
        mal_id: malId,
        type: "anime",
        name: name ?? "",
        url: animeUrl({ malId, title: name ?? "", url: title?.url ?? null }, origin),
      })),
  }));
}

export const pageObject = z.object({ name: z.string(), url: z.string() }).meta({ id: "Page" });

export const externalOnWire = (ids: readonly ExternalId[]): z.output<typeof pageObject>[] =>
  ids.map((id) => ({ name: externalLabel(id), url: externalUrl(id) }));

type Playable = Pick<TitleDetails, "malId" | "title"> & { playable?: boolean };

/** This site comes first if it has a film, then the legal offers of other sites. An export has neither. */
export const streamingOnWire = (
  { malId, title, playable }: Playable,
  offers: TitleExtras["streams"],
  origin: string,
): z.output<typeof pageObject>[] => [
  ...(playable ? [{ name: "Engawa", url: `${origin}${titlePath(malId, title)}` }] : []),
  ...offers.map(({ site, url }) => ({ name: site, url })),
];
