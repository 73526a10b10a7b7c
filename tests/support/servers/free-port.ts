import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

let next = randomInt(20_000, 30_000);

/**
 * A port for a program that must be told one. It lies below those that systems hand out by themselves: one of these
 * could become the near end of any connection before the program takes it, or while a test keeps the program away.
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
