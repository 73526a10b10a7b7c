import { newDatabase } from "#tests/support/database/new-database.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startNginx } from "#tests/support/servers/nginx.ts";
import { startRedis } from "#tests/support/servers/redis.ts";
import { startSite } from "#tests/support/site/site-process.ts";

type Front = (
  port: number,
  instances: readonly [number, number],
) => Promise<{ origin: string; seesAgain?(instance: number): Promise<void> }>;

/** Starts the site as on several machines: one database, one Redis, two instances and a proxy in front. */
export async function startTwoInstances(
  settings: Record<string, string> = {},
  { startFront = startNginx, ...options }: { startFront?: Front; isQuiet?: boolean } = {},
) {
  const [database, redis, front, ...ports] = await Promise.all([
    newDatabase(),
    startRedis(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const origin = `http://127.0.0.1:${front}`;
  const allSettings = {
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    SESSION_SECRET: "the same for both ".repeat(3),
    PUBLIC_URL: origin,
    TRUST_PROXY: "1",
    ...settings,
  };
  const start = (at: number) => startSite({ ...allSettings, PORT: String(ports[at]) }, options);
  const [one, other] = await Promise.all([start(0), start(1)]);
  const proxy = await startFront(front, ports as [number, number]);
  /** Resolves when the proxy sends requests to the instance again. */
  const startAgain = async (at: number) => {
    const instance = await start(at);
    await proxy.seesAgain?.(ports[at] as number);
    return instance;
  };
  return { origin, one, other, settings: allSettings, redis, startAgain };
}
