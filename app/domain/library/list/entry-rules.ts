import { statusOfState } from "#db/schema/enumerations.ts";
import { type EntryState, type ListEntry, type ListStatus, newEntry } from "./entry.ts";
import { cleanTags, entryFields } from "./entry-fields.ts";
import { joinTicks, progressOf, type Ticks, tick, ticksAfter, ticksUpTo, untick } from "./ticks.ts";

/**
 * The rules of an entry: which list status goes with a state, how progress and ticks follow each other, and what
 * watching an episode changes. Every edit and every report of the player goes through `applyFields` or `applyWatched`.
 */

type Optional<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined };

/** Changes one entry. Missing fields keep their value. `progress` ticks all episodes up to it, and no others. */
export type EntryEdit = Optional<Omit<ListEntry, "malId" | "ticks">> & {
  progress?: number | undefined;
  /**
   * The progress that a page showed when its reader changed it. Episodes after it keep their ticks: they have been
   * ticked elsewhere since.
   */
  shownProgress?: number | undefined;
  /** The same for the episode of a rewatch, which then does not go back behind one that was watched elsewhere since. */
  shownRewatchProgress?: number | undefined;
  tick?: number | undefined;
  untick?: number | undefined;
};

export function applyFields(
  own: ListEntry,
  {
    type,
    state,
    progress,
    shownProgress,
    tick: ticked,
    untick: unticked,
    rewatchProgress,
    shownRewatchProgress = Number.POSITIVE_INFINITY,
    tags,
    ...fields
  }: EntryEdit,
  episodes: number | null,
): ListEntry {
  let { ticks } = own;
  if (progress !== undefined) {
    const later = shownProgress === undefined ? [] : ticksAfter(ticks, Math.max(progress, shownProgress));
    ticks = joinTicks(ticksUpTo(progress), later);
  }
  if (ticked !== undefined) ticks = tick(ticks, ticked);
  if (unticked !== undefined) ticks = untick(ticks, unticked);
  const definedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const standing = standingAfter(own, { type, state });
  const isSameRewatch = own.state === "rewatching" && rewatchProgress === undefined;
  const isBehind = own.rewatchProgress > shownRewatchProgress;
  const entry = {
    ...own,
    ...definedFields,
    ...standing,
    ticks,
    tags: tags === undefined ? own.tags : cleanTags(tags),
    rewatchProgress: isSameRewatch
      ? own.rewatchProgress
      : Math.max(rewatchProgress ?? 0, isBehind ? own.rewatchProgress : 0),
  };
  return finishRewatch(withFittingState(entry), episodes);
}

/**
 * A state determines the list status. Setting only a list status ends the state, unless the two fit each other. A
 * member who stops rewatching has still completed the title.
 */
function standingAfter(
  own: ListEntry,
  { type, state }: Pick<EntryEdit, "type" | "state">,
): { type: ListStatus; state: EntryState | null } {
  if (state) return { type: statusOfState[state], state };
  if (type !== undefined)
    return { type, state: state === undefined && isFitting({ ...own, type }) ? own.state : null };
  if (state === undefined) return { type: own.type, state: own.state };
  return { type: own.state === "rewatching" ? "Completed" : own.type, state: null };
}

const isFitting = ({ type, state }: ListEntry) => state === null || statusOfState[state] === type;

/** Drops a state that does not go with the list status, which a file or a forged undo can contain. */
export function withFittingState<Entry extends ListEntry>(entry: Entry): Entry {
  const state = isFitting(entry) ? entry.state : null;
  return { ...entry, state, rewatchProgress: state === "rewatching" ? entry.rewatchProgress : 0 };
}

/**
 * Rewatching the last episode adds one to the count. Fields from the first viewing, such as the score and the dates,
 * stay.
 */
function finishRewatch(entry: ListEntry, episodes: number | null): ListEntry {
  if (entry.state !== "rewatching" || !episodes || entry.rewatchProgress < episodes) return entry;
  return {
    ...entry,
    type: "Completed",
    state: null,
    rewatchProgress: 0,
    rewatchCount: Math.min(entry.rewatchCount + 1, entryFields.rewatchCount.max),
  };
}

/**
 * The entry after its member has watched an episode. Playing alone never changes what the member has completed or
 * dropped. The result does not depend on the order of the episodes.
 */
export function applyWatched(own: ListEntry, episode: number, episodes: number | null): ListEntry {
  if (own.type === "Completed" || own.state === "dropped") return own;
  const isRewatching = own.state === "rewatching";
  const change = isRewatching
    ? { rewatchProgress: Math.max(own.rewatchProgress, episode) }
    : { tick: episode };
  return applyFields(own, change, episodes);
}

/** True if the edit ticks an episode of a title that is To Watch, and chooses no other status. */
export const startsWatching = (
  own: Pick<ListEntry, "type" | "ticks">,
  { type = own.type, state, tick: ticked, progress = 0 }: EntryEdit,
): boolean =>
  own.type === "To Watch" &&
  type === "To Watch" &&
  !state &&
  (ticked !== undefined || progress > progressOf(own.ticks));

/**
 * True when the member has seen the last episode, and the entry does not say yet that they have completed the title.
 */
export const canComplete = (
  { type, state, ticks }: Pick<ListEntry, "type" | "state" | "ticks">,
  episodes: number | null,
): boolean =>
  episodes !== null &&
  progressOf(ticks) >= episodes &&
  type !== "Completed" &&
  state !== "rewatching" &&
  state !== "dropped";

/** A new entry has the member's watched episodes ticked. Without a list status it becomes Watching. */
export const startEntry = (malId: number, watched: Ticks): ListEntry => ({
  malId,
  type: "Watching",
  ...newEntry,
  ticks: watched,
});
