import { createServer } from "node:http";
import { log } from "#app/platform/log.server.ts";
import { registry } from "#app/platform/metrics.server.ts";
import { listen, requireFreePort } from "./listen.server.ts";

const host = "127.0.0.1";

export const requireFreeMetricsPort = (port: number) => requireFreePort(port, host, "METRICS_PORT");

/** Serves the metrics on a separate port of the loopback address, so that visitors cannot read them. */
export async function serveMetrics(port: number) {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return response.writeHead(404).end();
    const text = await registry.metrics();
    response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
  });
  log.info("metrics", { address: await listen(server, port, host, "METRICS_PORT") });
  return server;
}
