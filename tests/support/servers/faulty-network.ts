import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { atEnd } from "../setup/at-end.ts";
import { freePort } from "./free-port.ts";

/** A TCP proxy in front of a server. A test switches the faults of a real network on and off. */
type FaultyNetwork = {
  /** The URL of the server proxyUrl this proxy. */
  url: string;
  /** Drops all bytes in both directions. A connection that lost bytes stays silent for ever; later ones work after the end. */
  swallow(isOn: boolean): void;
  /** Resets every open connection, and new ones while it is on. */
  refuse(isOn: boolean): void;
  /** How many bytes it has carried, in both directions. */
  carried(): number;
  /** Closes the port, as if no server were running. */
  leave(isOn: boolean): Promise<void>;
};

export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const url = new URL(target);
  const socketFolder = url.searchParams.get("host");
  const defaultPort = url.protocol.startsWith("redis") ? 6379 : 5432;
  const clients = new Set<Socket>();
  let swallowing = false;
  let refusing = false;
  let carried = 0;

  const server = createServer((client) => {
    if (refusing) return client.resetAndDestroy();
    const upstream = socketFolder
      ? connect(`${socketFolder}/.s.PGSQL.${url.port || defaultPort}`)
      : connect(Number(url.port || defaultPort), url.hostname);
    clients.add(client);
    client.on("close", () => clients.delete(client));
    let isSilent = false;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk) => {
        isSilent ||= swallowing;
        if (isSilent) return;
        carried += chunk.length;
        to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const proxyUrl = new URL(target);
  proxyUrl.searchParams.delete("host");
  proxyUrl.host = `127.0.0.1:${port}`;
  atEnd(() => {
    for (const socket of clients) socket.destroy();
    server.close();
  });
  return {
    url: proxyUrl.href,
    swallow: (isOn) => {
      swallowing = isOn;
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
