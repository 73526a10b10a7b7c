import { accessSync, constants, statSync } from "node:fs";
import type { Server } from "node:http";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { importRecords, readRecords, watchCatalog } from "#app/domain/catalog/catalog.server.ts";
import { scheduleUnusedPictureDeletion } from "#app/domain/images/images.server.ts";
import type { Application } from "#app/http/pipeline/application.server.ts";
import { addReadinessCheck, isDraining } from "#app/http/server/health.server.ts";
import { exitOnUncaughtErrors, listen, stopOnSignals } from "#app/http/server/listen.server.ts";
import { serveMetrics } from "#app/http/server/metrics-port.server.ts";
import { createNodeServer, type NodeServerOptions } from "#app/http/server/node-adapter.server.ts";
import { closeRedis } from "#app/platform/cache/redis.server.ts";
import { log } from "#app/platform/log.server.ts";
import { waitForMails } from "#app/platform/mail.server.ts";
import { CannotStart, endProcess } from "#app/platform/process/cannot-start.server.ts";
import { createDataFolder } from "#app/platform/process/data-folder.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { closeDatabase, isDatabaseUp } from "#db/client.server.ts";
import { seedStarterCatalog } from "#db/seed.ts";
import { startNotice } from "./start-notice.server.ts";

/** Starts the database, the background work and the server in order, and stops them in order. Exits if one cannot start. */
export async function runProcess(application: Application, options: NodeServerOptions = {}): Promise<Server> {
  exitOnUncaughtErrors();
  return await start(application, options).catch(async (error) => {
    // Without this the embedded database would keep running after this process has ended.
    await closeDatabase();
    return endProcess(error);
  });
}

async function start(application: Application, options: NodeServerOptions) {
  createDataFolder(env.DATA_DIR);
  requireMediaDir();
  await migrateWithBackup();
  await seedStarterCatalog((chunks) => importRecords(readRecords(chunks), { fillOnly: true }));
  const stopWatching = await watchCatalog(() => application.forgetPublicAnswers());
  addReadinessCheck("database", requireDatabase);
  const server = createNodeServer(application, { isDraining, ...options });
  const { metrics, address } = await openPorts(server).catch(async (error) => {
    // Its connection would log an error when the embedded database stops, and hide the one line that says what is wrong.
    await stopWatching();
    throw error;
  });
  log.info("listening", { address });
  scheduleUnusedPictureDeletion();
  for (const line of startNotice(env, address)) log.plain(line);
  stopOnSignals(server, async () => {
    metrics?.close();
    await stopWatching();
    await waitForMails();
    await Promise.all([closeDatabase(), closeRedis()]);
  });
  return server;
}

async function openPorts(server: Server) {
  const metrics = env.METRICS_PORT === undefined ? undefined : await serveMetrics(env.METRICS_PORT);
  return { metrics, address: await listen(server, env.PORT, env.HOST) };
}

function requireMediaDir() {
  if (env.MEDIA_DIR !== undefined && !isReadableFolder(env.MEDIA_DIR))
    throw new CannotStart(
      `MEDIA_DIR (${env.MEDIA_DIR}) is not a folder that this user can read. Choose another folder, or unset it.`,
    );
}

function isReadableFolder(path: string) {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function requireDatabase() {
  if (!(await isDatabaseUp())) throw new Error("the database does not answer");
}
