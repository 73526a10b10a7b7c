import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import bcrypt from "bcryptjs";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { driverArguments } from "#db/driver-arguments.ts";
import { type EmbeddedDatabase, startEmbedded } from "#db/embedded/embedded.server.ts";
import { migrate } from "#db/migrate.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server on which tests create databases: DATABASE_URL, or an embedded server for this run. */
    databaseServer: string;
    /** The driver's arguments for that server, for code that runs before the application reads its environment. */
    administration: ReturnType<typeof driverArguments>;
    /** The clause of `create database` that copies the migrated database. */
    fromTemplate: string;
    /** Holds the data folders of this run. */
    dataFolders: string;
    /** The hash has the lowest cost, because comparing with a hash of the real cost takes 150 ms of processor time. */
    goodPasswordHash: string;
  }
}

/**
 * Creates one migrated database for each run; every test file clones it. The user of DATABASE_URL must have the right to
 * create databases. Without DATABASE_URL, an embedded server starts in its own folder.
 */
export async function provideTemplateDatabase(project: TestProject) {
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedServer();
  const name = `engawa_test_template_${randomUUID().replaceAll("-", "")}`;
  const administration = driverArguments(server.url, { max: 1 });
  const admin = postgres(...administration);
  await admin.unsafe(`create database ${name}`);
  await migrate({ databaseUrl: databaseUrl(server.url, name) });
  project.provide("databaseServer", server.url);
  project.provide("administration", administration);
  project.provide(
    "fromTemplate",
    `template ${name}${(await canCopyFiles(admin)) ? " strategy file_copy" : ""}`,
  );
  const dataFolders = temporaryFolder("test-data");
  project.provide("dataFolders", dataFolders);
  project.provide("goodPasswordHash", bcrypt.hashSync(goodPassword, 4));

  return async () => {
    await dropDatabase(admin, name);
    await admin.end();
    await server.stop();
    rmSync(dataFolders, { recursive: true, force: true });
  };
}

/**
 * True if copying a database file by file is quicker than PostgreSQL's default, which logs each page: on a server that
 * does not wait for the disk. Servers before version 15 know no strategies.
 */
async function canCopyFiles(admin: postgres.Sql) {
  const [row] = await admin<[{ canCopy: boolean }]>`
    select current_setting('fsync') = 'off' and current_setting('server_version_num')::int >= 150000 as "canCopy"`;
  return row.canCopy;
}

async function startEmbeddedServer() {
  const dataDir = temporaryFolder("test");
  const embedded = await startEmbedded(dataDir);
  await disableDurability(embedded);
  const { path, user, pass, database } = embedded.connection;
  return {
    url: `postgres://${user}:${pass}@localhost/${database}?host=${encodeURIComponent(dirname(path))}`,
    stop: async () => {
      await embedded.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Tests need no data after a crash, and waiting for the disk makes them slow. */
async function disableDurability({ connection }: EmbeddedDatabase) {
  const admin = postgres({ ...connection, user: "postgres", database: "postgres", max: 1 });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    await admin.unsafe(`alter system set ${setting} = off`);
  await admin`select pg_reload_conf()`;
  await admin.end();
}
