import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, type MockInstance, vi } from "vitest";
import { databaseUrl } from "../database/database-url.ts";
import { dropDatabase } from "../database/drop-database.ts";

/**
 * Every integration test file gets a database and a data folder of its own, and fails at an unexpected console.error.
 * Nothing of the application is imported before a test file has set its variables: it reads them once.
 */

const server = inject("databaseServer");
const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
const admin = postgres(...inject("administration"));
await admin.unsafe(`create database ${name} template ${inject("templateDatabase")}`);

process.env.DATABASE_URL = databaseUrl(server, name);
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "engawa-test-data-"));
process.env.SESSION_SECRET = "test".repeat(10);
process.env.LOG_LEVEL ??= "error";

beforeAll(async () => {
  const { env, parseEnv } = await import("#app/platform/process/env.server.ts");
  expect(
    env,
    "set a variable before the first import of #app/ or #db/: the application reads it there",
  ).toEqual(parseEnv(process.env));
});

afterAll(async () => {
  const { closeDatabase } = await import("#db/client.server.ts");
  await closeDatabase();
  await dropDatabase(admin, name);
  await admin.end();
  rmSync(process.env.DATA_DIR ?? "", { recursive: true, force: true });
});

let said: MockInstance;
beforeEach(() => {
  said = vi.spyOn(console, "error");
});
afterEach(() => {
  const calls = [...said.mock.calls];
  vi.restoreAllMocks();
  expect(calls, "console.error was called").toEqual([]);
});
