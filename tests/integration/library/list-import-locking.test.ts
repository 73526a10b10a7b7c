import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { deleteOtherSessions } from "#app/domain/accounts/accounts.server.ts";
import { editList, importList, listEntries, withUploadedList } from "#app/domain/library/library.server.ts";
import { lockAllLibraries, lockMember } from "#app/domain/library/list/list-rows.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { firstRows } from "#app/platform/process/stored-rows.ts";
import { openUnnamedFile } from "#app/platform/process/unnamed-file.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import {
  dismissals,
  householdTitles,
  trackChoices,
  watchHistory,
  watchList,
  watchProgress,
} from "#db/schema/library.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A slow machine can need longer than a transaction may be idle. */
const patient = { maxIdleMs: minutes(1) };

test("an import waits for a transaction that changes an entry, and merges with the result", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  await editList(user, { kind: "save", malId, type: "Watching", progress: 2 }, anybody);
  const entry = {
    mal_id: malId,
    type: "Watching",
    progress: 3,
    score: 8,
  };
  const { importing } = await withTransaction(async (transaction) => {
    await transaction
      .update(watchList)
      .set({ ticks: [[1, 9]] })
      .where(eq(watchList.userId, user));
    const importing = importEntries(user, [entry]);
    await untilQueriesWait();
    return { importing };
  }, patient);
  expect(await importing).toMatchObject({ changed: [{ fields: ["score"] }] });
  expect(await listEntries(user, { viewer: anybody })).toMatchObject([{ progress: 9, score: 8 }]);
});

test("an import waits while a title is replaced, and reports it as unmatched", async () => {
  const [user, replaced, other] = [await someUser(), await someTitle(), await someTitle()];
  const { importing } = await withTransaction(async (transaction) => {
    await transaction.delete(titles).where(eq(titles.malId, replaced));
    const importing = importEntries(
      user,
      [replaced, other].map((malId) => ({ mal_id: malId, type: "Watching" })),
    );
    await untilQueriesWait();
    return { importing };
  }, patient);
  expect(await importing).toMatchObject({ added: [{ malId: other }], unmatched: [{ malId: replaced }] });
});

test("while a library is changed, its account can end sessions, and only its own changes wait", async () => {
  const [user, other, malId] = [await someUser(), await someUser(), await someTitle()];
  const save = (userId: string) => editList(userId, { kind: "save", malId, type: "Watching" }, anybody);
  const { saving } = await withTransaction(async (transaction) => {
    await lockMember(transaction, user);
    await deleteOtherSessions(user, randomUUID(), { kind: "command", ip: null });
    expect(await save(other)).toMatchObject({ ok: true });
    const saving = save(user);
    await untilQueriesWait();
    return { saving };
  }, patient);
  expect(await saving).toMatchObject({ ok: true });
});

test("a title is replaced only when no library is being changed", async () => {
  const [user, other, malId] = [await someUser(), await someUser(), await someTitle()];
  const { locking } = await withTransaction(async (transaction) => {
    await lockMember(transaction, user);
    let tries = 0;
    const twiceTried = until(() => tries > 1);
    const locking = withTransaction((replacing) => {
      const execute: typeof replacing.execute = (query) => {
        tries++;
        return replacing.execute(query);
      };
      return lockAllLibraries({ execute });
    });
    // It gives up if the rest of this takes longer than four seconds.
    locking.catch(() => {});
    await twiceTried;
    const edited = await editList(other, { kind: "save", malId, type: "Watching" }, anybody);
    expect(edited).toMatchObject({ ok: true });
    return { locking };
  }, patient);
  await locking;
});

const time = "2024-01-01T00:00:00.000Z";
test.each([
  ["watch_history", watchHistory, { ep: 1, watched_at: time }],
  ["watch_progress", watchProgress, { ep: 1, position: 60, duration: 1400, at: time }],
  ["track_choices", trackChoices, { sound: "ja", subtitles: "off", chosen_at: time }],
  ["dismissals", dismissals, { place: "continue", dismissed_at: time }],
  ["household_titles", householdTitles, { verdict: "allowed", chosen_at: time }],
])(
  "an account's import waits while a title is replaced, and leaves it out of %s",
  async (field, table, row) => {
    const [member, replaced, other] = [await newMember(), await someTitle(), await someTitle()];
    const rows = [replaced, other].map((malId) => ({ mal_id: malId, ...row }));
    const { importing } = await withTransaction(async (transaction) => {
      await transaction.delete(titles).where(eq(titles.malId, replaced));
      const json = { format: "engawa-account", [field]: rows };
      const importing = member.request("/api/user/import", { json });
      await untilQueriesWait();
      return { importing };
    }, patient);
    expect((await importing).status).toBe(200);
    const stored = db.select({ malId: table.malId }).from(table).where(eq(table.userId, member.id));
    expect(await stored).toEqual([{ malId: other }]);
  },
);

test.each([
  [
    "a dismissal",
    "/?index",
    (id: string) => ({ form: { intent: "dismiss", mal_id: id, place: "suggestions" } }),
  ],
  ["a decision of a household", "/profiles/titles", (id: string) => ({ form: { id, verdict: "blocked" } })],
  [
    "a choice of sound",
    "/api/user/trackChoice",
    (id: string) => ({ method: "PUT", json: { mal_id: Number(id), sound: "ja" } }),
  ],
])("%s waits while its title is replaced, and then gets 404", async (_, path, requestAbout) => {
  const [member, replaced] = [await newMember(), await someTitle()];
  const { writing } = await withTransaction(async (transaction) => {
    await transaction.delete(titles).where(eq(titles.malId, replaced));
    const writing = member.request(path, requestAbout(`${replaced}`));
    await untilQueriesWait();
    return { writing };
  }, patient);
  expect((await writing).status).toBe(404);
});

test("a client's next file is not read before its previous one is written", async () => {
  const order: string[] = [];
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const first = withUploadedList(await uploadOf([]), async () => {
    order.push("first is read");
    await written;
    order.push("first is written");
  });
  const second = withUploadedList(await uploadOf([]), async () => void order.push("second is read"));
  const other = withUploadedList(
    await uploadOf([], "192.0.2.2"),
    async () => void order.push("another client's is read"),
  );
  await other;
  write();
  await Promise.all([first, second]);
  expect(order).toEqual(["first is read", "another client's is read", "first is written", "second is read"]);
});

test("an import that took minutes makes the site refuse no other", async () => {
  await withUploadedList(await uploadOf([]), async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 300_000);
  });
  vi.restoreAllMocks();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const importing: ReturnType<typeof withUploadedList>[] = [];
  for (let client = 1; client <= 4; client++)
    importing.push(withUploadedList(await uploadOf([], `192.0.2.${client}`), () => ended));
  end();
  expect((await Promise.all(importing)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
});

async function importEntries(user: string, entries: object[]) {
  const uploaded = await uploadOf(entries);
  const imported = await withUploadedList(uploaded, async (list) => {
    const options = { replaceScores: false, viewer: anybody, scratch: uploaded.file };
    const { added, changed, unmatched } = await importList(user, list, options);
    return {
      added: await firstRows(added, added.count),
      changed: await firstRows(changed, changed.count),
      unmatched: await firstRows(unmatched, unmatched.count),
    };
  });
  if (!imported.ok) throw new Error("the file cannot be read");
  return imported.value;
}

/** A file that a client has sent, in the form in which an import receives it. */
async function uploadOf(entries: object[], client = "192.0.2.1") {
  const bytes = Buffer.from(JSON.stringify({ format: "engawa-list", version: 1, entries }));
  const file = await openUnnamedFile("uploads");
  atEnd(() => file.close());
  await file.writeFile(bytes);
  return { file, size: bytes.byteLength, turn: { client } };
}
