import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { anybody } from "#app/domain/catalog/catalog.server.ts";
import { editList, importList, listEntries, readUploadedList } from "#app/domain/library/library.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { watchList } from "#db/schema/library.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";

test("an import waits for a transaction that changes an entry, and merges with the result", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  await editList(user, { kind: "save", malId, type: "Watching", progress: 2 }, anybody);
  const entry = {
    mal_id: malId,
    type: "Watching",
    progress: 3,
    score: 8,
  };
  const document = { format: "engawa-list", version: 1, entries: [entry] };
  const file = await readUploadedList({
    bytes: Buffer.from(JSON.stringify(document)),
    turn: { client: "192.0.2.1" },
  });
  if (!file.ok) throw new Error(file.message);
  const { importing } = await withTransaction(async (transaction) => {
    await transaction
      .update(watchList)
      .set({ ticks: [[1, 9]] })
      .where(eq(watchList.userId, user));
    const importing = importList(user, file.value, { replaceScores: false, viewer: anybody });
    await until(async () => {
      const [waiting] = await db.execute(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return waiting !== undefined;
    });
    return { importing };
  });
  expect(await importing).toMatchObject({ changed: [{ fields: ["score"] }] });
  expect(await listEntries(user, { viewer: anybody })).toMatchObject([{ progress: 9, score: 8 }]);
});
