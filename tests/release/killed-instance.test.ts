import { once } from "node:events";
import { expect, test } from "vitest";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** One of two instances is killed while members write. */

const { origin, one, other, startAgain } = await startTwoInstances({ RATE_LIMIT_POINTS: "1000000" });

test("kill -9 of one instance under load loses no acknowledged write and no session", async () => {
  const members = await Promise.all(
    [one, other, one, other].map((site, at) => signUpAt(site.origin, `member-${at}@example.org`, origin)),
  );
  const [writer = members[0]!] = members;
  const acknowledged = new Set<string>();
  const writes = startSteadyLoad(
    25,
    async (number) => {
      const query = `what was written ${number}`;
      const answer = await writer.ask(`${origin}/api/user/searchHistory`, { query });
      await answer.arrayBuffer();
      if (answer.ok) acknowledged.add(query);
      return answer.status;
    },
    { atOnce: 8 },
  );
  const reads = startSteadyLoad(
    25,
    async (number) => {
      const answer = await fetch(`${origin}/api/animes/full?limit_count=3&page=${1 + (number % 50)}`);
      await answer.arrayBuffer();
      return answer.status;
    },
    { atOnce: 8 },
  );
  await expect.poll(() => acknowledged.size).toBeGreaterThan(40);
  one.process.kill("SIGKILL");
  await once(one.process, "exit");
  const atDeath = acknowledged.size;
  await expect.poll(() => acknowledged.size).toBeGreaterThan(atDeath + 40);

  const again = await startAgain(0);
  const atReturn = acknowledged.size;
  await expect.poll(() => acknowledged.size).toBeGreaterThan(atReturn + 20);
  const [written, read] = await Promise.all([writes.stop(), reads.stop()]);
  // nginx repeats a failed read at the other instance. A write that was running at that moment gets an error.
  expect(read.filter(({ status }) => status !== 200)).toEqual([]);
  const lost = written.filter(({ status }) => status !== 200 && status !== 201);
  expect(lost.filter(({ status }) => status !== undefined && ![502, 503, 504].includes(status))).toEqual([]);

  for (const site of [again, other]) {
    const history = await writer.ask(`${site.origin}/api/user/searchHistory?limit=500`);
    const found = (await history.text()).match(/what was written \d+/g);
    // An account keeps its newest 500 searches, and a slow restart may see more writes than 500.
    expect(found).toEqual(expect.arrayContaining([...acknowledged].slice(-400)));
    for (const member of members)
      expect((await member.ask(`${site.origin}/api/user/watchList`)).status).toBe(200);
  }
});
