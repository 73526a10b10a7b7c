import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, type MockInstance, vi } from "vitest";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";
import { databaseName, dataDir, nextFile } from "#tests/support/setup/worker-process.ts";

/**
 * Every integration test file gets its own database. A test fails on an unexpected console.error, and leaves no mock and
 * no fake clock to the next one. This file imports the application only inside functions: the application reads its
 * environment once, after a test file set it.
 */

const filesBefore = nextFile();

const server = inject("databaseServer");
const admin = postgres(...inject("administration"));
// A file that fails while it is imported runs no hook, and leaves its database.
const left = await admin`select 1 from pg_database where datname = ${databaseName}`;
if (left.length > 0) await removeDatabase();
await admin.unsafe(`create database ${databaseName} ${inject("fromTemplate")}`);

process.env.DATABASE_URL = databaseUrl(server, databaseName);
process.env.DATA_DIR = dataDir;
process.env.SESSION_SECRET = "test".repeat(10);
process.env.LOG_LEVEL ??= "error";
// With a database of its own and nobody's accounts, people would sign up by invitation.
process.env.SIGNUPS = "open";
// Most tests read films as visitors. Those of the door set it themselves.
process.env.FILMS ||= "everyone";

beforeAll(async () => {
  const { env, parseEnv } = await import("#app/platform/process/env.server.ts");
  expect(
    env,
    "Set environment variables before the first import of #app/ or #db/, which reads them.",
  ).toEqual(parseEnv(process.env));
  if (filesBefore > 0) await forgetPreviousCatalog();
});

/** The application remembers results of the previous file's database, under version numbers that this one will have too. */
async function forgetPreviousCatalog() {
  const { application } = await import("#app/start/site.server.ts");
  const { sql } = await import("drizzle-orm");
  const { db } = await import("#db/client.server.ts");
  const { changeCatalog } = await import("#app/domain/catalog-version/catalog-version.server.ts");
  await db.execute(
    sql`insert into catalog_state (version, changed_at) values (${filesBefore * 1_000_000}, now())
          on conflict ("only") do update set version = excluded.version`,
  );
  await changeCatalog([], async () => {});
  application.forgetPublicAnswers();
}

afterAll(async () => {
  await removeDatabase();
  await admin.end();
});

async function removeDatabase() {
  const { closeDatabase } = await import("#db/client.server.ts");
  await closeDatabase();
  await dropDatabase(admin, databaseName);
}

let consoleError: MockInstance;
beforeEach(() => {
  consoleError = vi.spyOn(console, "error");
});
afterEach(() => {
  const calls = [...consoleError.mock.calls];
  vi.restoreAllMocks();
  vi.useRealTimers();
  expect(calls, "console.error was called").toEqual([]);
});
