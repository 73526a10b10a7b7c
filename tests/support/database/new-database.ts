import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { atEnd } from "../setup/at-end.ts";
import { databaseUrl } from "./database-url.ts";
import { dropDatabase } from "./drop-database.ts";

/** Creates a database for the servers that a test starts. It is migrated unless `isEmpty` is true. */
export async function newDatabase({ isEmpty = false } = {}): Promise<string> {
  const server = inject("databaseServer");
  const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
  const admin = postgres(...inject("administration"));
  await admin.unsafe(`create database ${name}${isEmpty ? "" : ` template ${inject("templateDatabase")}`}`);
  atEnd(async () => {
    await dropDatabase(admin, name);
    await admin.end();
  });
  return databaseUrl(server, name);
}
