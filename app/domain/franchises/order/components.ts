import {
  belongToOtherParts,
  type FranchiseCorrection,
  type FranchiseTitle,
  hostPartsOf,
  linkKinds,
  minEpisodeMinutes,
  specialTypes,
  type TitleLink,
} from "./links.ts";
import { namesAgree } from "./series-names.ts";

/** Finds the titles that belong together, and cuts what is too much for one franchise. */

export const maxFranchiseTitles = 100;

type Component = {
  /** In the order of their numbers. */
  titles: number[];
  /** The links inside the component. */
  links: TitleLink[];
  /** The links that were cut: the component is connected with these titles of others. */
  cuts: TitleLink[];
};

/**
 * Joins titles from the strongest link to the weakest. A link is cut if it would join too many titles, or two series of
 * at least three parts each. So two franchises are always cut apart at their weakest link, and a franchise loses whole
 * branches instead of single titles. A spin-off or side story of two titles with different names is a crossover. It
 * belongs to the one whose name it bears, otherwise to the first, and does not join the two.
 *
 * An operator's joins come last and unite whole franchises, whatever their size. If they came first, the joined series
 * would count as two in one franchise, and their own sequels would be cut. The relations of a title that an operator
 * moved are ignored.
 */
export function componentsOf(
  titles: ReadonlyMap<number, FranchiseTitle>,
  links: readonly TitleLink[],
  corrections: readonly FranchiseCorrection[],
): Component[] {
  // Two forests of titles: each tree of `parents` is a franchise, each tree of `sequelParents` a series of sequels.
  const parents = new Map<number, number>();
  const sequelParents = new Map<number, number>();
  for (const { kind, from, to } of links) {
    const [one, other] = [findRoot(sequelParents, from), findRoot(sequelParents, to)];
    if (kind === "sequel" && one !== other) sequelParents.set(other, one);
  }
  /** The number of titles in a franchise, by its root. */
  const sizes = new Map<number, number>();
  /** The long series in a franchise, by its root. */
  const seriesOf = longSeriesOf(titles, links);
  const sorted = [...links].sort(strongestFirst);
  /** The title that a series is a spin-off or side story of, by the root of the series. Namesakes go first. */
  const hosts = new Map<number, FranchiseTitle>();
  for (const { kind, from, to } of sorted) {
    if (kind !== "spin_off" && kind !== "side_story") continue;
    const [host, dependent, root] = [titles.get(from), titles.get(to), findRoot(sequelParents, to)];
    if (host && dependent && !hosts.has(root) && namesAgree(host, dependent)) hosts.set(root, host);
  }
  const rootOf = (malId: number) => findRoot(parents, malId);
  const join = (one: number, other: number) => {
    parents.set(other, one);
    sizes.set(one, (sizes.get(one) ?? 1) + (sizes.get(other) ?? 1));
    const joined = seriesOf.get(one) ?? seriesOf.get(other);
    if (joined !== undefined) seriesOf.set(one, joined);
  };
  const moved = new Set(
    corrections.flatMap(({ malId, correction }) => (correction === "moved" ? malId : [])),
  );
  for (const link of sorted) {
    const [one, other] = [rootOf(link.from), rootOf(link.to)];
    if (one === other || moved.has(link.from) || moved.has(link.to)) continue;
    const size = (sizes.get(one) ?? 1) + (sizes.get(other) ?? 1);
    const [ofOne, ofOther] = [seriesOf.get(one), seriesOf.get(other)];
    const isTooMuch = size > maxFranchiseTitles;
    const hasTwoSeries = ofOne !== undefined && ofOther !== undefined && ofOne !== ofOther;
    if (isTooMuch || hasTwoSeries) continue;
    if (link.kind === "spin_off" || link.kind === "side_story") {
      const dependent = findRoot(sequelParents, link.to);
      const [host, from] = [hosts.get(dependent), titles.get(link.from)];
      if (host && from && !namesAgree(host, from)) continue;
      if (from && !host) hosts.set(dependent, from);
    }
    join(one, other);
  }
  const chosen = corrections.filter(
    ({ malId, correction, relatedId }) =>
      correction !== "after" && relatedId !== null && titles.has(malId) && titles.has(relatedId),
  );
  for (const { malId, relatedId } of chosen) {
    const [one, other] = [rootOf(relatedId ?? 0), rootOf(malId)];
    if (one !== other) join(one, other);
  }
  return collectComponents(links, chosen, rootOf);
}

/** Groups the titles and links by the roots of their franchises. */
function collectComponents(
  links: readonly TitleLink[],
  chosen: readonly FranchiseCorrection[],
  rootOf: (malId: number) => number,
): Component[] {
  const components = new Map<number, Component>();
  const componentOf = (malId: number): Component => {
    const root = rootOf(malId);
    const known = components.get(root);
    if (known) return known;
    const component: Component = { titles: [], links: [], cuts: [] };
    components.set(root, component);
    return component;
  };
  for (const link of links) {
    const [one, other] = [componentOf(link.from), componentOf(link.to)];
    if (one === other) one.links.push(link);
    else for (const side of [one, other]) side.cuts.push(link);
  }
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  for (const { malId, relatedId } of chosen) linked.add(malId).add(relatedId ?? malId);
  for (const malId of [...linked].sort((a, b) => a - b)) componentOf(malId).titles.push(malId);
  return [...components.values()];
}

/** Ties end with the numbers of the titles, so that every run cuts at the same link. */
const strongestFirst = (one: TitleLink, other: TitleLink): number =>
  linkKinds.indexOf(other.kind) - linkKinds.indexOf(one.kind) ||
  other.sources - one.sources ||
  Math.min(one.from, one.to) - Math.min(other.from, other.to) ||
  Math.max(one.from, one.to) - Math.max(other.from, other.to);

/** The root of a title's tree. Halves the path on the way, so that later calls are short. */
function findRoot(parents: Map<number, number>, malId: number): number {
  let at = malId;
  for (;;) {
    const parent = parents.get(at);
    if (parent === undefined) return at;
    const above = parents.get(parent);
    if (above !== undefined) parents.set(at, above);
    at = parent;
  }
}

const minPartMinutes = 20;

/** Specials, clips of a few minutes and a short movie make no series of their own. */
const isShort = ({ type, minutes, episodes }: FranchiseTitle): boolean =>
  specialTypes.has(type) ||
  (minutes !== null &&
    (minutes < minEpisodeMinutes || (episodes !== null && minutes * episodes < minPartMinutes)));

/** Titles joined by sequels are one series. Gives each title of a series with three parts in a row its number. */
function longSeriesOf(
  titles: ReadonlyMap<number, FranchiseTitle>,
  links: readonly TitleLink[],
): Map<number, number> {
  const parents = new Map<number, number>();
  const withEarlier = new Set<number>();
  const withLater = new Set<number>();
  const summaries = new Set(links.flatMap(({ kind, to }) => (kind === "summary" ? to : [])));
  const hostParts = hostPartsOf(titles, links);
  const isPart = (malId: number) => {
    const title = titles.get(malId);
    return title !== undefined && !isShort(title) && !summaries.has(malId);
  };
  const sequels = links.filter((link) => link.kind === "sequel" && !belongToOtherParts(hostParts, link));
  for (const { from, to } of sequels) {
    const [one, other] = [findRoot(parents, from), findRoot(parents, to)];
    if (one !== other) parents.set(other, one);
    if (!isPart(from) || !isPart(to)) continue;
    withLater.add(from);
    withEarlier.add(to);
  }
  const middles = [...withLater].filter((malId) => withEarlier.has(malId));
  const long = new Set(middles.map((malId) => findRoot(parents, malId)));
  const joined = new Set(sequels.flatMap(({ from, to }) => [from, to]));
  return new Map(
    [...joined].flatMap((malId) => {
      const root = findRoot(parents, malId);
      return long.has(root) ? [[malId, root] as const] : [];
    }),
  );
}
