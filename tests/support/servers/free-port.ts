import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Each worker has a range of its own: two could find the same port free before a program listens there. */
let next = 20_000 + 1000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 10) + randomInt(800);

/**
 * A port for a program that cannot choose one. It lies below the range from which the system takes ports for outgoing
 * connections: the system could give a port of that range to any connection while the program does not listen.
 */
export async function freePort(): Promise<number> {
  const port = next++;
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  probe.close();
  await once(probe, "close");
  return port;
}
