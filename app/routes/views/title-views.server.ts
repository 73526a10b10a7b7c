import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import {
  displayTitle,
  type Episode,
  episodeNameOf,
  isSingle,
  type Title,
  type TitleNames,
} from "#app/domain/catalog/catalog.ts";
import { isNextMissing, type NextStep } from "#app/domain/discovery/discovery.server.ts";
import { isPosterDrawn, type TitlePictures } from "#app/domain/images/images.server.ts";
import { getTitleStates } from "#app/domain/library/library.server.ts";
import {
  entryStatusLabel,
  isTicked,
  type ScoreFormat,
  scoreText,
  statusOf,
  type Ticks,
} from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { slugOf, titlePath, watchPath } from "#app/paths.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import type { EpisodeItem } from "#app/ui/titles/episode-list.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { dayText, episodeDayText } from "./date-format.server.ts";

/** Reduces titles to what the pages show: each field that a loader sends makes the page larger. */

/** @param why The reason why the card is shown. */
export function toTitleCard(title: Title, language: TitleLanguage, why?: string): CardTitle {
  const { malId, type, year, episodes, score } = title;
  return {
    malId,
    path: titlePath(malId, title.title),
    ...nameIn(title, language),
    ...drawnLanguageOf(title, language),
    type,
    year: year ?? title.airedFrom?.getUTCFullYear() ?? null,
    episodes,
    score,
    ...startOf(title),
    ...(why !== undefined && { why }),
  };
}

/**
 * A drawn poster carries a name, which must be the one that the card shows. A poster that is a picture is the same in
 * every language and keeps its address.
 */
export const drawnLanguageOf = (
  title: TitleNames & TitlePictures,
  language: TitleLanguage,
): Pick<CardTitle, "drawnIn"> =>
  language === "english" && displayTitle(title, language) !== title.title && isPosterDrawn(title)
    ? { drawnIn: "en" }
    : {};

/** The day on which an announced title begins. It has no score yet, so its card shows the day in that place. */
const startOf = ({ status, score, airedFrom }: Title): Pick<CardTitle, "begins"> =>
  status === "Not yet aired" && score === null && airedFrom !== null
    ? { begins: `from ${dayText(airedFrom)}` }
    : {};

type TitlePicks = { found: readonly Title[]; picks: readonly Title[] };

/** The titles of the form of a member's tastes. */
export function toTitlePicks<Listed extends TitlePicks>(listed: Listed, language: TitleLanguage) {
  const toPick = (title: Title) => ({
    malId: title.malId,
    ...nameIn(title, language),
    ...drawnLanguageOf(title, language),
  });
  return { ...listed, found: listed.found.map(toPick), picks: listed.picks.map(toPick) };
}

type OwnProgress = Parameters<typeof statusOf>[0] & { progress: number; rewatchProgress: number };
type CardState = OwnProgress & { score: number | null };

/** The cards with the viewer's list status, score and progress, and with what they dismissed. */
export const withListStatus = (
  cards: readonly CardTitle[],
  { listed, dismissed }: { listed: ReadonlyMap<number, CardState>; dismissed?: ReadonlySet<number> },
  scoreFormat: ScoreFormat,
): CardTitle[] =>
  cards.map((shown) => {
    const card = dismissed?.has(shown.malId) ? { ...shown, isDismissed: true as const } : shown;
    const entry = listed.get(card.malId);
    if (entry === undefined) return card;
    const { progress, score } = entry;
    return {
      ...card,
      listed: listedText(entry, card.episodes),
      seen: progress,
      ...(score !== null && { ownScore: scoreText(score, scoreFormat), ownPoints: score }),
    };
  });

/** "Watching · 4 / 26" */
export function listedText(entry: OwnProgress, episodes: number | null): string {
  const label = entryStatusLabel(statusOf(entry));
  const isBeingWatched = entry.type === "Watching" && entry.state !== "on_hold";
  const seen = entry.state === "rewatching" ? entry.rewatchProgress : entry.progress;
  return isBeingWatched && seen > 0 && !isSingle({ episodes })
    ? `${label} · ${seen} / ${episodes ?? "?"}`
    : label;
}

type CardReader = {
  user: SessionUser | null;
  preferences: { titleLanguage: TitleLanguage; scoreFormat: ScoreFormat };
};

/** The cards with the list entries and the dismissals of the member who reads them. */
export async function withOwnEntries(
  cards: readonly CardTitle[],
  { user, preferences }: CardReader,
): Promise<CardTitle[]> {
  const ids = cards.map(({ malId }) => malId);
  return withListStatus(cards, await getTitleStates(user?.id ?? null, ids), preferences.scoreFormat);
}

/** `matched` has the names that a search has matched, by the ids of their titles. */
export const toOwnCards = (
  { titles, matched }: { titles: readonly Title[]; matched?: ReadonlyMap<number, string> | undefined },
  reader: CardReader,
): Promise<CardTitle[]> =>
  withOwnEntries(
    withMatchedName(
      titles.map((title) => toTitleCard(title, reader.preferences.titleLanguage)),
      matched,
    ),
    reader,
  );

/** Adds the name that the search has matched to the cards that show another name. */
const withMatchedName = (cards: readonly CardTitle[], matched: ReadonlyMap<number, string> | undefined) =>
  cards.map((card): CardTitle => {
    const alias = matched?.get(card.malId);
    return alias === undefined || slugOf(alias) === slugOf(card.name)
      ? card
      : { ...card, why: `also known as ${alias}` };
  });

type ShownEpisode = Pick<Episode, "number" | "title" | "airedAt" | "durationSeconds"> & {
  sources: readonly unknown[];
};

export const toEpisode = (episode: ShownEpisode, seen: Ticks): EpisodeItem => ({
  number: episode.number,
  title: episodeNameOf(episode),
  note: episodeFacts(episode).join(" · "),
  isPlayable: episode.sources.length > 0,
  isSeen: isTicked(seen, episode.number),
});

/** "4 April 1998" and "24 min", as far as they are known. */
export const episodeFacts = ({
  airedAt,
  durationSeconds,
}: Pick<ShownEpisode, "airedAt" | "durationSeconds">): string[] => [
  ...(airedAt === null ? [] : [episodeDayText(airedAt)]),
  ...(durationSeconds === null ? [] : [`${Math.max(1, Math.round(durationSeconds / 60))} min`]),
];

/**
 * The button that plays a title where its viewer continues. Null if nothing of the title can be played, or if the next
 * episode is not here.
 */
export function toWatchLink(step: NextStep | undefined): { label: string; path: string } | null {
  if (step === undefined || step.firstPlayable === null) return null;
  const { malId, isSingle, isFinished, episode, hasStarted, hasSource, firstPlayable } = step;
  if (!isFinished && hasSource) {
    const verb = hasStarted ? "Continue" : "Watch";
    return {
      label: hasStarted && !isSingle ? `${verb} · Ep ${episode}` : verb,
      path: watchPath(malId, episode),
    };
  }
  if (isNextMissing(step)) return null;
  return {
    label: isFinished ? "Watch again" : `Watch · Ep ${firstPlayable}`,
    path: watchPath(malId, firstPlayable),
  };
}

/** The text in place of the play button; null if there is a button, or if the title has no film at all. */
export const missingEpisodeText = (step: NextStep | undefined): string | null =>
  step !== undefined && isNextMissing(step) ? `Episode ${step.episode} is not here yet` : null;
