import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** Creates a database for the servers that a test starts. It is migrated unless `isEmpty` is true. */
export async function newDatabase({ isEmpty = false } = {}): Promise<string> {
  const server = inject("databaseServer");
  const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
  const admin = postgres(...inject("administration"));
  await admin.unsafe(`create database ${name}${isEmpty ? "" : ` ${inject("fromTemplate")}`}`);
  atEnd(async () => {
    await dropDatabase(admin, name);
    await admin.end();
  });
  return databaseUrl(server, name);
}
