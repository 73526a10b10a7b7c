import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { atEnd } from "../setup/at-end.ts";
import { freePort } from "./free-port.ts";

/** A TCP proxy in front of a server, with the faults of a real network at hand. */
type FaultyNetwork = {
  /** The server's address, through the network. */
  url: string;
  /** Bytes go nowhere, in both directions. A connection that lost some stays silent for ever; new ones work afterwards. */
  swallow(isOn: boolean): void;
  /** Every connection is reset; new ones too while it is on. */
  refuse(isOn: boolean): void;
  /** As if nobody listened there. */
  leave(isOn: boolean): Promise<void>;
};

export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const url = new URL(target);
  const folder = url.searchParams.get("host");
  const standard = url.protocol.startsWith("redis") ? 6379 : 5432;
  const clients = new Set<Socket>();
  let swallowing = false;
  let refusing = false;

  const server = createServer((client) => {
    if (refusing) return client.resetAndDestroy();
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${url.port || standard}`)
      : connect(Number(url.port || standard), url.hostname);
    clients.add(client);
    client.on("close", () => clients.delete(client));
    let isSilent = false;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk) => {
        isSilent ||= swallowing;
        if (!isSilent) to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(target);
  through.searchParams.delete("host");
  through.host = `127.0.0.1:${port}`;
  atEnd(() => {
    for (const socket of clients) socket.destroy();
    server.close();
  });
  return {
    url: through.href,
    swallow: (isOn) => {
      swallowing = isOn;
    },
    refuse: (isOn) => {
      refusing = isOn;
      if (isOn) for (const socket of clients) socket.resetAndDestroy();
    },
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
