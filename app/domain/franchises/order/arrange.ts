import { malIdsOf } from "#app/domain/mal-ids.ts";
import { groupBy } from "#app/platform/lists.ts";
import type { FranchiseMark } from "../marks.ts";
import {
  belongToOtherParts,
  byRelease,
  type FranchiseCorrection,
  type FranchiseTitle,
  hostPartsOf,
  type LinkKind,
  minEpisodeMinutes,
  specialTypes,
  type TitleLink,
} from "./links.ts";

/** Arranges the titles of a franchise: its main line, the order of the story, the order of release, and the marks. */

type ArrangedTitle = {
  malId: number;
  /** The places in both orders, from 1. */
  released: number;
  story: number;
  mark: FranchiseMark;
  /** The title that this one sums up, so that it may be skipped. Null for all others. */
  summaryOf: number | null;
  /** The episodes that it sums up, if they are known: always from the first one. */
  summaryUntil: number | null;
  /** The title beside the main line that tells this part of it too. Whoever has seen it needs no other version. */
  toldBy: number | null;
};

/** Returns the titles in the order of the story. `links` are those inside the franchise. */
export function arrange(
  titles: readonly FranchiseTitle[],
  links: readonly TitleLink[],
  corrections: readonly FranchiseCorrection[],
): ArrangedTitle[] {
  const franchise = new Franchise(titles, links);
  const story = corrected(franchise.storyOrder(), corrections);
  const mainLine = new Set(franchise.mainLine);
  const released = new Map([...titles].sort(byRelease).map(({ malId }, index) => [malId, index + 1]));
  return story.map((malId, index) => ({
    malId,
    released: released.get(malId) ?? 0,
    story: index + 1,
    mark: mainLine.has(malId) ? "main" : franchise.markOf(malId),
    ...franchise.summaryOf(malId),
    toldBy: franchise.toldBy(malId),
  }));
}

/**
 * Applies the operators' corrections. Each moves a single title and not the titles that hang on it. The title that it
 * follows moves first, so all corrections apply that do not contradict each other. If corrections form a circle, the
 * last ones in the list apply. If several titles are to come first, the last one in the list does.
 */
function corrected(order: readonly number[], corrections: readonly FranchiseCorrection[]): number[] {
  /** The title that each one follows. */
  const follows = new Map<number, number | null>();
  const isBehind = (malId: number | null, other: number): boolean =>
    malId !== null && (malId === other || isBehind(follows.get(malId) ?? null, other));
  const isHere = (malId: number | null) => malId === null || order.includes(malId);
  for (const { malId, correction, relatedId } of [...corrections].reverse()) {
    if (correction !== "after" || !isHere(malId) || !isHere(relatedId)) continue;
    if (!follows.has(malId) && !isBehind(relatedId, malId)) follows.set(malId, relatedId);
  }
  let story = [...order];
  const waiting = new Map([...follows].reverse());
  while (waiting.size > 0)
    for (const [malId, relatedId] of waiting) {
      if (relatedId !== null && waiting.has(relatedId)) continue;
      waiting.delete(malId);
      const others = story.filter((one) => one !== malId);
      const at = relatedId === null ? 0 : others.indexOf(relatedId) + 1;
      story = [...others.slice(0, at), malId, ...others.slice(at)];
    }
  return story;
}

/** Titles joined by sequels, in the order of the story. */
type Series = {
  parts: number[];
  /** The part of another series that this one hangs on, if any. */
  anchor: number | null;
  anchorKind: LinkKind | null;
};

/** Side stories follow the part that they hang on. Spin-offs follow the whole series. */
const hangingKinds: ReadonlySet<LinkKind> = new Set(["side_story", "summary", "spin_off"]);
const alternativeKinds: ReadonlySet<LinkKind> = new Set(["alternative_version", "alternative_setting"]);

/** A movie counts as at most four episodes, and as four if its length is unknown. */
const episodesOfMovie = 4;
const usualEpisodes = 12;
const usualMinutes = 24;
/** The length of a clip whose length is unknown. */
const usualClipMinutes = 4;
const clipTypes: ReadonlySet<string | null> = new Set(["Music", "CM", "PV"]);

class Franchise {
  readonly mainLine: readonly number[];
  readonly #titles: ReadonlyMap<number, FranchiseTitle>;
  readonly #links: readonly TitleLink[];
  /** The links from a part to the next one, without cycles. */
  readonly #next = new Map<number, Set<number>>();
  readonly #seriesOf = new Map<number, Series>();
  /** The links of summaries to what they sum up, by the summary. */
  readonly #summaries: ReadonlyMap<number, TitleLink[]>;
  readonly #mainSeries: Series | undefined;

  constructor(titles: readonly FranchiseTitle[], links: readonly TitleLink[]) {
    this.#titles = new Map(titles.map((title) => [title.malId, title]));
    this.#links = withoutNeedlessUntyped(titles, links);
    const summaries = this.#links.filter(({ kind }) => kind === "summary");
    this.#summaries = groupBy(summaries, ({ to }) => to);
    this.#joinParts();
    this.mainLine = this.#findMainLine();
    this.#mainSeries = this.#seriesOf.get(this.mainLine[0] ?? 0);
    this.#anchorSeries();
  }

  #title(malId: number): FranchiseTitle {
    const title = this.#titles.get(malId);
    if (!title) throw new Error(`title ${malId} is not of this franchise`);
    return title;
  }

  readonly #byRelease = (one: number, other: number) => byRelease(this.#title(one), this.#title(other));

  /**
   * Joins titles by sequels. Where nothing but the offline database relates two titles, the later one counts as the
   * sequel. A cycle is broken at the link with the latest release.
   */
  #joinParts() {
    const hostParts = hostPartsOf(this.#titles, this.#links);
    const sequels = this.#links
      .filter(
        (link) => link.kind === "untyped" || (link.kind === "sequel" && !belongToOtherParts(hostParts, link)),
      )
      .sort((one, other) => {
        if (one.kind !== other.kind) return one.kind === "sequel" ? -1 : 1;
        const [ofOne, ofOther] = [this.#releaseOf(one), this.#releaseOf(other)];
        const byLater = this.#byRelease(ofOne.later, ofOther.later);
        if (byLater !== 0) return byLater;
        // At the same release, a prequel made later is less certain than a sequel made later.
        if (ofOne.isForward !== ofOther.isForward) return ofOne.isForward ? -1 : 1;
        return this.#byRelease(ofOne.earlier, ofOther.earlier);
      });
    for (const { from, to } of sequels)
      if (!this.#leadsTo(to, from)) this.#next.set(from, (this.#next.get(from) ?? new Set()).add(to));
    for (const group of new Set(groupsOf([...this.#titles.keys()], sequels).values())) {
      const series = { parts: this.#inOrder(group), anchor: null, anchorKind: null };
      for (const malId of group) this.#seriesOf.set(malId, series);
    }
  }

  #releaseOf({ from, to }: TitleLink) {
    const isForward = this.#byRelease(from, to) < 0;
    return isForward ? { earlier: from, later: to, isForward } : { earlier: to, later: from, isForward };
  }

  #leadsTo(from: number, to: number): boolean {
    const seen = new Set([from]);
    for (const malId of seen) {
      if (malId === to) return true;
      for (const next of this.#next.get(malId) ?? []) seen.add(next);
    }
    return false;
  }

  /**
   * Sorts parts so that each comes after all that it continues. Among those that may come next, the oldest is first.
   */
  #inOrder(group: ReadonlySet<number>): number[] {
    const waitsFor = new Map<number, number>();
    for (const malId of group)
      for (const next of this.#next.get(malId) ?? []) waitsFor.set(next, (waitsFor.get(next) ?? 0) + 1);
    const ready = [...group].filter((malId) => !waitsFor.has(malId));
    const parts: number[] = [];
    for (;;) {
      const part = ready.sort(this.#byRelease).shift();
      if (part === undefined) return parts;
      parts.push(part);
      for (const next of this.#next.get(part) ?? []) {
        const left = (waitsFor.get(next) ?? 0) - 1;
        waitsFor.set(next, left);
        if (left === 0) ready.push(next);
      }
    }
  }

  /** The chain of sequels with the most episodes, without summaries and without series that hang on others. */
  #findMainLine(): number[] {
    const all = [...new Set(this.#seriesOf.values())];
    const independent = all.filter((series) => !this.#hangs(series));
    let best: Line | undefined;
    for (const { parts } of independent.length > 0 ? independent : all) {
      const line = this.#longestLine(parts);
      if (!best || isLonger(line, best)) best = line;
    }
    const line = best?.parts.filter((malId) => this.#weightOf(malId) > 0) ?? [];
    return line.length > 0 ? line : [...this.#titles.keys()].sort(this.#byRelease).slice(0, 1);
  }

  /** A spin-off or side story that more members list than its origin has outgrown it, and no longer hangs on it. */
  #hangs(series: Series): boolean {
    const first = this.#firstReleased(series);
    return this.#links.some(({ kind, from, to }) => {
      const origin = this.#seriesOf.get(from);
      if (to !== first || !hangingKinds.has(kind) || origin === undefined || origin === series) return false;
      return kind === "summary" || this.#mostMembers(series) <= this.#mostMembers(origin);
    });
  }

  #mostMembers({ parts }: Series): number {
    return Math.max(...parts.map((malId) => this.#title(malId).members));
  }

  #longestLine(parts: readonly number[]): Line {
    const lines = new Map<number, Line>();
    let best: Line = { weight: -1, members: 0, parts: [] };
    for (const malId of [...parts].reverse()) {
      const ownMembers = this.#title(malId).members;
      let line: Line = { weight: this.#weightOf(malId), members: ownMembers, parts: [malId] };
      for (const next of this.#next.get(malId) ?? []) {
        const rest = lines.get(next);
        if (!rest) continue;
        const longer: Line = {
          weight: this.#weightOf(malId) + rest.weight,
          members: ownMembers + rest.members,
          parts: [malId, ...rest.parts],
        };
        if (isLonger(longer, line)) line = longer;
      }
      lines.set(malId, line);
      if (isLonger(line, best)) best = line;
    }
    return best;
  }

  /** The weight of a title in its line; 0 for a title that is in no main line. */
  #weightOf(malId: number): number {
    if (this.#summaries.has(malId)) return 0;
    const { type, episodes, minutes, weeksOnAir } = this.#title(malId);
    if (type !== "TV" && this.#isOnlyUntyped(malId)) return 0;
    if (type === "Movie") {
      const inEpisodes = minutes === null ? episodesOfMovie : Math.max(minutes, 1) / usualMinutes;
      return (episodes ?? 1) * Math.min(inEpisodes, episodesOfMovie);
    }
    const length = minutes ?? (clipTypes.has(type) ? usualClipMinutes : usualMinutes);
    const share = length < minEpisodeMinutes ? Math.max(length, 1) / usualMinutes : 1;
    if (type === "TV") return (episodes ?? Math.max(weeksOnAir ?? 0, usualEpisodes)) * share;
    return ((episodes ?? 1) / 2) * share;
  }

  #isOnlyUntyped(malId: number): boolean {
    const links = this.#links.filter(({ from, to }) => from === malId || to === malId);
    return links.length > 0 && links.every(({ kind }) => kind === "untyped");
  }

  /**
   * Finds the anchor of each series that hangs on others: the last of the parts that it hangs on. The series that came
   * out last is anchored first, so that a cycle is broken at the link with the latest release.
   */
  #anchorSeries() {
    const all = [...new Set(this.#seriesOf.values())];
    for (const series of this.#byFirstRelease(all).reverse()) {
      if (series === this.#mainSeries) continue;
      const anchors = this.#links
        .filter(
          ({ kind, from, to }) =>
            hangingKinds.has(kind) &&
            this.#seriesOf.get(to) === series &&
            this.#seriesOf.get(from) !== series,
        )
        .sort((one, other) => this.#lastPartFirst(one, other));
      const anchor = anchors.find(({ from }) => !this.#isBelow(from, series));
      series.anchor = anchor?.from ?? null;
      series.anchorKind = anchor?.kind ?? null;
    }
  }

  /** Sorts links so that the one from the last part comes first, because the series follows all of these parts. */
  #lastPartFirst(one: TitleLink, other: TitleLink): number {
    const series = this.#seriesOf.get(one.from);
    if (series === undefined || series !== this.#seriesOf.get(other.from))
      return this.#byRelease(other.from, one.from);
    const byPart = series.parts.indexOf(other.from) - series.parts.indexOf(one.from);
    return byPart || this.#byRelease(one.to, other.to);
  }

  #isBelow(malId: number, series: Series): boolean {
    let at: Series | undefined = this.#seriesOf.get(malId);
    while (at) {
      if (at === series) return true;
      at = at.anchor === null ? undefined : this.#seriesOf.get(at.anchor);
    }
    return false;
  }

  #firstReleased({ parts }: Series): number {
    return [...parts].sort(this.#byRelease)[0] ?? 0;
  }

  #byFirstRelease(list: readonly Series[]): Series[] {
    return [...list].sort((one, other) =>
      this.#byRelease(this.#firstReleased(one), this.#firstReleased(other)),
    );
  }

  storyOrder(): number[] {
    const hanging = groupBy(new Set(this.#seriesOf.values()), ({ anchor }) => anchor);
    const independent = hanging.get(null) ?? [];
    const partsWith = (series: Series): number[] => {
      const spinOffs: Series[] = [];
      const parts = series.parts.flatMap((malId) => {
        const hangingSeries = hanging.get(malId) ?? [];
        spinOffs.push(...hangingSeries.filter(({ anchorKind }) => anchorKind === "spin_off"));
        const stories = hangingSeries.filter(({ anchorKind }) => anchorKind !== "spin_off");
        return [malId, ...this.#byFirstRelease(stories).flatMap(partsWith)];
      });
      return [...parts, ...this.#byFirstRelease(spinOffs).flatMap(partsWith)];
    };
    return this.#afterWhatTheySumUp(this.#byFirstRelease(independent).flatMap(partsWith));
  }

  /**
   * A summary with a sequel of its own can come before what it sums up, as a part of the same series or because its own
   * is the main one. Then it waits for what it sums up, and the titles that follow the summary wait for the summary. If
   * titles wait for each other in a circle, the first one goes that is not a waiting summary.
   */
  #afterWhatTheySumUp(order: readonly number[]): number[] {
    const left = new Set(order);
    const fullsOf = (malId: number) => this.#summaries.get(malId)?.map(({ from }) => from) ?? [];
    const waitsFor = new Map(order.map((malId) => [malId, fullsOf(malId)]));
    for (const [malId, nextParts] of this.#next)
      for (const next of nextParts) waitsFor.get(next)?.push(malId);
    for (const { parts, anchor } of new Set(this.#seriesOf.values()))
      if (anchor !== null) for (const malId of parts) waitsFor.get(malId)?.push(anchor);
    const areLeft = (malIds: readonly number[] = []) => malIds.some((malId) => left.has(malId));
    const story: number[] = [];
    while (left.size > 0) {
      const waiting = [...left];
      const next =
        waiting.find((malId) => !areLeft(waitsFor.get(malId))) ??
        waiting.find((malId) => !areLeft(fullsOf(malId))) ??
        waiting[0] ??
        0;
      left.delete(next);
      story.push(next);
    }
    return story;
  }

  markOf(malId: number): FranchiseMark {
    if (this.#summaries.has(malId)) return "summary";
    const series = this.#seriesOf.get(malId);
    if (series?.anchorKind === "spin_off") return "spin_off";
    const isAlternative = (one: number) =>
      this.#links.some(({ kind, from, to }) => alternativeKinds.has(kind) && (from === one || to === one));
    if (series?.anchor === null && this.#branchOf(malId).some(isAlternative)) return "alternative";
    const { type, minutes } = this.#title(malId);
    const isClip = type !== "TV" && minutes !== null && minutes < minEpisodeMinutes;
    if (isClip || specialTypes.has(type)) return "special";
    return type === "Movie" ? "movie" : "side_story";
  }

  /**
   * In the series with the main line, a title beside that line and all that it continues, back to where they leave the
   * line. In other series, all parts.
   */
  #branchOf(malId: number): readonly number[] {
    const parts = this.#seriesOf.get(malId)?.parts ?? [];
    if (this.#seriesOf.get(malId) !== this.#mainSeries) return parts;
    const branch = new Set([malId]);
    for (const part of branch)
      for (const earlier of parts)
        if (this.#next.get(earlier)?.has(part) && !this.mainLine.includes(earlier)) branch.add(earlier);
    return [...branch];
  }

  /** Dates and lengths do not tell which episodes a summary covers, so only the title's own words count. */
  summaryOf(malId: number): Pick<ArrangedTitle, "summaryOf" | "summaryUntil"> {
    const full =
      this.#summaries
        .get(malId)
        ?.map(({ from }) => from)
        .sort(this.#byRelease) ?? [];
    const [first] = full;
    if (first === undefined) return { summaryOf: null, summaryUntil: null };
    const { sumsUpUntil } = this.#title(malId);
    const { episodes } = this.#title(first);
    const isOfFirst = full.length === 1 && sumsUpUntil !== null && sumsUpUntil <= (episodes ?? sumsUpUntil);
    return { summaryOf: first, summaryUntil: isOfFirst && sumsUpUntil > 1 ? sumsUpUntil : null };
  }

  /** Another version counts if it leads on to a later part. A movie of a whole series does not replace the series. */
  toldBy(malId: number): number | null {
    if (!this.mainLine.includes(malId)) return null;
    const later = this.mainLine.slice(this.mainLine.indexOf(malId) + 1);
    const versions = this.#links.flatMap(({ kind, from, to }) => {
      if (kind !== "alternative_version" || (from !== malId && to !== malId)) return [];
      return from === malId ? to : from;
    });
    const leadsOn = (version: number) => later.some((part) => this.#next.get(version)?.has(part));
    const tellers = versions.filter((version) => !this.mainLine.includes(version) && leadsOn(version));
    return tellers.sort(this.#byRelease)[0] ?? null;
  }
}

/** Puts titles that links join, directly or through others, into one group. */
function groupsOf(malIds: readonly number[], links: readonly TitleLink[]): Map<number, Set<number>> {
  const groups = new Map(malIds.map((malId) => [malId, new Set([malId])]));
  for (const { from, to } of links) {
    const [one, other] = [groups.get(from), groups.get(to)];
    if (!one || !other || one === other) continue;
    for (const malId of other) {
      one.add(malId);
      groups.set(malId, one);
    }
  }
  return groups;
}

/**
 * A link without a kind counts only where nothing else is known. It tells nothing of two titles that links with a kind
 * connect, nor of a title that hangs on another.
 */
function withoutNeedlessUntyped(titles: readonly FranchiseTitle[], links: readonly TitleLink[]): TitleLink[] {
  const typed = links.filter(({ kind }) => kind !== "untyped");
  if (typed.length === 0 || typed.length === links.length) return [...links];
  const hanging = new Set(typed.flatMap(({ kind, to }) => (hangingKinds.has(kind) ? to : [])));
  const groups = groupsOf(malIdsOf(titles), typed);
  return links.filter(
    ({ kind, from, to }) =>
      kind !== "untyped" || !(hanging.has(from) || hanging.has(to) || groups.get(from) === groups.get(to)),
  );
}

type Line = { weight: number; members: number; parts: number[] };

/** Ties are decided by the members who list the titles, then by the lowest number. */
const isLonger = (one: Line, other: Line): boolean => {
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.members !== other.members) return one.members > other.members;
  return (one.parts[0] ?? 0) < (other.parts[0] ?? 0);
};
