import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { minutes, seconds } from "#app/platform/units.ts";
import { createNameLookup } from "#app/platform/upstream/names/name-lookup.server.ts";
import type { NameAnswer } from "#app/platform/upstream/names/name-query.server.ts";
import { LookupFailure } from "#app/platform/upstream/names/name-query.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

afterEach(() => {
  vi.useRealTimers();
});

const [me, other] = ["203.0.113.1", "203.0.113.2"];
const address = [{ address: "192.0.2.1", family: 4 }];
const answer: NameAnswer = { addresses: address, freshForMs: seconds(60) };

/** Name servers that answer when the test calls `answer` or `fail`. */
function slowNames() {
  const queries: { name: string; answer(): void; fail(reason: LookupFailure["reason"]): void }[] = [];
  const query = (name: string) =>
    new Promise<NameAnswer>((resolve, reject) => {
      queries.push({
        name,
        answer: () => resolve(answer),
        fail: (reason) => reject(new LookupFailure(reason)),
      });
    });
  const lookUp = createNameLookup({ query, hostsFile: "/dev/null" });
  return { queries, lookUp, asked: (count: number) => expect.poll(() => queries.length).toBe(count) };
}

test("many simultaneous look-ups of one name make one query, and the answer is cached", async () => {
  const { queries, lookUp, asked } = slowNames();
  const all = Array.from({ length: 50 }, (_, at) => lookUp("a.test", `198.51.100.${at}`));
  await asked(1);
  queries[0]?.answer();
  expect(await Promise.all(all)).toEqual(all.map(() => address));
  await lookUp("a.test", me);
  expect(queries.length).toBe(1);
});

test("a client with 16 unanswered look-ups is refused another, and a second client is not", async () => {
  const { queries, lookUp, asked } = slowNames();
  const dead = Array.from({ length: 16 }, (_, at) => lookUp(`${at}.test`, me));
  await asked(16);
  await expect(lookUp("one-too-many.test", me)).rejects.toMatchObject({ reason: "busy" });
  const found = lookUp("good.test", other);
  await asked(17);
  queries[16]?.answer();
  expect(await found).toEqual(address);
  for (const one of queries) one.fail("timed_out");
  await Promise.allSettled(dead);
  const again = lookUp("one-too-many.test", me);
  await asked(18);
  queries[17]?.answer();
  expect(await again).toEqual(address);
});

test("a missing name is cached as missing for a few seconds", async () => {
  const { queries, lookUp, asked } = slowNames();
  const first = lookUp("missing.test", me);
  await asked(1);
  queries[0]?.fail("name_not_found");
  await expect(first).rejects.toMatchObject({ reason: "name_not_found" });
  await expect(lookUp("missing.test", other)).rejects.toMatchObject({ reason: "name_not_found" });
  expect(queries.length).toBe(1);
});

/** Looks up a name once, and waits until its answer has expired. */
async function withOldAnswer() {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { queries, lookUp, asked } = slowNames();
  const first = lookUp("a.test", me);
  await asked(1);
  queries[0]?.answer();
  await first;
  vi.advanceTimersByTime(minutes(2));
  const second = lookUp("a.test", me);
  await asked(2);
  return { queries, lookUp, asked, second };
}

test("when the name servers fail, the last good answer is used", async () => {
  const { queries, lookUp, second } = await withOldAnswer();
  queries[1]?.fail("failed");
  expect(await second).toEqual(address);
  expect(await lookUp("a.test", other)).toEqual(address);
  expect(queries.length).toBe(2);
});

test("when the name servers are silent for a second, the last good answer is used", async () => {
  const { queries, second } = await withOldAnswer();
  vi.advanceTimersByTime(seconds(1));
  expect(await second).toEqual(address);
  queries[1]?.answer();
});

test("when a name no longer exists, its last answer is not used", async () => {
  const { queries, lookUp, second } = await withOldAnswer();
  queries[1]?.fail("name_not_found");
  await expect(second).rejects.toMatchObject({ reason: "name_not_found" });
  await expect(lookUp("a.test", me)).rejects.toMatchObject({ reason: "name_not_found" });
});

test("the last good answer ends after an hour", async () => {
  const { queries, lookUp, asked, second } = await withOldAnswer();
  queries[1]?.fail("failed");
  await second;
  vi.advanceTimersByTime(minutes(66));
  const late = lookUp("a.test", me);
  await asked(3);
  queries[2]?.fail("failed");
  await expect(late).rejects.toMatchObject({ reason: "failed" });
});

test("names of the hosts file and localhost need no query, and a changed hosts file is noticed", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const hostsFile = join(temporaryFolder("hosts"), "hosts");
  await writeFile(hostsFile, "# 10.0.0.9 nas\n10.0.0.1 nas nas.lan # the shelf\nfd00::1 NAS\n");
  const lookUp = createNameLookup({
    hostsFile,
    query: () => Promise.reject(new LookupFailure("name_not_found")),
  });
  const nas = [
    { address: "10.0.0.1", family: 4 },
    { address: "fd00::1", family: 6 },
  ];
  expect(await lookUp("nas", me)).toEqual(nas);
  expect(await lookUp("nas.", me)).toEqual(nas);
  expect(await lookUp("nas.lan", me)).toEqual(nas.slice(0, 1));
  for (const name of ["localhost", "localhost.", "films.localhost"])
    expect(await lookUp(name, me)).toEqual([
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  await writeFile(hostsFile, "10.0.0.2 nas\n");
  await vi.waitFor(
    async () => {
      vi.advanceTimersByTime(seconds(4));
      expect(await lookUp("nas", me)).toEqual([{ address: "10.0.0.2", family: 4 }]);
    },
    { timeout: 60_000 },
  );
  await expect(lookUp("nas.lan", me)).rejects.toMatchObject({ reason: "name_not_found" });
});

test("only mDNS names are given to the system's resolver", async () => {
  const asked: string[] = [];
  const record = (resolver: string) => (name: string) => {
    asked.push(`${resolver} ${name}`);
    return Promise.resolve(answer);
  };
  const lookUp = createNameLookup({
    query: record("dns"),
    querySystem: record("system"),
    hostsFile: "/dev/null",
  });
  for (const name of ["nas.local", "a.svc.cluster.local", "nas", "local"]) await lookUp(name, me);
  expect(asked).toEqual(["system nas.local", "dns a.svc.cluster.local", "dns nas", "dns local"]);
});
