import { firstOwnNumber, type Tag } from "#app/domain/catalog/catalog.ts";
import { wordKey } from "#app/domain/names/names.ts";

/** Assigns numbers to tags. */

type KeyedTag = Tag & { key: string };
export type NamedTag = { kind: Tag["kind"]; name: string };

const withKey = (tag: Tag): KeyedTag => ({ ...tag, key: wordKey(tag.name) });

/** Ours do not continue after a larger number, which an imported catalog can contain, because they would run out. */
const lastOwnNumber = 999_999_999;

const isOwn = ({ malId }: Tag) => malId >= firstOwnNumber;

/**
 * The tags to add or change. A tag keeps its number, except that MyAnimeList's number replaces one of ours. A number in
 * use is not assigned again. Names without a number get our next free numbers, in the order of the names.
 */
export function assignNumbers(
  present: readonly KeyedTag[],
  numbered: readonly Tag[],
  names: readonly NamedTag[],
): KeyedTag[] {
  const byKey = new Map(present.map((tag) => [keyOf(tag), tag]));
  const numbers = new Set(present.map(numberOf));
  const changed = new Map<string, KeyedTag>();
  const set = (tag: KeyedTag) => {
    byKey.set(keyOf(tag), tag);
    numbers.add(numberOf(tag));
    changed.set(keyOf(tag), tag);
  };
  for (const tag of numbered.map(withKey)) {
    const known = byKey.get(keyOf(tag));
    if (tag.key === "" || numbers.has(numberOf(tag)) || (known && (!isOwn(known) || isOwn(tag)))) continue;
    set(tag);
  }
  const inUse = new Set([...byKey.values()].map(({ malId }) => malId));
  let next = firstOwnNumber;
  for (const malId of inUse) if (malId <= lastOwnNumber) next = Math.max(next, malId + 1);
  for (const { kind, name } of [...names].sort(byName)) {
    while (inUse.has(next)) next += 1;
    const tag = withKey({ kind, name, malId: next });
    if (tag.key === "" || byKey.has(keyOf(tag))) continue;
    set(tag);
    next += 1;
  }
  return [...changed.values()];
}

const keyOf = ({ kind, key }: KeyedTag) => `${kind} ${key}`;
const numberOf = ({ kind, malId }: Tag) => `${kind} ${malId}`;
const byName = (one: NamedTag, other: NamedTag) => {
  const a = `${one.kind} ${one.name}`;
  const b = `${other.kind} ${other.name}`;
  return a < b ? -1 : a > b ? 1 : 0;
};
