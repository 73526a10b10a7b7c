import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request as sendRequest } from "node:http";
import { afterAll } from "vitest";
import type { NodeServerOptions } from "#app/http/server/node-adapter.server.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";

/**
 * Starts the whole built site on its own port, for tests of behavior that only sockets show: back-pressure,
 * disconnects, truncated bodies. The site reads the environment here, so a test sets its variables before the call.
 */
export async function listen(options: NodeServerOptions = {}) {
  const { createNodeServer } = await import("#app/http/server/node-adapter.server.ts");
  const { application } = await import("#app/start/site.server.ts");
  const server = createNodeServer(application, options);
  const port = await listenLocally(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port, origin: `http://127.0.0.1:${port}` };
}

/** Sends a request on a new connection. The body arrives only as fast as the test reads it. */
export async function open(url: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const request = sendRequest(url, { agent: false, ...options }).end();
  request.on("error", () => {});
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return response;
}
