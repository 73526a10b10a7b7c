import { closeDatabase, isDatabaseUp } from "#db/client.server.ts";
import { migrate } from "#db/migrate.ts";
import { application } from "./application.server.ts";
import { addReadinessCheck, isDraining } from "./http/health.server.ts";
import { endOnDefects, listen, stopOnSignals } from "./http/listening.server.ts";
import { serveMetrics } from "./http/metrics-port.server.ts";
import { createNodeServer } from "./http/node-adapter.server.ts";
import { endProcess } from "./platform/cannot-start.server.ts";
import { env } from "./platform/env.server.ts";
import { log } from "./platform/log.server.ts";
import { startNotice } from "./start-notice.server.ts";

/** The process: what it is made of, and in which order that starts and stops. */

async function start() {
  await migrate();
  addReadinessCheck("database", requireDatabase);
  const server = createNodeServer(application, { isDraining });
  const address = await listen(server, env.PORT, env.HOST);
  const metrics = env.METRICS_PORT === undefined ? undefined : await serveMetrics(env.METRICS_PORT);
  log.info("listening", { address });
  for (const line of startNotice(env, address)) log.plain(line);
  stopOnSignals(server, async () => {
    metrics?.close();
    await closeDatabase();
  });
}

async function requireDatabase() {
  if (!(await isDatabaseUp())) throw new Error("the database does not answer");
}

endOnDefects();
await start().catch(endProcess);
