import { once } from "node:events";
import { request as ask, type IncomingMessage, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/**
 * The whole built site behind a port of its own, for what only sockets show: back-pressure, departures, cuts. It
 * reads the environment as the test has set it by then.
 */
export async function listen() {
  const { createNodeServer } = await import("#app/http/server/node-adapter.server.ts");
  const { application } = await import("#app/start/site.server.ts");
  const server = createNodeServer(application);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port, origin: `http://127.0.0.1:${port}` };
}

/** An answer whose body is read only as fast as the caller wants; no connection is shared. */
export async function open(url: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const asked = ask(url, { agent: false, ...options }).end();
  asked.on("error", () => {});
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return response;
}
