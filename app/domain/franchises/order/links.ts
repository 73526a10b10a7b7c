import type { RelationKind, TitleType } from "#app/domain/catalog/catalog.ts";
import { groupBy } from "#app/platform/lists.ts";
import type { FranchiseCorrectionKind } from "#db/schema/enumerations.ts";
import { isNamedRecap, namesAgree } from "./series-names.ts";

/** Combines the relations between two titles into one link that says which of them depends on the other, and how. */

/** The facts of a title that decide its place in a franchise. */
export type FranchiseTitle = {
  malId: number;
  type: TitleType | null;
  episodes: number | null;
  /** The weeks since the first day of a title that still airs and has no known number of episodes. Otherwise null. */
  weeksOnAir: number | null;
  /** The length of an episode. */
  minutes: number | null;
  /** The first day, in milliseconds since 1970. Infinity if it is unknown or not announced. */
  releasedAt: number;
  members: number;
  /** The title's names as search keys. */
  names: readonly string[];
  /** `Recap of episodes 1-12`: the last episode of the range that the name or the synopsis states. */
  sumsUpUntil: number | null;
};

export const specialTypes: ReadonlySet<string | null> = new Set([
  "Special",
  "TV Special",
  "Music",
  "CM",
  "PV",
]);
/**
 * Shorter episodes count by their length, because fifty episodes of four minutes are less than a season. Beside the main
 * line they are specials, such as a notice of one minute that was shown before a movie. A TV series of such episodes is
 * still a side story.
 */
export const minEpisodeMinutes = 10;

export type FranchiseRelation = {
  from: number;
  to: number;
  kind: RelationKind;
  /** The number of sources that name the relation. */
  sources: number;
  /** True if only the offline database names it, which does not know how titles are related. */
  isUntyped: boolean;
};

/** An operator's correction of a title's franchise. */
export type FranchiseCorrection = {
  malId: number;
  correction: FranchiseCorrectionKind;
  /** The other title. Null: the title is in no franchise, or comes first. */
  relatedId: number | null;
};

/** The kinds of links from the weakest to the strongest. A franchise that is too large is cut at the weakest. */
export const linkKinds = [
  "untyped",
  "alternative_setting",
  "spin_off",
  "alternative_version",
  "side_story",
  "summary",
  "sequel",
] as const;
export type LinkKind = (typeof linkKinds)[number];

/** `to` is the sequel, summary, side story or spin-off of `from`. Of two alternatives, `from` came out first. */
export type TitleLink = { from: number; to: number; kind: LinkKind; sources: number };

/** The order of release. Titles without a date come last. */
export const byRelease = (one: FranchiseTitle, other: FranchiseTitle): number => {
  if (one.releasedAt !== other.releasedAt) return one.releasedAt < other.releasedAt ? -1 : 1;
  return one.malId - other.malId;
};

/** The kinds of relations that link titles. */
type LinkingKind = Exclude<RelationKind, "character">;
type LinkingRelation = FranchiseRelation & { kind: LinkingKind };
const isLinking = (relation: FranchiseRelation): relation is LinkingRelation => relation.kind !== "character";

/**
 * The kind of link that a relation makes, and which of the two titles depends on the other. Two titles that share only
 * a character are not linked.
 */
const meanings: Record<LinkingKind, { kind: LinkKind; dependent?: "from" | "to" }> = {
  sequel: { kind: "sequel", dependent: "to" },
  prequel: { kind: "sequel", dependent: "from" },
  summary: { kind: "summary", dependent: "to" },
  full_story: { kind: "summary", dependent: "from" },
  side_story: { kind: "side_story", dependent: "to" },
  parent_story: { kind: "side_story", dependent: "from" },
  spin_off: { kind: "spin_off", dependent: "to" },
  alternative_version: { kind: "alternative_version" },
  alternative_setting: { kind: "alternative_setting" },
  other: { kind: "untyped" },
};

/** One link for each pair of titles that a relation joins. Relations to titles that are missing make none. */
export function linksOf(
  titles: ReadonlyMap<number, FranchiseTitle>,
  relations: readonly FranchiseRelation[],
): TitleLink[] {
  const known = relations.filter(({ from, to }) => from !== to && titles.has(from) && titles.has(to));
  const pairs = groupBy(known, ({ from, to }) => (from < to ? `${from} ${to}` : `${to} ${from}`));
  return [...pairs.values()].flatMap((pair) => linkOfPair(titles, pair) ?? []);
}

function linkOfPair(
  titles: ReadonlyMap<number, FranchiseTitle>,
  relations: readonly FranchiseRelation[],
): TitleLink | null {
  const pair = relations.filter(isLinking);
  const [{ from, to } = { from: 0, to: 0 }] = pair;
  const [one, other] = [titles.get(from), titles.get(to)];
  if (!one || !other) return null;
  const [earlier, later] = byRelease(one, other) < 0 ? [one, other] : [other, one];
  const isTyped = pair.some((relation) => relation.kind !== "other");
  // A pair of which a source knows the kind, even if only a shared character, is not joined by one without kinds.
  if (
    !isTyped &&
    !relations.every(({ kind, isUntyped }) => kind === "other" && isUntyped && namesAgree(one, other))
  )
    return null;
  const kind = kindOfPair(pair);
  let laterDepends = 0;
  let sources = 0;
  for (const relation of pair) {
    const meaning = meanings[relation.kind];
    sources = Math.max(sources, relation.sources);
    // Sources call the original of a spin-off its parent story.
    if (meaning.kind !== kind && !(kind === "spin_off" && meaning.kind === "side_story")) continue;
    if (meaning.dependent) laterDepends += relation[meaning.dependent] === later.malId ? 1 : -1;
  }
  const [part, dependent] = laterDepends >= 0 ? [earlier, later] : [later, earlier];
  const isRecap = recapKinds.has(kind) && isNamedRecap(dependent) && !isNamedRecap(part);
  return { from: part.malId, to: dependent.malId, kind: isRecap ? "summary" : kind, sources };
}

/** Where only the page of a recap names the relation, sources call the original its parent or its prequel. */
const recapKinds: ReadonlySet<LinkKind> = new Set(["side_story", "sequel"]);

/**
 * If sources disagree, the more precise kind counts: a summary is sometimes called a sequel, a spin-off a side story.
 */
function kindOfPair(pair: readonly LinkingRelation[]): LinkKind {
  const kinds = new Set(pair.map((relation) => meanings[relation.kind].kind));
  if (kinds.has("summary")) return "summary";
  if (kinds.has("sequel")) return "sequel";
  if (kinds.has("spin_off")) return "spin_off";
  return linkKinds.findLast((kind) => kinds.has(kind)) ?? "untyped";
}

/** For each summary, movie and special, the parts that it is a summary or side story of. */
export function hostPartsOf(
  titles: ReadonlyMap<number, FranchiseTitle>,
  links: readonly TitleLink[],
): ReadonlyMap<number, readonly number[]> {
  const summaries = new Set(links.flatMap(({ kind, to }) => (kind === "summary" ? to : [])));
  const hosting = links.filter(
    ({ kind, to }) =>
      kind === "summary" || (kind === "side_story" && (titles.get(to)?.type !== "TV" || summaries.has(to))),
  );
  const linksTo = groupBy(hosting, ({ to }) => to);
  return new Map([...linksTo].map(([malId, hosts]) => [malId, hosts.map(({ from }) => from)]));
}

/**
 * True for two summaries, movies or specials of different parts, where the second is called the sequel of the first.
 * Each follows its own part, so the two make no series.
 */
export function belongToOtherParts(
  hostParts: ReadonlyMap<number, readonly number[]>,
  { from, to }: TitleLink,
): boolean {
  const [parts, others] = [hostParts.get(from), hostParts.get(to)];
  return parts !== undefined && others !== undefined && !parts.some((part) => others.includes(part));
}
