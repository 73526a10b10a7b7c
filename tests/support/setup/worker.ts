import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, type MockInstance, vi } from "vitest";
import { databaseUrl } from "../database/database-url.ts";
import { dropDatabase } from "../database/drop-database.ts";

/**
 * Every integration test file gets its own database and data folder, and fails on an unexpected console.error. This file
 * imports the application only inside functions: the application reads its environment once, after a test file set it.
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
    "Set environment variables before the first import of #app/ or #db/, which reads them.",
  ).toEqual(parseEnv(process.env));
});

afterAll(async () => {
  const { closeDatabase } = await import("#db/client.server.ts");
  await closeDatabase();
  await dropDatabase(admin, name);
  await admin.end();
  rmSync(process.env.DATA_DIR ?? "", { recursive: true, force: true });
});

let consoleError: MockInstance;
beforeEach(() => {
  consoleError = vi.spyOn(console, "error");
});
afterEach(() => {
  const calls = [...consoleError.mock.calls];
  vi.restoreAllMocks();
  expect(calls, "console.error was called").toEqual([]);
});
