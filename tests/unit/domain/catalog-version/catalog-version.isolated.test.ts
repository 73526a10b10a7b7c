import { expect, test, vi } from "vitest";

vi.mock("#db/client.server.ts", () => ({ db: { select: () => ({ from: async () => [{ version: 1 }] }) } }));
const { cachePerVersion } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { ShareUsedUp, workFor } = await import("#app/platform/limits/current-client.server.ts");

/** Requests of several clients wait for one computation, which the first of them began. */

type Result = { of: string };

function slowComputation() {
  let resolve: (result: Result) => void = () => {};
  let reject: (error: Error) => void = () => {};
  let begin = () => {};
  const result = new Promise<Result>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const compute = () => {
    begin();
    return result;
  };
  return { compute, begun, resolve, reject };
}

const find = cachePerVersion<Result>(10);
let computed = 0;
const askedBy = (client: string, key: string) =>
  workFor(client, () =>
    find(key, async () => {
      computed++;
      return { of: client };
    }),
  );

/** Everybody who asked before now waits. */
const untilAllWait = () => askedBy("192.0.2.9", `key ${computed}`);

test("when the first client is refused, the others compute on, and the result is cached", async () => {
  const slow = slowComputation();
  const first = workFor("192.0.2.1", () => find("refused", slow.compute)).catch((error) => error);
  await slow.begun;
  const others = ["192.0.2.2", "192.0.2.3"].map((client) => askedBy(client, "refused"));
  await untilAllWait();
  slow.reject(new ShareUsedUp("this client has used up its share"));
  expect(await first).toBeInstanceOf(ShareUsedUp);
  expect(await Promise.all(others)).toEqual([{ of: "192.0.2.2" }, { of: "192.0.2.2" }]);
  const before = computed;
  expect(await askedBy("192.0.2.4", "refused")).toEqual({ of: "192.0.2.2" });
  expect(computed).toBe(before);
});

test("a computation that fails for everybody fails for all who wait", async () => {
  const slow = slowComputation();
  const first = workFor("192.0.2.1", () => find("failed", slow.compute)).catch((error) => error);
  await slow.begun;
  const other = askedBy("192.0.2.2", "failed").catch((error) => error);
  const failure = new Error("the computation is wrong");
  await untilAllWait();
  slow.reject(failure);
  expect(await Promise.all([first, other])).toEqual([failure, failure]);
  expect(await askedBy("192.0.2.3", "failed")).toEqual({ of: "192.0.2.3" });
});

test("others get the result of the first client", async () => {
  const slow = slowComputation();
  const first = workFor("192.0.2.1", () => find("done", slow.compute));
  await slow.begun;
  const other = askedBy("192.0.2.2", "done");
  await untilAllWait();
  slow.resolve({ of: "192.0.2.1" });
  expect(await Promise.all([first, other])).toEqual([{ of: "192.0.2.1" }, { of: "192.0.2.1" }]);
});
