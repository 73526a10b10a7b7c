import { once } from "node:events";
import { request as ask, type IncomingMessage, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import type { Application } from "#app/http/application.server.ts";

/**
 * The whole built site behind a port of its own, for what only sockets show: back-pressure, departures, cuts. It
 * reads the environment as the test has set it by then.
 */
export async function listen() {
  const { createNodeServer } = await import("#app/http/node-adapter.server.ts");
  const built = pathToFileURL(resolve(import.meta.dirname, "../../build/server/application.js")).href;
  const { application } = (await import(/* @vite-ignore */ built)) as { application: Application };
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
