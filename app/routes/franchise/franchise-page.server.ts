import type { NextStep } from "#app/domain/discovery/discovery.server.ts";
import type { Franchise, FranchisePart } from "#app/domain/franchises/franchises.server.ts";
import { maySkip, type Stretch, stretchOf } from "#app/domain/franchises/franchises.ts";
import type { TitleEntries } from "#app/domain/library/library.server.ts";
import { maxEntriesPerEdit, type ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { franchisePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { nextPartFor, partLabel, summaryText } from "#app/routes/views/franchise-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { cardFactsText } from "#app/ui/titles/card.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";

/** The texts and links of a franchise's page. All numbers count only the titles that the viewer sees. */

type PageOptions = {
  order: "story" | "released";
  language: TitleLanguage;
  scoreFormat: ScoreFormat;
  /** Null for a visitor. */
  own: { listed: TitleEntries; steps: ReadonlyMap<number, NextStep> } | null;
};

export function toFranchisePage(franchise: Franchise, { order, language, scoreFormat, own }: PageOptions) {
  const { id, name, parts, mainParts, namesake, connected } = franchise;
  const needed = parts.filter((part) => !maySkip(part));
  const next = own && nextPartFor(parts, own);
  const length = stretchText(stretchOf(needed.map(lengthFacts)));
  const nameOf = new Map(parts.map(({ malId, title }) => [malId, nameIn(title, language).name]));
  const cards = new Map(
    withListStatus(
      parts.map(({ title }) => toTitleCard(title, language)),
      { listed: own?.listed ?? new Map() },
      scoreFormat,
    ).map((card) => [card.malId, card]),
  );
  const inOrder = order === "story" ? parts : [...parts].sort((one, other) => one.released - other.released);
  const namesakePart = parts.find(({ malId }) => malId === namesake);
  return {
    ...(namesakePart ? nameIn(namesakePart.title, language) : { name }),
    path: franchisePath(id, name),
    order,
    facts: [
      partsText(mainParts, parts.length - mainParts),
      length,
      length !== null && needed.length < parts.length && "without what may be skipped",
    ].filter((fact) => typeof fact === "string"),
    progress: own && progressOf(needed, own),
    toAdd:
      own && needed.flatMap(({ malId }) => (own.listed.has(malId) ? [] : malId)).slice(0, maxEntriesPerEdit),
    parts: inOrder.flatMap((part) => {
      const card = cards.get(part.malId);
      if (!card) return [];
      return [
        {
          ...card,
          label: partLabel(part),
          facts: [cardFactsText(card), part.minutes !== null && minutesText(part.minutes)]
            .filter(Boolean)
            .join(" · "),
          reason: reasonOf(part, nameOf),
          maySkip: maySkip(part),
          isNext: part.malId === next,
        },
      ];
    }),
    connected: connected.map((other) => ({
      path: franchisePath(other.id, other.namesake.title),
      ...nameIn(other.title, language),
      franchise: other.namesake.malId === other.title.malId ? null : nameIn(other.namesake, language),
    })),
  };
}

const lengthFacts = ({ title, minutes }: FranchisePart) => ({ episodes: title.episodes, minutes });

function partsText(mainParts: number, others: number): string {
  const main = countText(mainParts, "part");
  if (others === 0) return main;
  return mainParts === 0 ? countText(others, "title") : `${main} and ${countText(others, "more title")}`;
}

function reasonOf(part: FranchisePart, nameOf: ReadonlyMap<number, string>): string | null {
  const teller = part.toldBy === null ? undefined : nameOf.get(part.toldBy);
  if (teller !== undefined) return `${teller} tells this part too. One of them is enough.`;
  if (!maySkip(part)) return null;
  const of = part.summary?.of == null ? null : (nameOf.get(part.summary.of) ?? null);
  const kind = part.summary === null ? partLabel(part) : summaryText(part.summary, of);
  return `${kind}. You may skip it.`;
}

type Own = NonNullable<PageOptions["own"]>;

function progressOf(parts: readonly FranchisePart[], own: Own) {
  const all = stretchOf(parts.map(lengthFacts));
  const left = stretchOf(parts.map((part) => ({ ...lengthFacts(part), seen: seenOf(part, own) })));
  const partsOfUnknownLength = parts.filter(
    (part) => part.title.episodes === null && seenOf(part, own) !== "all",
  ).length;
  const seen = all.episodes - left.episodes;
  return {
    seen,
    total: all.episodes,
    text: `${number(seen)} of ${countText(all.episodes, "episode")} seen · ${leftText(left, partsOfUnknownLength)}`,
  };
}

/** A completed title counts as a whole, also while the member watches it again. */
function seenOf({ malId }: FranchisePart, { listed, steps }: Own): number | "all" {
  const entry = listed.get(malId);
  if (entry?.type === "Completed" || entry?.state === "rewatching") return "all";
  const step = steps.get(malId);
  return step?.isFinished ? "all" : (step?.progress ?? 0);
}

/** "26 left (10 h 24 min)" */
function leftText({ episodes, minutes, isMore }: Stretch, partsOfUnknownLength: number): string {
  if (episodes === 0 && !isMore) return "nothing left";
  if (episodes === 0)
    return partsOfUnknownLength === 1
      ? "1 more part, its length is not known yet"
      : `${partsOfUnknownLength} more parts, their length is not known yet`;
  const count = `${number(episodes)} left`;
  const text = minutes === 0 ? count : `${count} (${minutesText(minutes)})`;
  return isMore ? `at least ${text}` : text;
}

/** "26 episodes, 10 h 24 min". Null if no number of episodes is known, as with announced titles. */
function stretchText({ episodes, minutes, isMore }: Stretch): string | null {
  if (episodes === 0) return null;
  const count = countText(episodes, "episode");
  const text = minutes === 0 ? count : `${count}, ${minutesText(minutes)}`;
  return isMore ? `at least ${text}` : text;
}

function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${number(hours)} h` : `${number(hours)} h ${rest} min`;
}

const number = (count: number) => count.toLocaleString("en");
