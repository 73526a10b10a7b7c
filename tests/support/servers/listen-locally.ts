import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Lets the server listen on a free port of this machine, and returns the port. */
export async function listenLocally(server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
