import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Attacker, type Sent } from "#tests/load/attacks/attacker.ts";
import {
  fillList,
  listTitles,
  memberFloods,
  memberHolds,
  newSessions,
  sentBy,
  startFlood,
} from "#tests/load/attacks/member-attacks.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * While a member attacks the site with two sessions from two addresses, another member still gets answers. tests/load has
 * the figures.
 */

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const site = await startSite({ PORT: String(port), PUBLIC_URL: origin, MEMORY: "512" }, { isQuiet: true });

const [cookie = ""] = await newSessions(origin, 1);
const malIds = await listTitles(origin);
const target = { malIds, sessions: await newSessions(origin, 2) };
await fillList(origin, target);

let attackers: Attacker[] = [];
afterEach(() => {
  for (const attacker of attackers) attacker.stop();
});

function newAttackers() {
  attackers = ["127.0.0.21", "127.0.0.22"].map((address) => new Attacker(origin, address));
  return attackers;
}

const signedIn = (path: string, sent: Sent = {}) => sentBy({ path, ...sent }, cookie);
const uses = [
  signedIn("/"),
  signedIn("/list"),
  signedIn("/api/user/watchList"),
  signedIn("/api/user/progress", {
    method: "PUT",
    body: JSON.stringify({ mal_id: malIds[0], ep: 1, position: 10, duration: 1400 }),
  }),
  { path: `/poster/${malIds[0]}.webp?w=240` },
  { path: "/film/1/film.webm", headers: { Range: "bytes=0-999" } },
  { path: "/browse" },
  { path: "/healthz" },
];

/** Sends one of the other member's requests, and sends it again while the site is busy, as its answer asks, or resets the connection. */
async function statusOf(use: (typeof uses)[number], tries = 15): Promise<string> {
  const other = new Attacker(origin, "127.0.0.3");
  await other.ask(use.path, use);
  const [status = "no answer"] = Object.keys(other.statuses);
  if (!["503", "no answer"].includes(status) || tries === 1) return status;
  await pause(2000);
  return statusOf(use, tries - 1);
}

/** The statuses of the other member's requests during the attack. */
async function useSite() {
  const statuses: string[] = [];
  for (const use of uses) statuses.push(await statusOf(use));
  return statuses;
}
const answered = uses.map(({ path }) => (path.startsWith("/film/") ? "206" : "200"));

const isAnswered = ({ statuses }: Attacker) => Object.keys(statuses).length > 0;

test.each(Object.entries(memberFloods))("%s: somebody else is answered", async (_name, flood) => {
  const own = newAttackers();
  startFlood(own, { ...flood, count: 16 }, target, { addresses: 2, sessions: 2 });
  await until(() => own.some(isAnswered));
  expect(await useSite()).toEqual(answered);
  expect(site.process.exitCode).toBeNull();
});

test.each(Object.entries(memberHolds))("%s: somebody else is answered", async (_name, held) => {
  const [attacker] = newAttackers();
  attacker?.hold(held.count, held.bytes(target), held);
  expect(await useSite()).toEqual(answered);
  expect(site.process.exitCode).toBeNull();
});
