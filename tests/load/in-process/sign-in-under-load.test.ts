import { hashSync } from "bcryptjs";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { credentials } from "#db/schema/accounts.ts";
import { figure } from "#tests/load/figures.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

const signIn = (visitor: Visitor, email: string, password = goodPassword) =>
  visitor.request("/api/auth/signin", { json: { email, password } });

test("while four addresses sign in again and again, a known member and a newcomer are answered in time and the four are told when to come back", async ({
  task,
}) => {
  const member = await newMember();
  // The hash has the same cost as in production.
  await db
    .update(credentials)
    .set({ hash: hashSync(goodPassword, 11), cost: 11 })
    .where(eq(credentials.userId, member.id));
  const crowd = [1, 2, 3, 4].map(() => new Visitor());
  const startedAt = performance.now();
  let compared = 0;
  const attempts = crowd.flatMap((visitor) =>
    Array.from({ length: 40 }, async () => {
      const answer = await signIn(visitor, "nobody@example.org", "Wrong1!x");
      if (answer.status === 401) compared++;
      return {
        status: answer.status,
        retryAfter: answer.headers.get("Retry-After"),
        ms: performance.now() - startedAt,
      };
    }),
  );
  const known = await signIn(new Visitor(member.address), member.email);
  const comparedBeforeKnown = compared;
  const newcomer = await signIn(new Visitor(), member.email);
  expect([known.status, newcomer.status]).toEqual([200, 200]);
  // With one queue for all clients, both would wait for more than a hundred password comparisons.
  figure(task.name, "passwords compared before the member's", comparedBeforeKnown, "");
  figure(task.name, "passwords compared before the newcomer's", compared - comparedBeforeKnown, "");
  const ended = await Promise.all(attempts);
  const refused = ended.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0 && Number(retryAfter) <= 5)).toBe(true);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([401, 503]));
  figure(task.name, "the last of 160 answers comes after", Math.max(...ended.map(({ ms }) => ms)), "ms");
});
