import type { EntryChange } from "#app/domain/library/library.ts";
import type { EditAnswer } from "#app/ui/watch-list/edit-answer.ts";

/**
 * The list entry as the bar under the film shows it. The page is not loaded again after an edit, so the page applies
 * the edit itself, wherever on the page it was made.
 */

type Fields = NonNullable<EntryChange["after"]>;
export type Own = Required<Pick<Fields, "type" | "state" | "score" | "rewatchProgress">> & {
  progress: number;
};

export type Edits = {
  /** The bar's answer to the latest edit or undo. */
  answer: EditAnswer | undefined;
  /** The fields that edits have changed. Null after an edit or an undo has taken the title off the list again. */
  edited: Partial<Fields> | null | undefined;
};

export const noEdits: Edits = { answer: undefined, edited: undefined };

export function afterEdit({ edited }: Edits, answer: EditAnswer): Edits {
  const after = answer.undo?.[0]?.after;
  return { answer, edited: after ? { ...edited, ...after } : after === null ? null : edited };
}

/** The notice and the end card show their answers themselves. The Undo in the bar no longer fits the entry then. */
export const afterEditElsewhere = (before: Edits, answer: EditAnswer): Edits =>
  answer.issues ? before : { ...afterEdit(before, answer), answer: undefined };

/** `undone` is the answer to the edit that Undo was pressed for. */
export function afterUndo({ edited }: Edits, answer: EditAnswer, undone: EditAnswer | undefined): Edits {
  const fields = answer.isUndone ? undone?.undo?.[0]?.before : undefined;
  if (!fields) return { answer, edited: fields === null ? null : edited };
  return { answer, edited: { ...edited, ...fields } };
}

export type Shown = {
  entry: Own | null;
  /** Seen this time, if the title is being watched again. */
  isSeen: boolean;
  /** Seen at any time, as lists of episodes show it. */
  isTicked: boolean;
};

type Page = {
  episode: number;
  isLastEpisode: boolean;
  own: Own | null;
  isSeen: boolean;
  /** Playing has put the title on the list since the page was opened. */
  isAdded: boolean;
  /** Playing has changed the title from To Watch to Watching since the page was opened. */
  isMoved: boolean;
  /** Playing has finished the episode since the page was opened. */
  isWatched: boolean;
};

const added: Own = { type: "Watching", state: null, score: null, progress: 1, rewatchProgress: 0 };

/** The loaded entry with the changes that playing has made, and then with the member's edits on this page. */
export function withEdits(page: Page, edited: Edits["edited"]): Shown {
  const { episode, own, isSeen, isAdded, isMoved, isWatched } = page;
  const wasSeen = isSeen || isWatched;
  if (edited === null) return { entry: null, isSeen: wasSeen, isTicked: wasSeen };
  const before = own === null ? (isAdded ? added : null) : isMoved ? withMoved(own) : own;
  const played = before && isWatched ? withWatched(before, page) : before;
  if (!edited && !played) return { entry: null, isSeen: wasSeen, isTicked: wasSeen };
  const { ticks, ...fields } = edited ?? {};
  const entry = {
    ...(played ?? added),
    ...fields,
    ...(ticks && { progress: ticks.at(-1)?.[1] ?? 0 }),
  };
  const isTicked = ticks ? ticks.some(([first, last]) => first <= episode && episode <= last) : wasSeen;
  return {
    entry,
    isSeen: entry.state === "rewatching" ? episode <= entry.rewatchProgress : isTicked,
    isTicked,
  };
}

/** Leaves an entry with another status as it is: another page may have changed it since this one was opened. */
const withMoved = (own: Own): Own => (own.type === "To Watch" ? { ...own, type: "Watching" } : own);

/** Applies a watched episode by the same rules as `applyWatched` of the watch list. */
function withWatched(entry: Own, { episode, isLastEpisode }: Page): Own {
  const { type, state, progress, rewatchProgress } = entry;
  if (type === "Completed" || state === "dropped") return entry;
  if (state === "rewatching")
    return isLastEpisode
      ? { ...entry, type: "Completed", state: null, rewatchProgress: 0 }
      : { ...entry, rewatchProgress: Math.max(rewatchProgress, episode) };
  return { ...entry, progress: Math.max(progress, episode) };
}
