import { expect, test } from "vitest";
import {
  afterEdit,
  afterEditElsewhere,
  afterUndo,
  noEdits,
  withEdits,
} from "#app/routes/watch/entry-edits.ts";

const own = { type: "Watching", state: null, score: null, progress: 2, rewatchProgress: 0 } as const;
const page = {
  episode: 3,
  isLastEpisode: false,
  own,
  isSeen: false,
  isAdded: false,
  isMoved: false,
  isWatched: false,
};
const edit = (before: object | null, after: object) => ({
  message: "Saved",
  undo: [{ malId: 1, before, after } as never],
});
const ticked = edit({ ticks: [[1, 2]] }, { ticks: [[1, 3]] });
const scored = edit({ score: null }, { score: 9 });
const undoneAnswer = { message: "Undid", undo: [], isUndone: true };

test("an edit shows in the bar, and its undo reverts it", () => {
  const after = afterEdit(noEdits, ticked);
  expect(withEdits(page, after.edited)).toEqual({
    entry: { ...own, progress: 3 },
    isSeen: true,
    isTicked: true,
  });
  const undone = afterUndo(after, undoneAnswer, ticked);
  expect(withEdits(page, undone.edited)).toEqual({ entry: own, isSeen: false, isTicked: false });
});

test("an edit stays if its answer arrives before the undo of the previous edit", () => {
  const both = afterEdit(afterEdit(noEdits, ticked), scored);
  const undone = afterUndo(both, undoneAnswer, ticked);
  expect(withEdits(page, undone.edited)).toEqual({
    entry: { ...own, score: 9 },
    isSeen: false,
    isTicked: false,
  });
});

test("an undo that the server refuses changes nothing", () => {
  const after = afterEdit(noEdits, ticked);
  const refused = afterUndo(after, { message: "The list has changed since", undo: [] }, ticked);
  expect(refused.edited).toEqual(after.edited);
});

test("undoing an addition shows the title as not on the list", () => {
  const after = afterEdit(noEdits, edit(null, { type: "Watching", ticks: [] }));
  expect(withEdits({ ...page, own: null }, after.edited).entry?.type).toBe("Watching");
  const undone = afterUndo(after, undoneAnswer, edit(null, {}));
  expect(withEdits({ ...page, own: null }, undone.edited)).toEqual({
    entry: null,
    isSeen: false,
    isTicked: false,
  });
});

test("an edit in the notice or on the end card shows in the bar, without its answer", () => {
  const scoredInBar = afterEdit(noEdits, scored);
  const removed = afterEditElsewhere(scoredInBar, edit({ type: "Watching" }, null as never));
  expect(removed.answer).toBeUndefined();
  expect(withEdits({ ...page, isAdded: true, own: null }, removed.edited).entry).toBeNull();
  const again = afterEditElsewhere(removed, edit(null, { state: "rewatching", rewatchProgress: 1 }));
  expect(withEdits(page, again.edited)).toMatchObject({ entry: { rewatchProgress: 1 }, isSeen: false });
  expect(afterEditElsewhere(again, { message: "Not saved", issues: [] })).toBe(again);
});

test("playing ticks the episode in any list status, except in a completed or dropped title", () => {
  const played = (standing: object) =>
    withEdits({ ...page, own: { ...own, ...standing }, isWatched: true }, undefined).entry;
  expect(played({ type: "To Watch" })).toMatchObject({ type: "To Watch", progress: 3 });
  expect(played({ type: "Collection" })).toMatchObject({ progress: 3 });
  expect(played({ type: "Completed" })).toMatchObject({ progress: 2 });
  expect(played({ type: "Collection", state: "dropped" })).toMatchObject({ progress: 2 });
});

test("playing the last episode of a rewatch completes the title, and an earlier one moves the rewatch on", () => {
  const again = { ...own, state: "rewatching", progress: 12, rewatchProgress: 2 } as const;
  const played = (isLastEpisode: boolean) =>
    withEdits({ ...page, own: again, isSeen: true, isWatched: true, isLastEpisode }, undefined);
  expect(played(false)).toMatchObject({ entry: { state: "rewatching", rewatchProgress: 3 }, isSeen: true });
  expect(played(true)).toMatchObject({
    entry: { type: "Completed", state: null, rewatchProgress: 0 },
    isSeen: true,
  });
});

test("a title that became Watching by playing shows so, and a later edit wins", () => {
  const moved = { ...page, own: { ...own, type: "To Watch" } as const, isMoved: true, isWatched: true };
  expect(withEdits(moved, undefined)).toEqual({
    entry: { ...own, progress: 3 },
    isSeen: true,
    isTicked: true,
  });
  const edited = afterEdit(noEdits, edit({ type: "Watching" }, { type: "Completed" }));
  expect(withEdits(moved, edited.edited).entry?.type).toBe("Completed");
});

test("watching again leaves the ticks of the first time, which the lists of episodes show", () => {
  const again = { ...own, state: "rewatching", progress: 12, rewatchProgress: 2 } as const;
  expect(withEdits({ ...page, own: again, isSeen: true }, undefined)).toMatchObject({
    isSeen: false,
    isTicked: true,
  });
});
