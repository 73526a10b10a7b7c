import rulesText from "#db/continued-numbers/rules.txt";

/**
 * Where the numbers of a title go on in another one: people count the episodes of a second season on from the first, and
 * catalogs begin again with 1. The rules are anime-relations, which is in the public domain.
 */

type Rule = {
  from: { malId: number; first: number; last: number };
  to: { malId: number; first: number };
};

/** MAL, Kitsu and AniList ids with a range, twice. `~` repeats an id, `?` is none; `!` also holds for the second title. */
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

/** The narrowest come first, since some ranges overlap. */
const rules = new Map<number, Rule[]>();
for (const rule of readRules(rulesText).sort((one, other) => widthOf(one) - widthOf(other)))
  rules.set(rule.from.malId, [...(rules.get(rule.from.malId) ?? []), rule]);

function widthOf({ from }: Rule) {
  return from.last - from.first;
}

/** Null if the number belongs to the title itself, as far as is known. */
export function continueNumber(malId: number, number: number): { malId: number; number: number } | null {
  const rule = rules.get(malId)?.find(({ from }) => from.first <= number && number <= from.last);
  return rule ? { malId: rule.to.malId, number: number - rule.from.first + rule.to.first } : null;
}
