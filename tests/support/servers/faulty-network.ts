import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "#tests/support/servers/free-port.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A TCP proxy in front of a server. A test switches the faults of a real network on and off. */
type FaultyNetwork = {
  /** The URL of the server through this proxy. */
  url: string;
  /**
   * Drops all bytes in both directions. A connection that lost bytes stays silent even after the fault ends, and the
   * server is not told that it was closed. Later connections work after the end.
   */
  swallow(isOn: boolean): void;
  /**
   * Delivers the next request that contains the text, and then starts to swallow, so that its answer is lost. Resolves
   * when swallowing has started.
   */
  swallowAfter(text: string): Promise<void>;
  /** Drops only the bytes that the server sends. */
  swallowAnswers(isOn: boolean): void;
  /** Delays all bytes by this time, in each direction. */
  delay(ms: number): void;
  /** Resets every open connection, and new ones while it is on. */
  refuse(isOn: boolean): void;
  /** The number of bytes carried so far, in both directions. */
  carried(): number;
  /** Closes the port, as if no server were running. */
  leave(isOn: boolean): Promise<void>;
};

export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const url = new URL(target);
  const socketFolder = url.searchParams.get("host");
  const defaultPort = url.protocol.startsWith("redis") ? 6379 : 5432;
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let swallowing = false;
  let swallowingAnswers = false;
  let lastRequest: { text: string; onDelivery(): void } | undefined;
  let delayMs = 0;
  let refusing = false;
  let carried = 0;

  const upstreamAddress = socketFolder
    ? { path: `${socketFolder}/.s.PGSQL.${url.port || defaultPort}` }
    : { port: Number(url.port || defaultPort), host: url.hostname };

  // By default, Node closes a connection as soon as one direction ends, which a silent network does not.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (refusing) return client.resetAndDestroy();
    const upstream = connect({ ...upstreamAddress, allowHalfOpen: true });
    clients.add(client);
    client.on("close", () => clients.delete(client));
    servers.add(upstream);
    upstream.on("close", () => servers.delete(upstream));
    let isSilent = false;
    const isLost = (from: Socket) => {
      isSilent ||= swallowing || (swallowingAnswers && from === upstream);
      return isSilent;
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      const deliver = (action: () => void) => (delayMs > 0 ? setTimeout(action, delayMs) : action());
      from.on("data", (chunk) => {
        if (isLost(from)) return;
        if (from === client && lastRequest && chunk.includes(lastRequest.text)) {
          swallowing = true;
          isSilent = true;
          lastRequest.onDelivery();
          lastRequest = undefined;
        }
        carried += chunk.length;
        deliver(() => to.writable && to.write(chunk));
      });
      from.on("error", () => {});
      from.on("end", () => {
        if (!isLost(from)) deliver(() => to.end());
      });
      from.on("close", () => {
        if (!isLost(from)) deliver(() => to.destroy());
      });
    }
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const proxyUrl = new URL(target);
  proxyUrl.searchParams.delete("host");
  proxyUrl.host = `127.0.0.1:${port}`;
  atEnd(() => {
    for (const socket of [...clients, ...servers]) socket.destroy();
    server.close();
  });
  return {
    url: proxyUrl.href,
    swallow: (isOn) => {
      swallowing = isOn;
    },
    swallowAfter: (text) =>
      new Promise((resolve) => {
        lastRequest = { text, onDelivery: resolve };
      }),
    swallowAnswers: (isOn) => {
      swallowingAnswers = isOn;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    refuse: (isOn) => {
      refusing = isOn;
      if (isOn) for (const socket of clients) socket.resetAndDestroy();
    },
    carried: () => carried,
    leave: async (isOn) => {
      if (!isOn) {
        server.listen(port, "127.0.0.1");
        await once(server, "listening");
        return;
      }
      const closed = once(server, "close");
      server.close();
      for (const socket of clients) socket.destroy();
      await closed;
    },
  };
}
