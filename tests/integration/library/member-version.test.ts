import { expect, test } from "vitest";
import {
  addFavorite,
  findPassHolder,
  moveFavorite,
  removeFavorite,
  updateProfile,
} from "#app/domain/accounts/accounts.server.ts";
import { anybody } from "#app/domain/catalog/catalog.server.ts";
import { findCardStates } from "#app/domain/discovery/discovery.server.ts";
import {
  deleteWatchHistory,
  deleteWatchHistoryBetween,
  dismissTitle,
  editList,
  importList,
  type ListEditResult,
  reportProgress,
  takeWishBack,
  undismissTitle,
  undoImport,
  useUploadedList,
} from "#app/domain/library/library.server.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { uploadedFile } from "#tests/support/data/uploaded-file.ts";

/** What is remembered of a member ends with their version, so each change of theirs raises it. */

const versionOf = async (userId: string) => (await findPassHolder(userId, 0))?.version;

const played = (malId: number, position: number) => ({
  ...{ malId, episode: 1, position, duration: 100, at: new Date() },
});

const uploadOf = (malId: number) =>
  uploadedFile({ format: "engawa-list", version: 1, entries: [{ mal_id: malId, type: "To Watch" }] });
let undo: string | null = null;
let removedEntries: ListEditResult["undo"] = [];
const importEntry = async (userId: string, malId: number) =>
  useUploadedList(await uploadOf(malId), async (list) => {
    undo = (await importList(userId, list, { replaceScores: false, viewer: anybody })).undo;
  });

const changes: Record<string, (userId: string, malId: number) => Promise<unknown>> = {
  "a list is imported": importEntry,
  "an import is taken back": (userId) => undoImport(userId, undo ?? ""),
  "an entry is saved": (userId, malId) =>
    editList(userId, { kind: "save", malId, type: "Watching" }, anybody),
  "an entry is removed": async (userId, malId) => {
    const removed = await editList(userId, { kind: "remove", ids: [malId] }, anybody);
    if (removed.ok) removedEntries = removed.value.undo;
  },
  "the removal is undone": (userId) =>
    editList(userId, { kind: "restore", changes: removedEntries }, anybody),
  "an episode is left in the middle": (userId, malId) => reportProgress(userId, played(malId, 40), anybody),
  "an episode is watched to its end": (userId, malId) => reportProgress(userId, played(malId, 99), anybody),
  "a title's history is deleted": (userId, malId) => deleteWatchHistory(userId, { malId }),
  "a day's history is deleted": (userId) =>
    deleteWatchHistoryBetween(userId, { from: new Date(0), until: new Date() }),
  "a title is dismissed": (userId, malId) => dismissTitle(userId, { malId, place: "continue" }, anybody),
  "a title is shown again": (userId, malId) => undismissTitle(userId, { malId, place: "continue" }),
  "a wish is taken back": (userId, malId) => takeWishBack(userId, malId),
  "a title becomes a favorite": (userId, malId) => addFavorite(userId, malId, anybody),
  "a favorite goes to the front": (userId, malId) => moveFavorite(userId, { malId, to: "first" }, anybody),
  "a title is no favorite any more": (userId, malId) => removeFavorite(userId, malId),
  "the tastes change": (userId) => updateProfile(userId, { favoriteGenres: ["Drama"] }),
};

test("each change of a member's library or profile makes another version, and that of nobody else", async () => {
  const [userId, other, malId] = [await someUser(), await someUser(), await someTitle({ episodes: 12 })];
  const seen = [await versionOf(userId)];
  const ofOther = await versionOf(other);
  for (const [name, change] of Object.entries(changes)) {
    await change(userId, malId);
    const version = await versionOf(userId);
    expect(seen, name).not.toContain(version);
    seen.push(version);
  }
  expect(await versionOf(other)).toBe(ofOther);
});

test("what is remembered of the cards of a page holds no notes, which can be long", async () => {
  const [userId, malId] = [await someUser(), await someTitle()];
  const member = { id: userId, version: 0 };
  await editList(userId, { kind: "save", malId, type: "Watching", notes: "long ".repeat(100) }, anybody);
  const { listed } = await findCardStates(member, [malId], anybody);
  expect(listed.get(malId)).toEqual({
    type: "Watching",
    state: null,
    progress: 0,
    score: null,
    step: expect.anything(),
  });
});
