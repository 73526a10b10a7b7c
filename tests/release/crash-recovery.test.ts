import { expect, test } from "vitest";
import { settings, testKills } from "#tests/support/scaled/crash-recovery.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { signUpAt } from "#tests/support/site/two-instances.ts";

/** The kills that tests/system leaves out, and a start of two servers at once. */

testKills(["the server", "the database"]);

test("two servers started at once on one empty folder both start and share one database", async () => {
  const shared = settings();
  const [one, other] = await Promise.all([startSite(shared), startSite(shared)]);
  const member = await signUpAt(one.origin, "first@example.org");
  const list = await member.ask(`${other.origin}/api/user/watchList`);
  expect(list.status).toBe(200);
  await Promise.all([one.stop(), other.stop()]);
});
