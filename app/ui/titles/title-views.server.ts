import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { imageProxyPath, slugOf } from "#app/paths.ts";
import { dateText } from "../date-format.server.ts";
import type { CardTitle } from "./card.tsx";
import type { EpisodeItem } from "./episode-list.tsx";
import { nameIn } from "./title.ts";

/** Loaders send pages what they show of a title and no more: every field costs each visitor. */

export function toTitleCard(title: Title, language: TitleLanguage): CardTitle {
  const { malId, type, year, episodes, score } = title;
  return {
    malId,
    ...nameIn(title, language),
    type,
    year: year ?? title.airedFrom?.getUTCFullYear() ?? null,
    episodes,
    score,
  };
}

type CardListState = { type: string; progress: number };

/** The same cards, saying where each stands on the viewer's list. */
export const withListStatus = (
  cards: readonly CardTitle[],
  standings: ReadonlyMap<number, CardListState>,
): CardTitle[] =>
  cards.map((card) => {
    const standing = standings.get(card.malId);
    return standing === undefined ? card : { ...card, listed: standing.type, seen: standing.progress };
  });

/** The same cards, saying under which name each was found where it is another than the one shown. */
export const withMatchedName = (
  cards: readonly CardTitle[],
  matched: ReadonlyMap<number, string> | undefined,
) =>
  cards.map((card): CardTitle => {
    const alias = matched?.get(card.malId);
    return alias === undefined || slugOf(alias) === slugOf(card.name)
      ? card
      : { ...card, why: `also known as ${alias}` };
  });

const bannerWidthPx = 1600;

/** Other hosts' pictures come through our own proxy: no visitor is made known to them. */
export function proxiedPictureUrl(address: string | null, widthPx: number): string | null {
  if (address === null || address.startsWith("/")) return address;
  return imageProxyPath(address, widthPx);
}

export const bannerUrl = (address: string | null) => proxiedPictureUrl(address, bannerWidthPx);

export function toEpisode(episode: Episode, seen: ReadonlySet<number>): EpisodeItem {
  const minutes =
    episode.durationSeconds === null ? null : `${Math.max(1, Math.round(episode.durationSeconds / 60))} min`;
  return {
    number: episode.number,
    title: episode.title,
    note: [episode.airedAt === null ? null : dateText(episode.airedAt), minutes].filter(Boolean).join(" · "),
    isPlayable: episode.sources.length > 0,
    isSeen: seen.has(episode.number),
  };
}
