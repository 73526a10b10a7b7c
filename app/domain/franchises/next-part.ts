import { type FranchiseMark, maySkip } from "./marks.ts";

/** Finds the part of a franchise that a member should watch next. */

/**
 * `airsFrom`: in milliseconds since 1970. A part without it counts as aired. `toldBy`: a title that tells this part too.
 */
type Place = { malId: number; mark: FranchiseMark; airsFrom?: number; toldBy?: number | null };
type Entry = { type: string; state: string | null };

/**
 * The part that the member is watching, or else the first one after the last completed one, or else the first one that
 * is not completed. A newcomer begins with the main line. Other versions come after what follows it, unless the member
 * has completed one last or has put them on the list. Parts that have not begun to air come last. Summaries, specials
 * and parts whose other version is completed count only if they are on the list. Null if nothing is left.
 */
export function findNextPart(places: readonly Place[], entries: ReadonlyMap<number, Entry>): number | null {
  const isCompleted = ({ malId }: Pick<Place, "malId">) => entries.get(malId)?.type === "Completed";
  const isTold = ({ toldBy }: Place) => toldBy != null && isCompleted({ malId: toldBy });
  const isOpen = (place: Place) => {
    const entry = entries.get(place.malId);
    if (entry === undefined) return !maySkip(place) && !isTold(place);
    return entry.type !== "Completed" && entry.state !== "dropped" && entry.state !== "on_hold";
  };
  const watching = places.find((place) => isOpen(place) && entries.get(place.malId)?.type === "Watching");
  const last = places.findLastIndex(isCompleted);
  const after = last < 0 ? [] : places.slice(last + 1);
  const followsOther = places[last]?.mark === "alternative";
  const isOther = ({ malId, mark }: Place) => mark === "alternative" && !followsOther && !entries.has(malId);
  const inTurn = [
    ...after.filter((place) => !isOther(place)),
    ...after.filter(isOther),
    ...places.filter(({ mark }) => mark === "main"),
    ...places,
  ].filter(isOpen);
  return (watching ?? inTurn.find(hasAired) ?? inTurn[0])?.malId ?? null;
}

const hasAired = ({ airsFrom = 0 }: Place) => airsFrom <= Date.now();
