import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { chargeLimiter } from "#app/http/guards/rate-limit.server.ts";
import { db } from "#db/client.server.ts";
import { newAddress, request } from "#tests/support/site/in-process.ts";

/** A test imports the same modules that the application under test runs. Any other import fails. */

test("after the application counts a request, the test's own charge counts a second one", async () => {
  const address = newAddress();
  expect((await request("/api/animes/full", { address })).status).toBe(200);
  const { headers } = await chargeLimiter({ name: "listing", maxRequests: 10 }, address);
  expect(headers["X-RateLimit-Remaining"]).toBe("8");
});

test("after the application and the test ask the database in turn, one pool holds one connection", async () => {
  await db.execute(sql`select 1`);
  expect((await request("/readyz")).status).toBe(200);
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from pg_stat_activity
         where datname = current_database() and application_name = 'engawa'`,
  );
  expect(row?.n).toBe(1);
});

// The paths are written in two parts, so that the build does not find them and include the modules.
test.each([
  ["a module that the build does not hold", `#app/${"routes.ts"}`, "is not in build/server/testing"],
  ["a module by its relative path", `../../app/${"routes.ts"}`, "would be a second copy"],
])("importing %s fails", async (_name, path, message) => {
  await expect(import(path)).rejects.toThrow(message);
});
