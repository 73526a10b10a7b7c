import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minutes, seconds } from "#app/platform/units.ts";
import { createNameQuery, createSystemQuery } from "#app/platform/upstream/names/name-query.server.ts";
import { startNameServer } from "#tests/support/servers/name-server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const server = await startNameServer((name, family) => {
  const v4 = family === 4;
  switch (name) {
    case "both.test":
      return { addresses: v4 ? ["192.0.2.1", "192.0.2.2"] : ["::7"], ttl: 77 };
    case "short-lived.test":
      return { addresses: v4 ? ["192.0.2.1"] : [], ttl: 0 };
    case "long-lived.test":
      return { addresses: v4 ? [] : ["::7"], ttl: 86_400 };
    case "half-silent.test":
      return v4 ? { addresses: ["192.0.2.1"], ttl: 77 } : "silent";
    case "many.test":
      return { addresses: v4 ? Array.from({ length: 28 }, (_, at) => `192.0.2.${at}`) : ["::7"] };
    case "no-address.test":
      return { addresses: [] };
    case "broken.test":
      return "broken";
    case "nas.lan":
    case "media":
      return { addresses: v4 ? ["10.0.0.1"] : [] };
    default:
      return name.startsWith("silent") ? "silent" : "missing";
  }
});
const servers = [server.address];
const query = createNameQuery({ servers, resolvConf: "/dev/null" });
/** Waits only briefly for a server that never answers. */
const hasty = createNameQuery({ servers, deadlineMs: 300, resolvConf: "/dev/null" });
const textOf = async (asking: ReturnType<typeof query>) =>
  (await asking).addresses.map(({ address, family }) => `${address} ${family}`).join(", ");

test("a name with addresses of both families gets all of them, IPv4 first, for the time that the server states", async () => {
  expect(await textOf(query("both.test"))).toBe("192.0.2.1 4, 192.0.2.2 4, ::7 6");
  expect((await query("both.test")).freshForMs).toBe(seconds(77));
});

test("an answer is kept for at least five seconds and at most five minutes", async () => {
  expect((await query("short-lived.test")).freshForMs).toBe(seconds(5));
  expect((await query("long-lived.test")).freshForMs).toBe(minutes(5));
});

test("when the server does not answer for one family, the other one is used, and cached for a short time only", async () => {
  const patient = createNameQuery({ servers, resolvConf: "/dev/null" });
  expect(await patient("half-silent.test")).toEqual({
    addresses: [{ address: "192.0.2.1", family: 4 }],
    freshForMs: seconds(5),
  });
});

test.each([
  ["unknown.test", "name_not_found"],
  ["no-address.test", "name_not_found"],
  [`${"a".repeat(300)}.test`, "name_not_found"],
  ["a..test", "name_not_found"],
  ["broken.test", "failed"],
  ["silent.test", "timed_out"],
])("the name %.20s fails with %s", async (name, reason) => {
  await expect((reason === "timed_out" ? hasty : query)(name)).rejects.toMatchObject({ reason });
});

test("while 64 names are not answered, files are read and another name is found", async () => {
  const patient = createNameQuery({ servers, deadlineMs: 2000, resolvConf: "/dev/null" });
  let isOver = false;
  const silent = Promise.allSettled(Array.from({ length: 64 }, (_, at) => patient(`silent-${at}.test`)));
  void silent.then(() => {
    isOver = true;
  });
  await readFile("package.json");
  expect(await textOf(patient("both.test"))).toContain("192.0.2.1");
  expect(isOver).toBe(false);
  expect((await silent).every(({ status }) => status === "rejected")).toBe(true);
});

test("a short name is looked up within the search domains of resolv.conf, and then unchanged", async () => {
  const resolvConf = join(temporaryFolder("resolv"), "resolv.conf");
  await writeFile(resolvConf, "nameserver 192.0.2.53\nsearch corp.test lan.\noptions timeout:1 ndots:1\n");
  const searching = createNameQuery({ servers, deadlineMs: 1000, resolvConf });
  server.questions.length = 0;
  expect(await textOf(searching("nas"))).toBe("10.0.0.1 4");
  expect(await textOf(searching("media"))).toBe("10.0.0.1 4");
  await expect(searching("nas.")).rejects.toMatchObject({ reason: "name_not_found" });
  await expect(searching("unknown.test")).rejects.toMatchObject({ reason: "name_not_found" });
  expect(server.questions).toEqual([
    ...["nas.corp.test", "nas.lan"],
    ...["media.corp.test", "media.lan", "media"],
    "nas",
    "unknown.test",
  ]);
});

test("the system's resolver is queried for one name at a time", async () => {
  const ends: (() => void)[] = [];
  const ask = () => new Promise((resolve) => ends.push(() => resolve([{ address: "10.0.0.1", family: 4 }])));
  const querySystem = createSystemQuery(ask as never);
  const first = querySystem("nas.local");
  await expect(querySystem("tv.local")).rejects.toMatchObject({ reason: "busy" });
  ends[0]?.();
  expect((await first).addresses).toEqual([{ address: "10.0.0.1", family: 4 }]);
  const second = querySystem("tv.local");
  ends[1]?.();
  expect((await second).addresses).toHaveLength(1);
});
