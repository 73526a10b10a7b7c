import { groupBy } from "#app/platform/lists.ts";
import rulesText from "#db/continued-numbers.txt?raw";

/**
 * Finds the title in which episode numbers continue. People count a second season on from the first, while catalogs
 * start again at 1. The rules come from anime-relations, which is in the public domain.
 */

type Rule = {
  from: { malId: number; first: number; last: number };
  to: { malId: number; first: number };
};

/**
 * Each side has MAL, Kitsu and AniList ids and a range. `~` repeats an id, `?` means no id, and `!` applies the rule to
 * the second title too.
 */
const line =
  /^- (?<from>\d+)\|[\d?]+\|[\d?]+:(?<first>\d+)(?:-(?<last>\d+|\?))? -> (?<to>\d+|~)\|[\d?~]+\|[\d?~]+:(?<begin>\d+)(?:-[\d?]+)?(?<own>!?)$/;

export function readRules(text: string): Rule[] {
  return text.split("\n").flatMap((one) => {
    const groups = line.exec(one.trim())?.groups;
    if (!groups) return [];
    const first = Number(groups.first);
    const last = groups.last === "?" ? Number.POSITIVE_INFINITY : Number(groups.last ?? first);
    const malId = Number(groups.from);
    const to = { malId: groups.to === "~" ? malId : Number(groups.to), first: Number(groups.begin) };
    const rule = { from: { malId, first, last }, to };
    return groups.own ? [rule, { ...rule, from: { ...rule.from, malId: to.malId } }] : [rule];
  });
}

/** Narrow ranges come first, since some ranges overlap. */
const rules = groupBy(
  readRules(rulesText).sort((one, other) => widthOf(one) - widthOf(other)),
  ({ from }) => from.malId,
);

function widthOf({ from }: Rule) {
  return from.last - from.first;
}

/** Null if the number belongs to the title itself, as far as the rules know. */
export function continueNumber(malId: number, number: number): { malId: number; number: number } | null {
  const rule = rules.get(malId)?.find(({ from }) => from.first <= number && number <= from.last);
  return rule ? { malId: rule.to.malId, number: number - rule.from.first + rule.to.first } : null;
}
