import { type FranchiseMark, passedOverMarks } from "./marks.ts";

/** Finds the part of a franchise that a member should watch next. */

type Place = { malId: number; mark: FranchiseMark };
type Entry = { type: string; state: string | null };

/**
 * The part that the member is watching, or else the first one after the last completed one, or else the first one that
 * is not completed. Summaries and specials count only if they are on the list. Null if nothing is left.
 */
export function findNextPart(places: readonly Place[], entries: ReadonlyMap<number, Entry>): number | null {
  const isCompleted = ({ malId }: Place) => entries.get(malId)?.type === "Completed";
  const isOpen = ({ malId, mark }: Place) => {
    const entry = entries.get(malId);
    if (entry === undefined) return !passedOverMarks.includes(mark);
    return entry.type !== "Completed" && entry.state !== "dropped" && entry.state !== "on_hold";
  };
  const watching = places.find((place) => isOpen(place) && entries.get(place.malId)?.type === "Watching");
  const after = places.slice(places.findLastIndex(isCompleted) + 1);
  return (watching ?? after.find(isOpen) ?? places.find(isOpen))?.malId ?? null;
}
