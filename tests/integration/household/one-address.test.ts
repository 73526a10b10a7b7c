import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodes } from "#db/schema/episodes.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newMember, openSession, Visitor } from "#tests/support/requests/visitor.ts";
import { newAddress } from "#tests/support/site/in-process.ts";

/** A family of one account behind one address, with the default limits. */

const address = newAddress();
const owner = await newMember();

async function device() {
  const visitor = new Visitor(address);
  await openSession(visitor, owner.id);
  return visitor;
}

async function watchedTitle() {
  const malId = await someTitle({ episodes: 1 });
  await db.insert(episodes).values({ malId, number: 1, title: "Part 1", durationSeconds: 1400 });
  return malId;
}

/** A player reports every ten seconds and after each seek and pause, and stores its choice of tracks. */
async function watch(malId: number) {
  const player = await device();
  const answers: number[] = [];
  for (let at = 0; at < 12; at++) {
    const json = { mal_id: malId, ep: 1, position: at * 10, duration: 1400 };
    answers.push((await player.request("/api/user/progress", { method: "PUT", json })).status);
  }
  return answers;
}

/** A page, then the data of the following pages, with a list edit on each. */
async function browse(malId: number) {
  const person = await device();
  const answers: number[] = [];
  const ask = async (...sent: Parameters<Visitor["request"]>) => {
    const answer = await person.request(...sent);
    await answer.text();
    answers.push(answer.status);
  };
  await ask("/");
  for (let at = 0; at < 5; at++) {
    await ask(`/anime/${malId}.data`);
    await ask("/api/user/watchList", { json: { animeId: malId, type: "Watching", progress: 0 } });
    await ask("/list.data");
  }
  return answers;
}

async function importList(malIds: readonly number[]) {
  const person = await device();
  const json = { format: "engawa-list", entries: malIds.map((mal_id) => ({ mal_id, type: "Completed" })) };
  return [(await person.request("/api/user/watchList/import", { json })).status];
}

test("six players, three open pages and an import are all answered", async () => {
  const malIds = await Promise.all(Array.from({ length: 6 }, watchedTitle));
  const answers = await Promise.all([
    ...malIds.map(watch),
    ...malIds.slice(0, 3).map(browse),
    importList(malIds),
  ]);
  expect(answers.flat()).toHaveLength(6 * 12 + 3 * 16 + 1);
  expect(answers.flat().filter((status) => status >= 300)).toEqual([]);

  // A busy minute uses a fifth of the account's and the address's limits.
  const last = await (await device()).request("/api/user/continueWatching");
  expect(Number(last.headers.get("X-RateLimit-Limit"))).toBe(600);
  expect(Number(last.headers.get("X-RateLimit-Remaining"))).toBeGreaterThan(480);
});
