import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { countServedTime, migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { onCatalogChange, watchCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { startDetails, stopDetails } from "#app/domain/details/details.server.ts";
import { startFeeds, stopFeeds } from "#app/domain/feeds/feeds.server.ts";
import {
  findRootsTrouble,
  hasFilmRoots,
  loadFilmRoots,
  startReadingFilms,
} from "#app/domain/films/films.server.ts";
import { listTroubles } from "#app/domain/health/health.server.ts";
import { prepareRenderers } from "#app/domain/images/images.server.ts";
import { getSignUpState } from "#app/domain/joining/joining.server.ts";
import { endWishes } from "#app/domain/library/library.server.ts";
import { startScanning } from "#app/domain/scanning/scanning.server.ts";
import { findSetupCode, loadSiteSettings } from "#app/domain/setup/setup.server.ts";
import type { Application } from "#app/http/pipeline/application.server.ts";
import { addReadinessCheck } from "#app/http/server/health.server.ts";
import {
  type Drain,
  drainOf,
  exitOnUncaughtErrors,
  listen,
  requireFreePort,
} from "#app/http/server/listen.server.ts";
import { requireFreeMetricsPort, serveMetrics } from "#app/http/server/metrics-port.server.ts";
import { createNodeServer, type NodeServerOptions } from "#app/http/server/node-adapter.server.ts";
import { closeRedis } from "#app/platform/cache/redis.server.ts";
import { oneAtATime } from "#app/platform/limits/one-at-a-time.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { waitForMails } from "#app/platform/mail.server.ts";
import { endProcess } from "#app/platform/process/cannot-start.server.ts";
import { closePrivateFolders, createDataFolder } from "#app/platform/process/data-folder.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ffmpegText } from "#app/platform/process/ffmpeg.server.ts";
import { requireMemory, warnAboutMemory } from "#app/platform/process/memory.server.ts";
import { onStopSignal, type StopSignal } from "#app/platform/process/stop-signals.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { seconds } from "#app/platform/units.ts";
import { closeDatabase, explainFailure } from "#db/client.server.ts";
import { holdSite } from "#db/site-lock.server.ts";
import { createWriteCheck } from "#db/write-check.server.ts";
import { startNotice } from "./start-notice.server.ts";
import { scheduleSweeps } from "./sweeps.server.ts";

/** The parts that have started so far and must be stopped. */
type Parts = {
  isStopping: boolean;
  drain?: Drain;
  closeMetrics?: () => void;
  stopWatching?: () => Promise<unknown>;
  stopReading?: () => Promise<void>;
  stopScanning?: () => Promise<void>;
  stopCounting?: () => Promise<void>;
  feedsEnd?: Promise<unknown>;
  scanEnd?: Promise<void> | undefined;
};

/**
 * Starts the database, the background work and the server in order, and stops them in order. Exits if one of them
 * cannot start.
 */
export async function runProcess(application: Application, options: NodeServerOptions = {}): Promise<Server> {
  exitOnUncaughtErrors();
  const parts: Parts = { isStopping: false };
  // Registered before the start, because a signal that arrives while the database starts must stop the database too.
  onStopSignal((signal, hurry) => void stop(parts, signal, hurry));
  return await start(application, options, parts).catch(async (error) => {
    // A start that is stopped half way fails, which is not an error.
    if (parts.isStopping) return new Promise<never>(() => {});
    const explained = await explainFailure(error);
    // Without this the embedded database would keep running after this process has exited.
    await closeDatabase();
    return endProcess(explained);
  });
}

async function start(application: Application, options: NodeServerOptions, parts: Parts) {
  requireMemory();
  await requireFreePort(env.PORT, env.HOST);
  if (env.METRICS_PORT !== undefined) await requireFreeMetricsPort(env.METRICS_PORT);
  createDataFolder(env.DATA_DIR);
  closePrivateFolders(env.DATA_DIR);
  await migrateWithBackup();
  await seedStarterCatalog();
  const releaseSite = await holdSite();
  onCatalogChange(() => void readSettings(parts));
  const endWishesNow = oneAtATime(() => tryToEndWishes(parts));
  onCatalogChange(() => void endWishesNow());
  const stopWatching = await watchCatalog();
  // A film that somebody wished for may have arrived while the site was down.
  void endWishesNow();
  await readSettings(parts);
  await loadFilmRoots();
  const writes = createWriteCheck();
  parts.stopWatching = () => Promise.all([releaseSite(), stopWatching(), writes.close()]);
  addReadinessCheck("database", writes.check);
  const server = createNodeServer(application, options);
  parts.drain = drainOf(server);
  const address = await openPorts(server, parts).catch(async (error) => {
    // These connections would log errors when the embedded database stops, and hide the one line that explains the
    // failure.
    await parts.stopWatching?.();
    throw error;
  });
  log.info("listening", { address });
  warnAboutMemory();
  if (hasFilmRoots()) log.info(ffmpegText());
  parts.stopCounting = countServedTime();
  scheduleSweeps();
  startFeeds();
  startDetails();
  parts.stopReading = startReadingFilms();
  parts.stopScanning = startScanning();
  prepareRenderers();
  const [signUps, code] = await Promise.all([getSignUpState(), findSetupCode()]);
  const facts = { ...env, hasFilms: hasFilmRoots(), isClosed: isClosedSite() };
  for (const line of startNotice(facts, address, signUps, code)) log.plain(line);
  void warnAboutFilms();
  void warnAboutTroubles(parts);
  return server;
}

/**
 * Settings change like the catalog, on this or another instance. A site that was closed must not stay open here, so
 * reading them is retried.
 */
async function readSettings(parts: Parts): Promise<void> {
  while (!parts.isStopping)
    try {
      await loadSiteSettings();
      return;
    } catch (error) {
      log.warn("cannot read the settings of the site", errorFields(error));
      await sleep(seconds(1), undefined, { ref: false });
    }
}

/** A change may have brought a film. If this fails, the next sweep repeats it. */
const tryToEndWishes = (parts: Parts) =>
  endWishes().catch((error) => {
    if (!parts.isStopping) log.warn("cannot end the wishes of films that came", errorFields(error));
  });

/**
 * A disk that is mounted late must not prevent the start. This warning does not wait for the mail server or the feeds.
 */
async function warnAboutFilms() {
  const text = await findRootsTrouble();
  if (text !== null) log.warn(text);
}

/** Runs after the notice, because a folder or a mail server that does not answer takes seconds. */
async function warnAboutTroubles(parts: Parts) {
  try {
    // `warnAboutFilms` reports the films.
    for (const { about, text } of await listTroubles()) if (about !== "films") log.warn(text);
  } catch (error) {
    if (!parts.isStopping) log.warn("cannot tell what an operator should see to", errorFields(error));
  }
}

async function openPorts(server: Server, parts: Parts) {
  if (env.METRICS_PORT !== undefined) {
    const metrics = await serveMetrics(env.METRICS_PORT);
    parts.closeMetrics = () => metrics.close();
  }
  return listen(server, env.PORT, env.HOST);
}

const maxFarewellMs = seconds(0.5);
const maxCloseMs = seconds(2);

async function stop(parts: Parts, signal: StopSignal, hurry: AbortSignal) {
  parts.isStopping = true;
  log.info("stopping", { signal });
  parts.feedsEnd = Promise.all([stopFeeds(), stopDetails()]);
  parts.scanEnd = parts.stopScanning?.();
  await parts.drain?.(signal, hurry);
  await Promise.race([close(parts, hurry), sleep(maxCloseMs)]).catch((error) =>
    log.error("the database, Redis or another part did not close", errorFields(error)),
  );
  process.exit(0);
}

/** Every step before the embedded database has a time limit, so that the database always stops. */
async function close(
  { closeMetrics, stopWatching, stopReading, stopCounting, feedsEnd, scanEnd }: Parts,
  hurry: AbortSignal,
) {
  closeMetrics?.();
  const farewells = Promise.all([
    stopWatching?.(),
    stopReading?.(),
    stopCounting?.(),
    feedsEnd,
    scanEnd,
    !hurry.aborted && waitForMails(),
  ]);
  await Promise.race([farewells, sleep(maxFarewellMs)]).catch(() => {});
  await Promise.all([closeDatabase({ maxWaitMs: seconds(1) }), closeRedis()]);
}
