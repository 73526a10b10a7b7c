import { createServer } from "node:http";
import { log } from "#app/platform/log.server.ts";
import { registry } from "#app/platform/metrics.server.ts";
import { listen } from "./listen.server.ts";

/** Prometheus reads on a port of its own, of the loopback address: numbers are nothing for visitors. */
export async function serveMetrics(port: number) {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return response.writeHead(404).end();
    const text = await registry.metrics();
    response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
  });
  log.info("metrics", { address: await listen(server, port, "127.0.0.1", "METRICS_PORT") });
  return server;
}
