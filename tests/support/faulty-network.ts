import { connect, createServer, type Socket } from "node:net";
import { atEnd } from "./at-end.ts";

/** A TCP proxy in front of a server, with the faults of a real network at hand. */
export type FaultyNetwork = {
  port: number;
  /** Bytes go nowhere, in both directions, on old and new connections. */
  swallow(isOn: boolean): void;
  /** Every connection is reset; new ones too while it is on. */
  refuse(isOn: boolean): void;
};

export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const url = new URL(target);
  const folder = url.searchParams.get("host");
  const clients = new Set<Socket>();
  let swallowing = false;
  let refusing = false;

  const server = createServer((client) => {
    if (refusing) return client.resetAndDestroy();
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${url.port || 5432}`)
      : connect(Number(url.port || 5432), url.hostname);
    clients.add(client);
    client.on("close", () => clients.delete(client));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk) => swallowing || to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    for (const socket of clients) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    swallow: (isOn) => {
      swallowing = isOn;
    },
    refuse: (isOn) => {
      refusing = isOn;
      if (isOn) for (const socket of clients) socket.resetAndDestroy();
    },
  };
}
