import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import bcrypt from "bcryptjs";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { hashCost } from "#app/domain/accounts/credentials/password-hashing.server.ts";
import { driverArguments } from "#db/address.ts";
import { type EmbeddedDatabase, startEmbedded } from "#db/embedded/embedded.server.ts";
import { migrate } from "#db/migrate.ts";
import { goodPassword } from "../data/good-password.ts";
import { databaseUrl } from "../database/database-url.ts";
import { dropDatabase } from "../database/drop-database.ts";
import { temporaryFolder } from "./temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where databases may be made: DATABASE_URL, or an embedded server of this run. */
    databaseServer: string;
    /** The same as the driver takes it, for code that runs before the application reads its environment. */
    administration: ReturnType<typeof driverArguments>;
    templateDatabase: string;
    /** Made once a run, since each hash takes a tenth of a second. */
    goodPasswordHash: string;
  }
}

/**
 * One migrated database a run, which every test file clones. On DATABASE_URL its user must be allowed to create
 * databases; without it an embedded server starts in a folder of its own.
 */
export async function provideTemplateDatabase(project: TestProject) {
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startOwn();
  const name = `engawa_test_template_${randomUUID().replaceAll("-", "")}`;
  const administration = driverArguments(server.url, { max: 1 });
  const admin = postgres(...administration);
  await admin.unsafe(`create database ${name}`);
  await migrate({ address: databaseUrl(server.url, name) });
  project.provide("databaseServer", server.url);
  project.provide("administration", administration);
  project.provide("templateDatabase", name);
  project.provide("goodPasswordHash", bcrypt.hashSync(goodPassword, hashCost));

  return async () => {
    await dropDatabase(admin, name);
    await admin.end();
    await server.stop();
  };
}

async function startOwn() {
  const dataDir = temporaryFolder("test");
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  await withoutWaitingForDisks(embedded);
  const { path, user, database } = embedded.connection;
  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(dirname(path))}`,
    stop: async () => {
      await embedded.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Nothing here has to outlive the run. */
async function withoutWaitingForDisks({ connection }: EmbeddedDatabase) {
  const admin = postgres({ ...connection, user: "postgres", database: "postgres", max: 1 });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    await admin.unsafe(`alter system set ${setting} = off`);
  await admin`select pg_reload_conf()`;
  await admin.end();
}
