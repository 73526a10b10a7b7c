import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createRawServer, type Socket } from "node:net";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

type Upstream = {
  server: Server;
  port: number;
  /** `http://127.0.0.1:port` */
  origin: string;
  /** Connections accepted and requests received so far. */
  connections: number;
  requests: string[];
};

/** A small real server in place of a third party's. It closes at the end of the test or of the test file. */
export async function startUpstream(listener: RequestListener, host = "127.0.0.1"): Promise<Upstream> {
  const server = createServer((request, response) => {
    upstream.requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  const upstream: Upstream = { server, port: 0, origin: "", connections: 0, requests: [] };
  server.on("connection", () => upstream.connections++);
  upstream.port = await listenLocally(server, host);
  upstream.origin = `http://${host.includes(":") ? `[${host}]` : host}:${upstream.port}`;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return upstream;
}

/** Answers every request with these bytes. */
export const sendBytes =
  (bytes: Buffer | string, headers = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { "Content-Length": Buffer.byteLength(bytes), ...headers }).end(bytes);

/** A server whose answers are raw bytes. Returns its origin. */
export async function startRaw(answer: (path: string, socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => answer(head.toString("latin1").split(" ", 2)[1] ?? "", socket));
  });
  const port = await listenLocally(server);
  atEnd(() => server.close());
  return `http://127.0.0.1:${port}`;
}
